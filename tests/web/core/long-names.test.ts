/** Messages quote briefly and suggest quickly, however long or numerous the names are. */
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, TiedError, type Core } from '../../../web/index.js';
import { any, IDS, MODEL, TRAINING } from './refusals.js';
import { errorOf } from './support.js';

/** Length of the longest message that lists all known names. */
const LONGEST_MESSAGE = 4000;
const TEN_MILLION = 10_000_000;

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('names of ten million characters are refused with a short message', () => {
  // Comparing each of these letter by letter with all known names would take half a minute or more.
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
  'a long URL is refused with a short message: %s',
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

test('an unknown parameter of a model with 1000 layers is refused with a short message that suggests the nearest name', () => {
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
