import type * as measured from './measured.js';

export type Measured = typeof measured;

export function loadMeasured(): Promise<Measured> {
  const loading = import('./measured.js');
  // A failure is reported where the script is awaited, which may be later.
  loading.catch(() => undefined);
  return loading;
}
