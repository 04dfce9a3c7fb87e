#!/bin/sh
# A text with a byte order mark inside gets different tokens in JavaScript and in Python.
#
# Software: @huggingface/tokenizers 0.2.0 (JavaScript), with the byte-level pre-tokenizer of GPT-2.
# Guess before running: U+0085 may differ, since it is white space in Unicode but not for JavaScript's \s; U+FEFF does not.
# Seen: both differ. U+FEFF counts as white space, so " " and U+FEFF are cut apart before a letter; U+0085 does not, so it stays with the space
# before it. In Unicode, and so in GPT-2's own program, U+0085 is white space and U+FEFF is not.
# Why it surprises: a pattern of a tokenizer.json means one thing, and its vocabulary was trained with it. Byte order marks are common in texts
# that were joined from files; the model then reads sequences of tokens that it has never seen.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 >&2
cat > spaces.mjs <<'END'
import { Tokenizer } from '@huggingface/tokenizers';

// Byte b is the letter that GPT-2 writes for it; a space, and the bytes of U+FEFF or of U+0085, are merged if they are not cut apart.
const letters = [];
for (let byte = 0, more = 256; byte < 256; byte++) {
  const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  letters.push(String.fromCodePoint(isPrintable ? byte : more++));
}
const ofBytes = (bytes) => bytes.map((byte) => letters[byte]);
const merges = [];
const vocab = Object.fromEntries(letters.map((letter, id) => [letter, id]));
for (const parts of [ofBytes([0x20, 0xef, 0xbb, 0xbf]), ofBytes([0x20, 0xc2, 0x85])]) {
  for (let whole = parts[0], i = 1; i < parts.length; i++) {
    merges.push(`${whole} ${parts[i]}`);
    whole += parts[i];
    vocab[whole] ??= Object.keys(vocab).length;
  }
}
const tokenizer = new Tokenizer(
  {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges, fuse_unk: false, byte_fallback: false },
  },
  {},
);
// In each text a space, the character, and a letter. `one`: one token of the first two, if the character is no white space.
const found = Object.entries({ 'U+FEFF': ' \ufeffa', 'U+0085': ' \u0085a' }).map(([name, text]) => {
  const one = tokenizer.encode(text, { add_special_tokens: false }).ids.length === 2;
  const isSpace = /\p{White_Space}/u.test(text[1]);
  console.log(`${name}: ${one ? 'not ' : ''}cut from the space before it; in Unicode ${isSpace ? 'white space' : 'no white space'}`);
  return [one, isSpace];
});
process.exit(JSON.stringify(found) === '[[false,false],[true,true]]' ? 0 : 1);
END
node spaces.mjs
