/** What needs the kinds of models or the known models: a lab loads them where it was opened, when first asked for. */
import { copyData } from '../core/runtime/copy-data.js';
import type { TiedError } from '../core/runtime/errors.js';
import type { KnownModel, Lab } from '../core/types.js';
import type { LabClient } from './lab-client.js';
import { CORE_TARGET } from './protocol.js';

type Verbs = Pick<Lab, 'importConfig' | 'knownModels' | 'adviseTying'>;

/** `ended`: resolves when the lab closes; `whyClosed`: then says why, and is null before. */
export function kindsInLab(client: LabClient, ended: Promise<unknown>, whyClosed: () => TiedError | null): Verbs {
  const checkOpen = (): void => {
    const why = whyClosed();
    if (why) throw why;
  };
  /** Closing the lab ends the wait. */
  const load = async (ready?: Promise<unknown>) => {
    checkOpen();
    const loading = import('../core/accounting/kinds-and-models.js');
    await Promise.race([Promise.all([loading, ready]), ended]);
    checkOpen();
    return loading;
  };
  // The worker counts them once, as precedents.
  let adopted: Promise<unknown> | null = null;
  const adopt = (models: KnownModel[]): Promise<unknown> =>
    client.call(CORE_TARGET, 'adoptModels', [models]).catch((error: unknown) => {
      adopted = null;
      throw error;
    });
  // Arguments are copied before the first await, so later changes to the caller's objects have no effect.
  return {
    importConfig: async (...args) => {
      const [config] = copyData(args) as typeof args;
      return (await load()).importConfig(config);
    },
    knownModels: async () => (await load()).knownModels(),
    adviseTying: async (...args) => {
      const copy = copyData(args) as unknown[];
      checkOpen();
      const { knownModels } = await load(client.prepare('adviseTying', CORE_TARGET));
      await (adopted ??= adopt(knownModels()));
      return client.call(CORE_TARGET, 'adviseTying', copy) as ReturnType<Lab['adviseTying']>;
    },
  };
}
