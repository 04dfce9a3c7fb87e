// Labs that can die as if the browser had ended their worker, and an opener that counts them.
import { TiedError } from '../../../web/core/runtime/errors.js';
import type { Lab, Matrix } from '../../../web/core/types.js';
import { setLabOpener } from '../../../web/elements/shared/page-labs.js';

export interface MortalLab {
  lab: Lab;
  /** The number of calls received. */
  asked: number;
  disposed: boolean;
  /** The next call is refused. */
  refuse: Error | null;
  /** Ends the worker as a browser would: every later call is refused as stopped. */
  die: () => void;
  /** One of the modules stops: the lab stays open. */
  stop: () => void;
}

export function mortalLab(verbs: object = {}, mode: Lab['mode'] = 'worker'): MortalLab {
  let dead = false;
  let close: (why: TiedError) => void = () => undefined;
  const answer = async <Value>(value: Value): Promise<Value> => {
    await Promise.resolve();
    state.asked++;
    if (state.disposed) throw new TiedError('disposed', 'the lab has been disposed of; create a new one');
    if (dead) throw new TiedError('stopped', 'the worker has stopped; create a new lab');
    const { refuse } = state;
    state.refuse = null;
    if (refuse !== null) throw refuse;
    return value;
  };
  const lab = {
    mode,
    closed: new Promise<TiedError>((resolve) => (close = resolve)),
    directPath: ({ embedding }: { embedding: Matrix }) => {
      const count = embedding.rows;
      return answer({ rows: count, cols: count, data: new Float32Array(count * count).fill(embedding.data[0] ?? 0) });
    },
    symmetry: () => answer({ symmetric: true }),
    estimateMemory: () => answer({ bytes: 1 }),
    knownModels: () => answer([]),
    dispose: () => {
      state.disposed = true;
      close(new TiedError('disposed', 'the lab has been disposed of; create a new one'));
    },
    ...verbs,
  } as unknown as Lab;
  const state: MortalLab = {
    lab,
    asked: 0,
    disposed: false,
    refuse: null,
    die: () => {
      dead = true;
      close(new TiedError('stopped', 'the worker stopped; create a new lab'));
    },
    stop: () => (dead = true),
  };
  return state;
}

/** Every lab that the page opens from now on. */
export function opensLabs(make: () => MortalLab = mortalLab): MortalLab[] {
  const opened: MortalLab[] = [];
  setLabOpener(() => {
    const one = make();
    opened.push(one);
    return Promise.resolve(one.lab);
  });
  return opened;
}
