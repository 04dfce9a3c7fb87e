/** Messages quote briefly and suggest quickly, however long or many the names are. */
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, TiedError, type Core } from '../../../web/index.js';
import { any, IDS, MODEL, TRAINING } from './refusals.js';
import { errorOf } from './support.js';

/** Of the largest message that lists all that is known. */
const LONGEST_MESSAGE = 4000;
const TEN_MILLION = 10_000_000;

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('Names of ten million characters are refused in a short message', () => {
  // Compared letter by letter with all that is known, each of these takes half a minute or more.
  const long = 'x'.repeat(TEN_MILLION);

  test.each<[what: string, act: () => unknown]>([
    ['an option', () => core.trainTokenizer('abc', any({ kind: 'character', [long]: 1 }))],
    ['a choice', () => core.trainTokenizer('abc', any({ kind: long }))],
    ['a family', () => core.countParameters(any({ family: long, vocabSize: 3, dModel: 2, nLayers: 1 }))],
    ['a field of a model', () => core.estimateMemory(any({ ...MODEL, [long]: 1 }), TRAINING)],
    ['a number', () => core.fitBounds({ rows: 1, cols: 1, data: new Float32Array(1) }, any(long))],
    ['the kind of model of a configuration', () => core.importConfig({ model_type: long })],
    ['a field of a configuration', () => core.importConfig({ model_type: 'gpt2', vocab_size: long })],
    ['a symbol', () => core.trainTokenizer(any(Symbol(long)), { kind: 'character' })],
    ['a bigint', () => core.trainTokenizer(any(1n << 10_000_000n), { kind: 'character' })],
    ['the name of a class', () => core.loadTrainer(any(instanceOf(long)))],
  ])('%s', (_, act) => {
    const { message } = errorOf(act);
    expect(message.length).toBeLessThan(LONGEST_MESSAGE);
    expect(message).toMatch(/ is .*(expected|known are) /s);
  });
});

test.each(['https://localhost:1/', 'file:///', 'blob:', 'data:application/wasm;base64,', ''])(
  'A long URL is refused in a short message: %s',
  async (begin) => {
    const address = `${begin}${'x'.repeat(1_000_000)}`;
    for (const option of ['wasmUrl', 'analysisUrl']) {
      const error: unknown = await loadCore({ [option]: address }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TiedError);
      expect((error as TiedError).message.length).toBeLessThan(500);
      expect((error as TiedError).message).toContain('xxx');
    }
  },
);

test('An unknown parameter of a model of 1000 layers is refused in a short message that suggests the nearest', () => {
  const trainer = core.createTrainer({
    model: { kind: 'transformer', vocabSize: 3, dModel: 1, nLayers: 1000, nHeads: 1, contextLength: 1, tying: 'tied' },
    training: { ...TRAINING, batchSize: 1 },
    tokenIds: IDS,
  });
  const names = trainer.parameters().map(({ name }) => name);
  expect(names.length).toBeGreaterThan(5000);
  const last = names.filter((name) => name.startsWith('layers.999')).at(-1)!;
  const near = errorOf(() => trainer.matrix(`${last}x`));
  expect(near.message).toContain(`did you mean '${last}'?`);
  expect(near.message).toMatch(/ and \d+ more/);
  expect(near.message.length).toBeLessThan(LONGEST_MESSAGE);
  expect(errorOf(() => trainer.matrix('y'.repeat(TEN_MILLION))).message).not.toContain('did you mean');
  trainer.dispose();
});

function instanceOf(name: string): object {
  return new (Object.defineProperty(class {}, 'name', { value: name }))();
}
