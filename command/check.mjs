// check: whether checkpoints are tied, how symmetric their direct paths are, and measures of their tables.
import { exitCodeOf } from './check-expected.mjs';
import { writeTable } from './check-table.mjs';
import { checkedOf } from './checked.mjs';
import { inWords } from './checked-words.mjs';
import { modulesFor, openAny } from './checkpoint.mjs';
import { compareCheckpoints } from './compare-checkpoints.mjs';
import { common } from './declare.mjs';
import { ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { loadCore } from './tied-embeddings.js';
import { writeCards } from './write-cards.mjs';

/** Tables of this many bytes take some seconds. */
const worthWaiting = 50_000_000;

/** @type {import('./declare.mjs').Verb} */
export const check = {
  name: 'check',
  summary: 'tell whether checkpoints are tied and how symmetric they are; cards, comparisons',
  about:
    'Tells whether the input and the output embedding are one table, and why, or that it is not known. Reads a saved trainer, a model of llama2.c or rwkv.cpp, safetensors or PyTorch in one file or several (their index.json), GGUF, ONNX, weights as JSON, arrays of NumPy, a model of fastText, word vectors of word2vec, or a table as text. From a file, also at ' +
    'a URL, it reads only the header and the token tables. For several files, such as steps of one training run, it reports how far their tables have moved; with --markdown or --expect it judges each of them. Symmetric scores are the same for "New York" and "York New".',
  operands: [{ name: 'FILE_OR_URL', kind: 'file', repeated: true }],
  flags: {
    embedding: {
      kind: 'text',
      value: 'NAME',
      summary: 'the tensor of the input embedding (default: found by the usual names)',
    },
    unembedding: {
      kind: 'text',
      value: 'NAME',
      summary: 'the tensor of the output embedding; for NumPy or text, a second file of any kind, or its URL',
    },
    'whole-file': { kind: 'switch', summary: 'download the whole file if the server does not send ranges' },
    worst: {
      kind: 'integer',
      least: 0,
      most: 1000,
      summary: 'list the pairs whose two orders differ most (default: 0)',
    },
    against: {
      kind: 'choice',
      of: ['first', 'previous'],
      summary: 'with several checkpoints: which one each is compared with (default: first)',
    },
    tables: { kind: 'switch', summary: 'also measure whether rows point in all directions equally' },
    expect: {
      kind: 'choice',
      of: ['tied', 'untied'],
      summary: 'end with exit code 1 if a file is not, or if that is not known',
    },
    markdown: { kind: 'switch', summary: 'write a table instead, with a row for each file' },
    card: {
      kind: 'switch',
      summary:
        'write the identity card of each file instead, as Markdown: one pass over the rows, for tables of any size',
    },
    text: {
      kind: 'file',
      summary:
        'for a model with its tokenizer: write the full model card, measured on this text, preferably one that it was not trained on',
    },
    tokenizer: { kind: 'file', summary: 'for --text: the tokenizer of a model that has none beside it' },
    quiet: common.quiet,
    json: common.json,
  },
  examples: [
    'npx tied-embeddings check model.safetensors --worst 5',
    'npx tied-embeddings check https://huggingface.co/openai-community/gpt2/resolve/main/model.safetensors',
    'npx tied-embeddings check model.safetensors --expect tied',
    'npx tied-embeddings check a.safetensors b.gguf run.tied --markdown',
    'npx tied-embeddings check model.gguf --card >> README.md',
    'npx tied-embeddings check step-1.gguf step-2.gguf step-3.gguf --against previous',
    'npx tied-embeddings check model.tied --text held-out.txt > CARD.md',
  ],
  run,
};

/** Options of other forms of the result, of which one is written. */
const forms = {
  markdown: ['card', 'text', 'tokenizer', 'tables', 'worst', 'against', 'json'],
  card: ['worst', 'tables', 'text', 'tokenizer', 'against', 'expect'],
  expect: ['text', 'against'],
};

/** @param {import('./declare.mjs').Given} given */
async function run({ flags, operands }) {
  for (const [form, others] of Object.entries(forms)) {
    const other = flags[form] === undefined ? undefined : others.find((name) => flags[name] !== undefined);
    if (other !== undefined) throw new Refusal(`--${other} was given; expected none with --${form}`);
  }
  const isOne = operands.length === 1;
  if (flags.against !== undefined && isOne) throw new Refusal('--against was given; expected none with one checkpoint');
  const [place] = operands;
  const files = [...operands, ...(flags.unembedding === undefined ? [] : [flags.unembedding])];
  // What runs may be any model of this package, in a file of any kind.
  const modules = flags.text === undefined ? modulesFor(files) : /** @type {const} */ (['models']);
  const core = await loadCore({ modules: ['checkpoint', 'diagnostics', 'readout', ...modules] });
  try {
    if (flags.card === true) return await writeCards(core, operands, flags);
    if (flags.markdown === true) return await writeTable(core, operands, flags);
    if (!isOne && flags.expect === undefined) return await compareCheckpoints(core, operands, flags);
    return isOne ? await checkOne(core, place, flags) : await writeTable(core, operands, flags);
  } catch (error) {
    // The caller is responsible for the values in a file.
    throw refusalOf(error, place, [...ofTheCaller, 'not-finite']);
  } finally {
    core.dispose();
  }
}

async function checkOne(core, place, flags) {
  const { embedding, unembedding } = flags;
  const opened = await openAny(core, place, { embedding, unembedding, wholeFile: flags['whole-file'] === true });
  if (flags.quiet !== true && sizeOf(opened) > worthWaiting) process.stderr.write('measuring\n');
  const result = await checkedOf(core, place, flags, opened);
  process.stdout.write(flags.json === true ? `${JSON.stringify(result)}\n` : inWords(result));
  return exitCodeOf(flags.expect, [result]);
}

const sizeOf = (opened) => ('tables' in opened ? (opened.tables.embedding?.data.byteLength ?? 0) : opened.model.length);
