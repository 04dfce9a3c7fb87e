// What happens to words of a prompt that a vocabulary of words lacks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import type { Lab, LabTokenizer } from '../../../web/core/types.js';
import { openTwins, type OpenedTwins } from '../../../web/elements/shared/model-twins.js';
import { promptSetting, readPrompt } from '../../../web/elements/shared/prompt.js';
import { examplePrompts } from '../../../web/elements/shared/prompt-chips.js';
import {
  encodeKnown,
  leftOutText,
  piecesOf,
  unknownWordsStrings,
  UnknownWordsError,
} from '../../../web/elements/shared/unknown-words.js';
import { createLab } from '../../../web/worker/lab.js';

let lab: Lab;
let twins: OpenedTwins;

beforeAll(async () => {
  lab = await createLab();
  const file = readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors'));
  twins = await openTwins(lab, Uint8Array.from(file), 'not the file of the page');
});

afterAll(() => {
  twins.dispose();
  lab.dispose();
});

const refusal = async (tokenizer: LabTokenizer, prompt: string): Promise<UnknownWordsError> => {
  const error: unknown = await encodeKnown(tokenizer, prompt).catch((reason: unknown) => reason);
  if (!(error instanceof UnknownWordsError)) throw new Error(`“${prompt}” was read`);
  return error;
};

describe('words that a vocabulary lacks', () => {
  it('are left out of a prompt that has others, which is read as if they were not there', async () => {
    const tokenizer = await lab.trainTokenizer('Maria and Oscar saw the river near York. The Maria.', { kind: 'word' });
    const { ids, leftOut } = await encodeKnown(tokenizer, 'Marie saw Marie and the ocean');
    expect(Array.from(ids)).toEqual(Array.from(await tokenizer.encode('saw and the')));
    expect(leftOut).toEqual(['Marie', 'ocean']);
    expect(leftOutText(unknownWordsStrings, leftOut)).toBe(
      'Read without “Marie”, “ocean”, which the models do not know.',
    );
    expect(leftOutText(unknownWordsStrings, (await encodeKnown(tokenizer, 'Maria saw')).leftOut)).toBe(null);
    // A mark that the text lacks is one of them.
    expect((await encodeKnown(tokenizer, 'Maria!')).leftOut).toEqual(['!']);
    tokenizer.dispose();
  });

  it('are told from the rest of the prompt, wherever they stand', () => {
    const struck = (text: string, leftOut: string[]) =>
      piecesOf(text, leftOut).map(({ piece, isLeftOut }) => (isLeftOut ? `[${piece}]` : piece));
    expect(struck('Tom saw Tom’s  Tomcat, Tom', ['Tom'])).toEqual(['[Tom]', ' saw Tom’s  Tomcat, ', '[Tom]']);
    expect(struck('as it was', [])).toEqual(['as it was']);
    expect(struck('', ['x'])).toEqual([]);
  });

  it('are named if there are no others, each once, with the nearest known word and others of its kind', async () => {
    const tokenizer = await lab.trainTokenizer('Maria and Oscar saw the river near York. The Maria.', { kind: 'word' });
    const one = await refusal(tokenizer, 'Marie Marie ocean');
    expect(one.words).toEqual(['Marie', 'ocean']);
    // Names for a name; "The" is none, because "the" is a word, too.
    expect(one.offered).toEqual(['Maria', 'Oscar', 'York']);
    expect(one.message).toBe('The models do not know “Marie”, “ocean”. They know Maria, Oscar, York and others.');
    expect((await refusal(tokenizer, 'rivers')).offered).toEqual(['river']);
    // Of a row of marks that the text has only one by one, none can be named.
    expect((await refusal(tokenizer, 'Maria ...')).words).toEqual(['Maria ...']);
    tokenizer.dispose();
  });

  it('are no obstacle in a text of known words, whatever its spaces, or for a tokenizer of other pieces', async () => {
    const text = 'Maria and Oscar saw the river.';
    for (const kind of ['word', 'bpe'] as const) {
      const tokenizer = await lab.trainTokenizer(text, { kind });
      for (const prompt of [text, ' Maria  saw Oscar', ...(kind === 'bpe' ? ['Tom'] : [])]) {
        const { ids, leftOut } = await encodeKnown(tokenizer, prompt);
        expect(Array.from(ids)).toEqual(Array.from(await tokenizer.encode(prompt)));
        expect(leftOut).toBeUndefined();
      }
      tokenizer.dispose();
    }
  });
});

describe('the page’s two GPTs', () => {
  const prompts = [promptSetting.initial, ...examplePrompts];

  it.each(prompts)('read “%s” word by word', async (prompt) => {
    const { tokens, cut } = await readPrompt(twins, prompt);
    expect(tokens).toEqual(prompt.match(/[\w']+|[^\w\s]/g));
    expect(cut).toBe(false);
  });

  it('know the second word of the names in the prompts that the page offers', async () => {
    const answers = await Promise.all(
      examplePrompts.map(async (prompt) => {
        const { ids } = await readPrompt(twins, prompt);
        const words = (['tied', 'untied'] as const).map(async (kind) => {
          const { predicted } = await twins.read(kind, ids);
          return twins.tokens[predicted.at(-1)!];
        });
        return Promise.all(words);
      }),
    );
    expect(answers).toEqual(['York', 'Angeles', 'Park', 'cream'].map((word) => [word, word]));
  });

  it('read what they know of a reader’s prompt, and answer that; without anything to read, they name the words', async () => {
    const read = await readPrompt(twins, 'Tom took the train to visit New');
    expect(read.leftOut).toEqual(['Tom', 'visit']);
    expect(read.tokens).toEqual(['took', 'the', 'train', 'to', 'New']);
    for (const kind of ['tied', 'untied'] as const) {
      const { predicted } = await twins.read(kind, read.ids);
      expect(twins.tokens[predicted.at(-1)!]).toBe('York');
    }
    await expect(readPrompt(twins, '漢字')).rejects.toMatchObject({ words: ['漢字'] });
  });
});
