// What happens to words of a prompt that a vocabulary of words lacks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import type { Lab, LabTokenizer } from '../../../web/core/types.js';
import { openTwins, type OpenedTwins } from '../../../web/elements/shared/model-twins.js';
import { promptSetting, readPrompt } from '../../../web/elements/shared/prompt.js';
import { examplePrompts } from '../../../web/elements/shared/prompt-chips.js';
import { encodeKnown, UnknownWordsError } from '../../../web/elements/shared/unknown-words.js';
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
  it('are named, each once, with the nearest known word and others of its kind', async () => {
    const tokenizer = await lab.trainTokenizer('Maria and Oscar saw the river near York. The Maria.', { kind: 'word' });
    const one = await refusal(tokenizer, 'Marie saw Marie and the ocean');
    expect(one.words).toEqual(['Marie', 'ocean']);
    // Names for a name; "The" is none, because "the" is a word, too.
    expect(one.offered).toEqual(['Maria', 'Oscar', 'York']);
    expect(one.message).toBe('The models do not know “Marie”, “ocean”. They know Maria, Oscar, York and others.');
    expect((await refusal(tokenizer, 'the rivers')).offered).toEqual(['river']);
    // A mark that the text lacks is one of them; so is a row of marks that it has only one by one.
    expect((await refusal(tokenizer, 'Maria!')).words).toEqual(['!']);
    expect((await refusal(tokenizer, 'Maria ...')).words).toEqual(['Maria ...']);
    tokenizer.dispose();
  });

  it('are no obstacle in a text of known words, whatever its spaces, or for a tokenizer of other pieces', async () => {
    const text = 'Maria and Oscar saw the river.';
    for (const kind of ['word', 'bpe'] as const) {
      const tokenizer = await lab.trainTokenizer(text, { kind });
      for (const prompt of [text, ' Maria  saw Oscar', ...(kind === 'bpe' ? ['Tom'] : [])]) {
        expect(Array.from(await encodeKnown(tokenizer, prompt))).toEqual(Array.from(await tokenizer.encode(prompt)));
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

  it('name the words of a reader’s prompt that they do not know', async () => {
    await expect(readPrompt(twins, 'Tom wanted to visit San')).rejects.toMatchObject({ words: ['Tom', 'visit'] });
  });
});
