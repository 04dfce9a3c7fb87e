// Lines have budgets as bytes have: code that nobody can hold in mind is a cost of every later change. A budget that is too small is
// raised in the commit that needs the lines, which says why.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../lib/files.mjs';
import { root } from '../lib/root.mjs';

/** @typedef {{ folder: string, without?: string[], pattern?: RegExp, title?: string, lines: number, goal?: number }} Budget */

/** Pages that `npm run claims` and `npm run bench` write: tables of what was measured. A test holds them to being that. */
export const tablePages = [
  'claims',
  'benchmarks',
  ...['diagnostics', 'experiments', 'heads', 'one-model', 'one-model-isolated', 'readouts'].map(
    (topic) => `benchmarks-${topic}`,
  ),
].map((name) => `docs/${name}.md`);

/**
 * Ceilings by folder; `goal` is where a folder should go. `without` names subfolders and files that are not counted.
 * @type {Budget[]}
 */
export const budgets = [
  // 13,400 of them are the article's own figures, its chapters, and what helps to learn from it and to send it on. 500 are prompts in words,
  // and what figures draw before there is a core. 750 have several workers train one model. 870 store runs
  // in the browser, and let larger models train. 1,330 read files of PyTorch, 500 packed tables. 300 move models to a second text.
  // 1,600 read word vectors, arrays and graphs of ONNX, 900 tables that are stored turned or doubly packed. 2,000 count 115 kinds of models and the bytes of
  // their tables, 1,350 of 47 more. 900 unpack what ten more programs pack. 750 follow functions, products of integers and Einsum of ONNX graphs, load kinds where they are asked for, and check claims before training. 1,200 are a chapter on languages. 650 search directories
  // of half a million tensors in slices, and say what to do with files of other kinds; 190 have transformers predict hidden tokens and write files to streams. 1,500 show any tensor of a file and the page that asks whether it is tied. 1,900 are three chapters and what experiments measure for them.
  // 900 read views, arrays in pickles, models that were split among computers, PyTorch's integers, and half a million arrays or graph tensors; 500 are the game's alphabet, notes in the margin and a recorded run.
  { folder: 'web', lines: 121_500, goal: 79_000 },
  { folder: 'web/core', lines: 50_400 },
  { folder: 'web/elements', lines: 41_050 },
  // What a figure of its kind costs: a measurement of the reader's prompt on two models, drawn, in words and as tables.
  { folder: 'web/elements/lens', lines: 500 },
  // 570 of them cut a batch into shards, sum their gradients in a tree and exchange the sums; 500 decode packed tables, 350 those
  // with grids; 650 certify a floor of tied paths and read a table from logits. 200 train by Muon and divide n-gram tables among heads. 500 decode packed types up to 3.7 times as fast, 350 predict hidden tokens.
  { folder: 'cpp', lines: 37_400 },
  // 300 of them certify a floor of a text and recover tables from logits, 100 name the flag in every refusal.
  { folder: 'command', lines: 7000 },
  // 1,250 of them are surveys of languages and of public models, the law of what one table costs, and where models of its grid part. 400 choose
  // what a change can have broken, for `npm run check` in 20 s.
  { folder: 'tools', lines: 12_150 },
  // To read: everything that people write but the history of decisions. Two kinds of pages are looked up, not read, and have a ceiling of their own:
  // the outcomes of all claims, and the benchmarks, which programs write.
  { folder: 'docs', without: ['docs/decisions', ...tablePages], pattern: /\.md$/, title: 'docs to read', lines: 3000 },
  {
    folder: 'docs',
    without: ['docs/decisions'],
    pattern: /^(claims|benchmarks(-[-\w]+)?)\.md$/,
    title: 'docs, tables by programs',
    lines: 3200,
  },
  // 700 of them shrink and write what a fuzzer finds; 570 are PyTorch's values for value embeddings, and the script that makes them; 600 train in
  // shards, alone and as teams; 1,200 hold one model in several workers to the bits of one; 700 hold the first visit, the focus and places kept.
  // 470 hold stored runs to the bits of one without a pause, and large models to their memory. 1,200 write files of torch.save by hand, valid,
  // damaged and hostile, and have PyTorch write them. 1,400 are rows that ggml decoded, the script that has it do so, and packed tables.
  // 3,000 are files of other programs and their readers' tests, 1,300 values of PyTorch, ggml and other libraries, 1,000 first views, chapters and the new page.
  // 1,200 break experiments, graphs and prompts, and hold gradients that are added in branches. 2,700 are values of Muon, heads of n-grams, packings and classes of transformers, and surveys.
  // 1,000 are PyTorch's values for hidden tokens and the script that makes them, 500 claims that are repeated, and models that are public.
  // 400 train arms of claims in PyTorch from their description; 1,300 are files of other programs, what `npm run check` chooses, and wide models.
  { folder: 'tests', lines: 137_000 },
];

/** Sources and texts that people write; data is not counted. */
const written = /\.(cpp|h|inc|ts|mts|mjs|js|css|html|md|py|cmake)$|(^|\/)CMakeLists\.txt$/;

const linesOf = (path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1;

/**
 * The lines of a row of `budgets`.
 * @param {Pick<Budget, 'folder' | 'without' | 'pattern'>} row
 */
export function countLines({ folder, without = [], pattern = written }) {
  const paths = projectFiles(folder, pattern).filter(
    (path) => !without.some((other) => path === other || path.startsWith(`${other}/`)),
  );
  return paths.reduce((sum, path) => sum + linesOf(path), 0);
}

/** { over, held }: a sentence for each folder above its budget, and the names of the others. */
export function budgetsHeld(rows = budgets, count = countLines) {
  const over = [];
  const held = [];
  for (const row of rows) {
    const lines = count(row);
    if (lines <= row.lines) held.push(row.title ?? row.folder);
    else over.push(`${row.title ?? row.folder}: ${lines} lines; the budget is ${row.lines} (tools/test/lines.mjs)`);
  }
  return { over, held };
}

const number = (value) => (value === undefined ? '' : value.toLocaleString('en')).padStart(10);

/** The folders with their lines, budgets and goals. */
export function tableOfLines(rows = budgets, count = countLines) {
  /** @param {Pick<Budget, 'folder' | 'without' | 'title'>} row */
  const name = ({ folder, without = [], title }) =>
    title ?? [folder, ...without.map((other) => `without ${other}`)].join(' ');
  const head = `${'lines'.padEnd(36)}${'now'.padStart(10)}${'budget'.padStart(10)}${'goal'.padStart(10)}`;
  const body = rows.map((row) => `${name(row).padEnd(36)}${number(count(row))}${number(row.lines)}${number(row.goal)}`);
  return [head, ...body].join('\n');
}
