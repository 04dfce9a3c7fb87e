/**
 * Encodes a text with the longest token that fits at each position. A model's own tokenizer may differ, depending on its merges; this needs
 * only the token strings.
 */

export interface MatchedText {
  readonly ids: Uint32Array;
  /** Characters that are in no token. */
  readonly unread: number;
}

/** Longer tokens are just runs of spaces or dashes. */
const LONGEST = 64;

export function longestMatch(tokens: readonly string[], text: string): MatchedText {
  const idOf = new Map<string, number>();
  let longest = 1;
  tokens.forEach((token, id) => {
    if (token === '' || token.length > LONGEST || idOf.has(token)) return;
    idOf.set(token, id);
    longest = Math.max(longest, token.length);
  });
  const spelled = spelledAs(spellingOf(idOf), text);
  const ids: number[] = [];
  let unread = 0;
  for (let at = 0; at < spelled.length;) {
    let length = Math.min(longest, spelled.length - at);
    let id: number | undefined;
    for (; length > 0 && (id = idOf.get(spelled.slice(at, at + length))) === undefined; length--);
    if (id !== undefined) {
      ids.push(id);
      at += length;
      continue;
    }
    const character = String.fromCodePoint(spelled.codePointAt(at)!);
    const bytes = bytesOf(idOf, character);
    if (bytes !== null) ids.push(...bytes);
    // Word vocabularies have no spaces.
    else if (character.trim() !== '') unread++;
    at += character.length;
  }
  return { ids: Uint32Array.from(ids), unread };
}

type Spelling = 'plain' | 'byte-level' | 'sentencepiece';

/** How the vocabulary spells spaces. */
function spellingOf(idOf: ReadonlyMap<string, number>): Spelling {
  let [byteLevel, sentencePiece] = [0, 0];
  for (const token of idOf.keys()) {
    if (token.startsWith('Ġ')) byteLevel++;
    else if (token.startsWith('▁')) sentencePiece++;
  }
  if (byteLevel === 0 && sentencePiece === 0) return 'plain';
  return byteLevel >= sentencePiece ? 'byte-level' : 'sentencepiece';
}

function spelledAs(spelling: Spelling, text: string): string {
  if (spelling === 'plain') return text;
  if (spelling === 'sentencepiece') return `▁${text.replaceAll(' ', '▁')}`;
  return Array.from(new TextEncoder().encode(text), (byte) => BYTE_LEVEL[byte]).join('');
}

/** GPT-2's characters for bytes: printable ones stand for themselves, all others follow from 256 on. */
const BYTE_LEVEL: readonly string[] = (() => {
  const isItself = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isItself(byte) ? byte : next++));
})();

/** SentencePiece spells unknown characters in bytes; null if a byte is missing. */
function bytesOf(idOf: ReadonlyMap<string, number>, character: string): number[] | null {
  const ids: number[] = [];
  for (const byte of new TextEncoder().encode(character)) {
    const id = idOf.get(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
    if (id === undefined) return null;
    ids.push(id);
  }
  return ids;
}
