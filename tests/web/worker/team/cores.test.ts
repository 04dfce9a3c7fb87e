// Who gets the cores of a machine: arms and jobs first, then the parts of their batches. Real workers, on machines that are made up.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLab, loadCore } from '../../../../web/index.js';
import type { Core, ExperimentSpec, Lab } from '../../../../web/core/types.js';
import { timeless } from '../../experiment/specs.js';
import { rejection } from '../lab-tests.js';
import { eagerWorkerScript, fakeWorkerClass } from '../node-worker.js';

let core: Core;
beforeAll(async () => {
  const script = await eagerWorkerScript();
  core = await loadCore();
  vi.stubGlobal('Worker', fakeWorkerClass(script));
});
afterAll(() => {
  core.dispose();
  vi.unstubAllGlobals();
});

let lab: Lab | undefined;
afterEach(() => lab?.dispose());

async function labOn(machine: object): Promise<Lab> {
  vi.stubGlobal('navigator', machine);
  return (lab = await createLab());
}

const tokenIds = Uint32Array.from({ length: 300 }, (_, at) => (at * at + (at >> 3)) % 11);
const model = { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 6 } as const;
const training = { learningRate: 0.01, batchSize: 8, shards: 8 } as const;
const all = {
  tied: { model: { ...model, tying: 'tied' }, training },
  untied: { model: { ...model, tying: 'untied' }, training },
  linear: { model: { ...model, tying: 'tied-linear' }, training },
} as const;
type Name = keyof typeof all;

const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5));

describe.each([
  [{ hardwareConcurrency: 1 }, [1, 1, 1]],
  [{ hardwareConcurrency: 2 }, [2, 2, 2]],
  [{ hardwareConcurrency: 3 }, [3, 2, 3]],
  [{ hardwareConcurrency: 4 }, [4, 4, 3]],
  [{ hardwareConcurrency: 8 }, [8, 8, 6]],
  [{ hardwareConcurrency: 8, deviceMemory: 2 }, [2, 2, 2]],
  [{ hardwareConcurrency: 8, deviceMemory: 0.5 }, [1, 1, 1]],
] as const)('on %o', (machine, expected) => {
  test.each([1, 2, 3])('%i arms have their own workers first, then equal numbers of others', async (count) => {
    const lab = await labOn(machine);
    const names = (Object.keys(all) as Name[]).slice(0, count);
    const asked = { arms: Object.fromEntries(names.map((name) => [name, all[name]])), seed: 3 };
    const comparison = await lab.compare(await lab.openCorpus(tokenIds, { vocabSize: 11 }), asked);
    const threads = expected[count - 1]!;
    expect(comparison.workers).toBe(Math.min(count, threads));
    let frames = 0;
    for (; frames < 8 || lab.threads < threads; frames++) {
      await comparison.next({ steps: 2 });
      await pause();
    }
    expect(lab.threads).toBe(threads);
    const alone = core.compare(core.openCorpus(tokenIds, { vocabSize: 11 }), asked);
    for (let frame = 0; frame < frames; frame++) alone.next({ steps: 2 });
    for (const name of names) expect(await comparison.arm(name).save()).toEqual(alone.arm(name).save());
    alone.dispose();
  });
});

describe('an experiment', () => {
  const spec = {
    name: 'in-parts',
    text: { string: 'New York is old. The old city is New York. '.repeat(30) },
    tokenizer: { kind: 'word' },
    model: { ...model, tying: 'tied' },
    training: { learningRate: 0.01, batchSize: 4, shards: 4, steps: 200 },
    arms: { tied: {}, untied: { model: { tying: 'untied' } } },
    seeds: [1, 2],
    measure: [{ metric: 'loss', every: 20 }],
  } as const satisfies ExperimentSpec;

  test.each([
    [{ jobs: 2, threads: 2 }, 4, spec],
    // A single job: between two of them, partners of both may be there.
    [{ jobs: 1, threads: 3 }, 3, { ...spec, arms: { tied: {} }, seeds: [1] }],
    [{ threads: 4 }, 4, spec],
    [{ jobs: 4 }, 4, spec],
    [{ jobs: 2, threads: 1 }, 2, spec],
  ])('with %j has the records of one thread', async (options, threads, spec) => {
    const lab = await labOn({ hardwareConcurrency: 4 });
    const seen: number[] = [];
    const records = await lab.runExperiment(spec, { ...options, onJob: () => void seen.push(lab.threads) });
    expect(Math.max(...seen)).toBe(threads);
    expect(timeless(records)).toEqual(timeless(await core.runExperiment(spec)));
  });

  test.each([
    [{ jobs: 2, threads: 3 }, 'options.threads is 3, and options.jobs is 2; expected at most 4 threads in all'],
    [{ threads: 5 }, 'options.threads is 5; expected at most 4 threads in all, one for each core'],
    [{ jobs: 5 }, 'options.jobs is 5; expected at most 4 threads in all, one for each core'],
    [{ threads: 9 }, 'options.threads is 9; expected an integer from 1 to 8'],
    [{ threads: 0 }, 'options.threads is 0; expected an integer from 1 to 8'],
    [{ jobs: 0 }, 'options.jobs is 0; expected an integer from 1'],
    [{ jobs: '2' as never }, "options.jobs is '2'; expected an integer from 1"],
  ])('with %j is refused', async (options, named) => {
    const lab = await labOn({ hardwareConcurrency: 4 });
    const error = await rejection(lab.runExperiment(spec, options));
    expect(error.code).toBe('invalid-argument');
    expect(error.message).toContain(named);
    expect(lab.threads).toBe(1);
  });

  test('in a core has one thread', async () => {
    const error = await rejection(core.runExperiment(spec, { threads: 2 }));
    expect(error.message).toBe('options.threads is 2; expected at most 1 threads in all, one for each core');
  });
});
