/** stories260k, from every format in which it was published or written, with the logits of numpy in double precision. */
import { describe, expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';
import { sharedFile } from '../core/support.js';
import { fileOf } from './checkpoint-files.js';

const FILES = [
  'stories260k.safetensors',
  'stories260k.bin',
  'stories260k-f16.safetensors',
  'stories260k-bf16.safetensors',
];
const models = FILES.map((name) => [name, sharedFile(`models/${name}`)] as const);
const vocabulary = sharedFile('tokenizers/llama2c-tok512.bin');
const referenceFile = sharedFile('models/stories260k-logits.json');

describe.runIf(vocabulary && referenceFile && models.every(([, bytes]) => bytes))('stories260k', async () => {
  const { ids: given, logits } = JSON.parse(new TextDecoder().decode(referenceFile ?? new Uint8Array([123, 125]))) as {
    ids: number[];
    logits: number[][];
  };
  const core = await loadCore({ modules: ['checkpoint'] });
  const ids = Uint32Array.from(given ?? []);

  // F16 and BF16 round the weights. The resulting error of logits near 20 was measured and is bounded here.
  test.each([
    [FILES[0]!, 1e-3],
    [FILES[1]!, 1e-3],
    [FILES[2]!, 0.02],
    [FILES[3]!, 0.2],
  ])('%s', async (name, tolerance) => {
    const bytes = models.find(([file]) => file === name)![1];
    const checkpoint = await core.openCheckpoint([fileOf(name, bytes!), fileOf('tok512.bin', vocabulary!)]);
    const trainer = await checkpoint.toTrainer();
    const { data, cols } = trainer.logits(ids);
    const differences = logits.flatMap((row, i) =>
      row.map((logit, token) => Math.abs(data[i * cols + token]! - logit)),
    );
    expect(Math.max(...differences)).toBeLessThan(tolerance);
    const { text } = trainer.generate({ prompt: 'Once upon a time', tokens: 20, temperature: 0, seed: 1 });
    expect(text).toMatch(/^, there was a little girl named Lily/);
    const tokenizer = await checkpoint.tokenizer();
    expect([...tokenizer!.encode('Once upon a time')]).toEqual(given.slice(1));
    expect(checkpoint.notes).toEqual([]);
  });

  test('has the same bits as with `loadModel`', async () => {
    const a = core.loadModel(models[1]![1]!, { format: 'llama2c' });
    for (const at of [0, 1]) {
      const b = await (await core.openCheckpoint(models[at]![1]!)).toTrainer();
      expect(b.model).toEqual(a.model);
      for (const { name } of a.parameters()) expect(b.matrix(name)).toEqual(a.matrix(name));
    }
  });
});
