/** Small tokenizers in the files of GPT-2: vocab.json with merges.txt, and tokenizer.json. */
import { CHARACTERS } from '../../../web/core/text/gpt2-tokenizer.js';
import type { Draw } from '../draw.js';

const MERGES = ['a b', 'Ġ a', 'Ã ©', 'ab c', 'Ġa b', '1 2', "' s"];
const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface Gpt2Files {
  readonly vocabulary: Uint8Array;
  readonly merges: Uint8Array;
  readonly whole: Uint8Array;
}

export function gpt2Files(draw: Draw): Gpt2Files {
  const merges = MERGES.slice(0, draw.whole(0, MERGES.length));
  const tokens = [...CHARACTERS, ...merges.map((merge) => merge.replace(' ', ''))];
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const end = { '<|endoftext|>': tokens.length };
  return {
    vocabulary: encoded(JSON.stringify({ ...vocab, ...(draw.odds(0.5) ? end : {}) })),
    merges: encoded(`${draw.odds(0.5) ? '#version: 0.2\n' : ''}${merges.join('\n')}\n`),
    whole: encoded(
      JSON.stringify({
        added_tokens: draw.odds(0.5) ? [{ id: tokens.length, content: '<|endoftext|>' }] : [],
        pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
        model: { type: 'BPE', vocab, merges: draw.odds(0.5) ? merges : merges.map((merge) => merge.split(' ')) },
      }),
    ),
  };
}
