// Comparisons that continue from saved arms.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type ComparedArm, type Core, type Corpus, type ErrorCode } from '../../../web/index.js';
import { errorOf } from './support.js';

const TEXT = 'the cat sat on the mat, the dog sat on the log; '.repeat(8);
const GPT = { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 } as const;
const TRAINING = { learningRate: 0.01, batchSize: 2, decay: 'cosine', totalSteps: 30 } as const;
type Arms = Record<'tied' | 'later' | 'table', ComparedArm>;
const ARMS: Arms = {
  tied: { model: { ...GPT, tying: 'tied' }, training: TRAINING },
  later: { model: { ...GPT, tying: { untieAtStep: 5 } }, training: TRAINING },
  table: { model: { kind: 'direct-path', dModel: 4, tying: 'untied' }, training: { learningRate: 0.05 } },
};
const options = (arms: Partial<Arms>) => ({
  arms: arms as Arms,
  steps: 30,
  seed: 7,
  measure: { every: 10, tokens: 20 },
});

let core: Core;
let corpus: Corpus;
beforeAll(async () => {
  core = await loadCore();
  corpus = core.openCorpus(TEXT, { tokenizer: { kind: 'character' } });
});

/** The arms with their files after so many steps. */
function savedAt(step: number, arms: Partial<Arms> = ARMS): Arms {
  const comparison = core.compare(corpus, options(arms));
  comparison.play({ until: step });
  const saved = Object.entries(arms).map(([name, arm]) => [
    name,
    { ...arm, saved: comparison.arm(name as keyof Arms).save() },
  ]);
  comparison.dispose();
  return Object.fromEntries(saved) as Arms;
}

describe('saved arms', () => {
  test.each([10, 13])('from step %i have the frames and weights of a run without a pause', (step) => {
    const whole = core.compare(corpus, options(ARMS));
    const frames = [...whole];
    const resumed = core.compare(corpus, options(savedAt(step)));
    expect(resumed.step).toBe(step);
    expect(resumed.arm('later').tyingChangedAt).toBe(5);
    // What was due at that step has been measured.
    expect(resumed.next({ until: step })).toMatchObject({ step, measured: null });
    const later = [...resumed];
    expect(resumed.step).toBe(30);
    for (const name of ['tied', 'later', 'table'] as const) {
      const losses = (of: typeof frames) => of.flatMap(({ columns }) => [...columns[name].loss]);
      expect(losses(later)).toEqual(losses(frames).slice(step));
      expect(resumed.arm(name).save()).toEqual(whole.arm(name).save());
    }
    const measured = (of: typeof frames) => of.flatMap((frame) => frame.measured ?? []);
    expect(measured(later)).toEqual(measured(frames).slice(2));
    resumed.rewind(3);
    expect(resumed.next({ steps: 1 }).step).toBe(4);
    whole.dispose();
    resumed.dispose();
  });

  test('are refused with other options, at different steps, or broken', () => {
    const saved = savedAt(4);
    const other = { ...saved, tied: { ...saved.tied, training: { ...TRAINING, learningRate: 0.02 } } };
    const refuse = (arms: Arms, code: ErrorCode, message: string) =>
      expect(errorOf(() => core.compare(corpus, options(arms)))).toMatchObject({ code, message });
    refuse(
      other,
      'invalid-argument',
      "arm 'tied': options.arms.tied.saved is a trainer with other options; expected one with this model and training",
    );
    refuse(
      { ...saved, later: savedAt(6).later },
      'invalid-argument',
      "options.arms.later is at step 6; expected step 4, which the arm 'tied' is at",
    );
    refuse(
      { ...saved, table: ARMS.table },
      'invalid-argument',
      "options.arms.table is at step 0; expected step 4, which the arm 'tied' is at",
    );
    const cut = saved.tied.saved!.slice(0, -9);
    const broken = errorOf(() => core.compare(corpus, options({ ...saved, tied: { ...saved.tied, saved: cut } })));
    expect(broken.code).toBe('bad-file');
    expect(broken.message).toMatch(/^arm 'tied': /);
    refuse(
      { ...saved, tied: { ...saved.tied, saved: 'file' as never } },
      'invalid-argument',
      "options.arms.tied.saved is 'file'; expected a Uint8Array",
    );
  });
});
