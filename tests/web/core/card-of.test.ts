// `modelCard` of a core and of a lab calls the card verb of its argument.
import { afterAll, expect, test } from 'vitest';
import type { Comparison } from '../../../web/index.js';
import { createLab } from '../../../web/worker/lab.js';
import { BASE, IDS, TRAINING, VOCAB, core, trained } from './model-card-trainers.js';
import { expectError } from './support.js';

const lab = await createLab();
afterAll(() => {
  lab.dispose();
});
const options = { tokenIds: IDS, seed: 3 };

test('modelCard returns the card of a trainer, and the identity card of a checkpoint', async () => {
  const trainer = trained({ tying: 'untied' });
  const card = trainer.modelCard(options);
  expect(core.modelCard(trainer, options)).toEqual(card);
  const file = trainer.toSafetensors();
  for (const by of [core, lab]) {
    const checkpoint = await by.openCheckpoint(file);
    expect(await by.modelCard(checkpoint, { seed: 5 })).toEqual(await checkpoint.identityCard({ seed: 5 }));
    expect((await by.modelCard(checkpoint)).data.tables.output?.shape).toEqual([VOCAB, BASE.dModel]);
  }
  const model = { kind: 'direct-path', vocabSize: VOCAB, dModel: 3, tying: 'tied' } as const;
  const direct = await lab.createTrainer({ model, training: TRAINING, tokenIds: IDS });
  expect(await lab.modelCard(direct, options)).toEqual(await direct.modelCard(options));
});

test('modelCard returns the card of an arm of a comparison', () => {
  const corpus = core.openCorpus(IDS, { vocabSize: VOCAB });
  const arms = {
    one: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training: { learningRate: 0.1 } },
  } as const;
  const comparison: Comparison = core.compare(corpus, { arms });
  const arm = comparison.arm('one');
  expect(core.modelCard(arm, options)).toEqual(arm.modelCard(options));
  comparison.dispose();
  corpus.dispose();
});

test('modelCard refuses values that have no card, and leaves options to the verb', async () => {
  for (const wrong of [null, undefined, 7, 'tied', {}, { modelCard: true }]) {
    const expected = /expected a trainer, an arm of a comparison or a checkpoint$/;
    expectError(() => core.modelCard(wrong as never, options), 'invalid-argument', expected);
    await expect(lab.modelCard(wrong as never, options)).rejects.toMatchObject({ code: 'invalid-argument' });
  }
  const trainer = trained({ tying: 'tied' });
  expectError(() => core.modelCard(trainer, {} as never), 'invalid-argument', /^options\.tokenIds/);
  trainer.dispose();
  expectError(() => core.modelCard(trainer, options), 'disposed', /trainer/);
});
