/** Why a first request failed. Browsers do not say; a second request distinguishes the two common reasons. */
import type { TiedError } from '../../runtime/errors.js';
import { cancelledBy } from './source.js';
import { unreachable } from './url-answer.js';
import type { Fetch } from './url-stream.js';

/** It is not worth waiting longer than this for the reason. */
const PATIENCE_MS = 5_000;

export async function explainFailure(
  url: string,
  fetch: Fetch,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<TiedError> {
  const { location } = globalThis as { location?: { protocol: string; origin: string } };
  const { protocol, origin, hostname } = new URL(url);
  if (location?.protocol === 'https:' && protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    return unreachable(url, 'a page loaded over https: may not read http: URLs; expected https:', error);
  if (location !== undefined && location.origin !== origin && (await answers(url, fetch, signal)))
    return unreachable(
      url,
      'the server does not let other pages read it (CORS); download the file and choose it',
      error,
    );
  if (signal?.aborted) return cancelledBy(signal);
  const cause = (error as { cause?: { code?: unknown; message?: unknown } } | null)?.cause;
  const reason = cause?.code ?? cause?.message;
  const words = typeof reason === 'string' ? ` (${reason})` : '';
  return unreachable(
    url,
    `the server cannot be reached${words}; check the URL, or download the file and choose it`,
    error,
  );
}

/** Whether the server responds at all, to a request whose response the page may not see; only the beginning is transferred. */
async function answers(url: string, fetch: Fetch, signal: AbortSignal | undefined): Promise<boolean> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, PATIENCE_MS);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (signal?.aborted) return false;
    await fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: controller.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    controller.abort();
  }
}
