/** When memory runs out, calls are refused by name, and the core continues with what it has. */
import { describe, expect, test } from 'vitest';
import type { Core, Tokenizer } from '../../../web/index.js';
import { coreOfAtMost } from './small-memory.js';
import { errorOf } from './support.js';

const MEGABYTES = 24;
const TIMEOUT_MS = 120_000;

/** A text of `count` different words. */
function words(count: number, first = 0): string {
  return Array.from({ length: count }, (_, i) => `w${(first + i).toString(36)}`).join(' ');
}

function expectAlive(core: Core): void {
  expect(core.bigrams(Uint32Array.of(0, 1, 0), 2).total).toBe(2);
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: 3, dModel: 1, tying: 'tied' },
    training: { learningRate: 0.1, seed: 1 },
    bigramCounts: { rows: 3, cols: 3, data: new Float32Array(9).fill(1) },
  });
  expect(trainer.run(2).length).toBe(2);
  trainer.dispose();
}

/** Allocates until memory runs out, which must be reported correctly; then frees all but the last. */
function fill<T extends { dispose(): void }>(make: (i: number) => T): T[] {
  const made: T[] = [];
  const error = errorOf(() => {
    for (let i = 0; ; i++) made.push(make(i));
  });
  expect(error.code).toBe('out-of-memory');
  expect(error.message).not.toMatch(/stopped/);
  expect(made.length).toBeGreaterThan(2);
  return made;
}

describe('a core that runs out of memory', { timeout: TIMEOUT_MS }, () => {
  test.each([
    ['words', 20_000, 'word', 100_000],
    ['few words', 300, 'word', 1000],
    ['merges', 1000, 'bpe', 2000],
  ] as const)('refuses another tokenizer of %s', async (_, count, kind, vocabSize) => {
    const core = await coreOfAtMost(MEGABYTES);
    const text = words(count);
    const tokenizers = fill<Tokenizer>(() => core.trainTokenizer(text, { kind, vocabSize }));
    // All existing tokenizers still work.
    for (const tokenizer of tokenizers.slice(-3)) tokenizer.dispose();
    const [first] = tokenizers;
    expect(first!.decode(first!.encode('w1 w2'))).toBe('w1 w2');
    expectAlive(core);
    core.dispose();
  });

  test.each(['word', 'bpe'] as const)('refuses to learn %s tokens of a text that is too large', async (kind) => {
    const core = await coreOfAtMost(MEGABYTES);
    let refused = 0;
    for (const count of [100_000, 400_000, 1_500_000]) {
      const text = words(count);
      try {
        core.trainTokenizer(text, { kind, vocabSize: 60_000 }).dispose();
      } catch (error) {
        refused++;
        expect(error).toMatchObject({ code: 'out-of-memory' });
      }
      expectAlive(core);
    }
    expect(refused).toBeGreaterThan(0);
    core.dispose();
  });

  test.each(['word', 'character', 'bpe'] as const)(
    'refuses to encode and decode too much with a %s tokenizer',
    async (kind) => {
      const core = await coreOfAtMost(MEGABYTES);
      const tokenizer = core.trainTokenizer(words(2000), { kind, vocabSize: 2000 });
      let refused = 0;
      for (let length = 2 ** 20; length <= 2 ** 23; length = Math.round(length * 1.5)) {
        const text = 'w1 w2 '.repeat(Math.floor(length / 6));
        const attempts = [
          () => tokenizer.encode(text),
          () => tokenizer.decode(new Uint32Array(Math.floor(length / 4)).fill(tokenizer.vocabSize - 1)),
        ];
        for (const attempt of attempts) {
          try {
            attempt();
          } catch (error) {
            refused++;
            expect(error).toMatchObject({ code: 'out-of-memory' });
            expect((error as Error).message).not.toMatch(/stopped/);
          }
        }
        expect(tokenizer.decode(tokenizer.encode('w1 w2'))).toBe('w1 w2');
      }
      expect(refused).toBeGreaterThan(0);
      core.dispose();
    },
  );
});
