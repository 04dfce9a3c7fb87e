import { expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';
import { errorOf } from './support.js';

const text = 'the thin thing thinks of the other thing, then thinks again. ';

test('a vocabulary of only the bytes of the text uses every token, and survives saving', async () => {
  const core = await loadCore();
  const tokenizer = core.trainTokenizer(text.repeat(3), { kind: 'bpe', vocabSize: 24, alphabet: 'text' });
  expect(tokenizer.vocabSize).toBe(24);
  expect(tokenizer.tokens.slice(0, 4)).toEqual(['␣', ',', '.', 'a']);
  const ids = tokenizer.encode(text);
  expect(Math.max(...ids)).toBeLessThan(24);
  expect(tokenizer.decode(ids)).toBe(text);
  const loaded = core.loadTokenizer(tokenizer.save(), { format: 'tied-embeddings' });
  expect(loaded.encode(text)).toEqual(ids);
});

test('bytes that such a vocabulary lacks are refused by name', async () => {
  const core = await loadCore();
  const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 24, alphabet: 'text' });
  const error = errorOf(() => tokenizer.encode('the zebra'));
  expect(error.code).toBe('invalid-argument');
  expect(error.message).toContain('z (U+007A) at byte 4');
  expect(errorOf(() => core.trainTokenizer(text, { kind: 'word', alphabet: 'text' })).message).toContain('alphabet');
  expect(errorOf(() => core.trainTokenizer(text, { kind: 'bpe', vocabSize: 5, alphabet: 'text' })).message).toMatch(
    /vocabSize is 5; expected at least 1\d/,
  );
});
