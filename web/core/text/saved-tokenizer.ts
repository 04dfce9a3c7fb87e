/** The parts of a saved tokenizer, from its own file, which the core wrote; see text/tokenizer_file.cpp. */

const HEADER_BYTES = 32;
const BYTES = 256;
const KINDS = ['character', 'word', 'bpe', 'llama2c', 'gpt2'] as const;

export interface SavedTokenizer {
  readonly kind: (typeof KINDS)[number];
  /** The bytes of each token, by id. */
  readonly tokens: readonly Uint8Array[];
  /** 'llama2c' only: one score per token. */
  readonly scores: Float32Array | null;
  /** 'bpe' and 'gpt2' only: ids of two tokens, in the order in which they merge. */
  readonly merges: readonly (readonly [left: number, right: number])[] | null;
}

export function readSavedTokenizer(file: Uint8Array): SavedTokenizer {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let at = HEADER_BYTES;
  const number = (): number => view.getUint32((at += 4) - 4, true);
  const text = (): Uint8Array => {
    const length = number();
    return file.slice(at, (at += length));
  };
  const [kind, extra, entries] = [12, 16, 20].map((offset) => view.getUint32(offset, true)) as [number, number, number];
  const list = <T>(count: number, read: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => read(i));
  const name = KINDS[kind]!;
  const plain = { kind: name, scores: null, merges: null };
  switch (name) {
    case 'character': {
      const characters = list(entries, () => encoded(String.fromCodePoint(number())));
      return { ...plain, tokens: [...(extra === 1 ? [encoded('<unk>')] : []), ...characters] };
    }
    case 'word':
      return { ...plain, tokens: list(entries, text) };
    case 'bpe': {
      // Merges use the ids of an alphabet of all bytes; a smaller alphabet shifts them down.
      const alphabet = extra === 0 ? list(BYTES, (byte) => byte) : list(extra, number);
      const tokens: Uint8Array[] = alphabet.map((byte) => Uint8Array.of(byte));
      const idOf = (id: number): number => (id < BYTES ? alphabet.indexOf(id) : id - BYTES + alphabet.length);
      const merges = list(entries, () => [idOf(number()), idOf(number())] as const);
      for (const [left, right] of merges) tokens.push(joined(tokens[left]!, tokens[right]!));
      return { ...plain, tokens, merges };
    }
    case 'llama2c': {
      const scores = new Float32Array(entries);
      const tokens = list(entries, (i) => {
        scores[i] = view.getFloat32((at += 4) - 4, true);
        return text();
      });
      return { ...plain, tokens, scores };
    }
    case 'gpt2': {
      const tokens = list(entries, text);
      const merges = list(extra, () => {
        const pair = [number(), number()] as const;
        // Skips the id of the merged token.
        number();
        return pair;
      });
      return { ...plain, tokens, merges };
    }
  }
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
