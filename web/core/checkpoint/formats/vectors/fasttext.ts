/**
 * A model of fastText: its settings, its dictionary, and two matrices. The first one has a row for each word and then one for each bucket of character n-grams; the second
 * one, which predicts, has a row for each word, for each label, or for each node of a tree. https://fasttext.cc/docs/en/python-module.html
 */
import { TiedError } from '../../../runtime/errors.js';
import { HeaderCursor } from '../../bytes/header-cursor.js';
import { badFile, type ByteSource } from '../../bytes/source.js';
import type { StatedRoles, StoredTensor } from '../../tensors.js';
import { RowNames } from './row-names.js';

export interface FastTextFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly roles: StatedRoles;
  readonly tokens: readonly string[];
  readonly notes: readonly string[];
}

const VERSIONS: readonly number[] = [11, 12];
const SETTINGS_BYTES = 12 * 4 + 8;
const LOSSES = ['hierarchical softmax', 'negative sampling', 'softmax', 'one-vs-all'] as const;
const MODELS = ['cbow', 'skipgram', 'supervised'] as const;
const LONGEST_WORD = 65_536;
/** A word takes its zero, its count and its type. */
const LEAST_WORD_BYTES = 10;
/** Words are in memory. */
const MOST_WORDS = 2 ** 24;
const MOST_COLUMNS = 1_000_000;

type Wrong = (problem: string) => TiedError;

interface Settings {
  readonly dim: number;
  readonly loss: (typeof LOSSES)[number];
  readonly model: (typeof MODELS)[number];
  readonly bucket: number;
  readonly minn: number;
  readonly maxn: number;
}

export async function readFastText(source: ByteSource, signal?: AbortSignal): Promise<FastTextFile> {
  const wrong: Wrong = (problem) => badFile(source.name, problem);
  const { size } = source;
  if (size === null) throw wrong('its size is not known; expected a server that reports it, or the file itself');
  const cursor = new HeaderCursor(source, signal);
  const settings = await settingsOf(cursor, wrong);
  const { words, labels, notes } = await dictionaryOf(cursor, source.name, wrong);
  const { dim, bucket, model, loss, maxn } = settings;
  const tensors = new Map<string, StoredTensor>();
  const add = (name: string, rows: number, from: number): void => {
    if (rows > 0)
      tensors.set(name, { name, shape: [rows, dim], dtype: 'F32', bytes: 4 * dim * rows, source, from }); // prettier-ignore
  };
  const input = await matrixOf(cursor, { what: 'input', rows: words.length + bucket, cols: dim }, wrong);
  const isSupervised = model === 'supervised';
  const predicted = isSupervised ? labels : words.length;
  const output = await matrixOf(cursor, { what: 'output', rows: predicted, cols: dim }, wrong);
  if (cursor.left > 0) throw wrong(`${cursor.left} bytes follow its output matrix; expected none`);
  if (words.length === 0) throw wrong('its dictionary has no words; expected at least one');
  add('input.words', words.length, input);
  add('input.ngrams', bucket, input + 4 * dim * words.length);
  const writes = isSupervised ? 'output.labels' : loss === 'hierarchical softmax' ? 'output.nodes' : 'output.words';
  add(writes, predicted, output);
  if (bucket > 0 && maxn > 0)
    notes.push(
      `The vector that fastText gives a word is the mean of its row in input.words and of its n-grams’ rows in input.ngrams (${settings.minn} to ${maxn} characters); the table of tokens here is input.words.`,
    );
  return { tensors, roles: rolesOf(settings, writes, labels), tokens: words, notes };
}

/** Untied by design: the numbers of two tables with a row for each word are compared all the same. */
function rolesOf({ loss, model }: Settings, writes: string, labels: number): StatedRoles {
  const input = 'input.words';
  if (model === 'supervised') {
    const what = `it is a classifier of fastText, whose output matrix has a row for each of its ${labels} labels and none for a word`;
    const reason = `The file is not a whole language model: ${what}.`;
    return { input, output: null, verdict: { tied: null, evidence: 'not-a-language-model', reason } };
  }
  if (loss === 'hierarchical softmax') {
    const reason = `fastText (${model}, ${loss}) reads with 'input.words' and predicts with '${writes}', a second matrix, which has a row for each node of a tree over the words.`;
    return { input, output: null, verdict: { tied: false, evidence: 'different', reason } };
  }
  return { input, output: writes, said: `fastText (${model}, ${loss}) has two tables by design` };
}

async function settingsOf(cursor: HeaderCursor, wrong: Wrong): Promise<Settings> {
  await cursor.fill(8 + SETTINGS_BYTES);
  cursor.skip(4);
  const version = cursor.i32();
  if (!VERSIONS.includes(version)) throw wrong(`it is of version ${version} of fastText’s form; expected 11 or 12`);
  const values = Array.from({ length: 12 }, () => cursor.i32());
  cursor.skip(8);
  const [dim, , , , , , loss, model, bucket, minn, maxn] = values as [number, ...number[]];
  const found = { loss: LOSSES[loss! - 1], model: MODELS[model! - 1] };
  if (found.loss === undefined) throw wrong(`its loss is ${loss}; expected 1 to 4: ${LOSSES.join(', ')}`);
  if (found.model === undefined) throw wrong(`its model is ${model}; expected 1 to 3: ${MODELS.join(', ')}`);
  if (dim < 1 || dim > MOST_COLUMNS) throw wrong(`its vectors have ${dim} numbers; expected 1 to ${MOST_COLUMNS}`);
  if (bucket! < 0) throw wrong(`it has ${bucket} buckets of n-grams; expected 0 or more`);
  // Classifiers of version 11 have no n-grams of characters, whatever they say.
  const longest = version === 11 && found.model === 'supervised' ? 0 : maxn!;
  return { dim, loss: found.loss, model: found.model, bucket: bucket!, minn: minn!, maxn: longest };
}

interface Dictionary {
  readonly words: readonly string[];
  readonly labels: number;
  readonly notes: string[];
}

async function dictionaryOf(cursor: HeaderCursor, file: string, wrong: Wrong): Promise<Dictionary> {
  await cursor.fill(28);
  const [size, words, labels] = [cursor.i32(), cursor.i32(), cursor.i32()];
  cursor.skip(8);
  const pruned = Number(BigInt.asIntN(64, cursor.u64()));
  if (words < 0 || labels < 0 || words + labels !== size || size > MOST_WORDS)
    throw wrong(`its dictionary has ${size} entries, ${words} words and ${labels} labels; expected as many entries as words and labels, and at most ${MOST_WORDS}`); // prettier-ignore
  if (size * LEAST_WORD_BYTES > cursor.left)
    throw wrong(`its dictionary has ${size} entries, and ${cursor.left} bytes follow; expected all of them: it may be cut off`); // prettier-ignore
  const names = new RowNames(file);
  for (let entry = 0; entry < size; entry++) {
    let end = cursor.before(0);
    if (end < 0 || end > LONGEST_WORD) end = await cursor.find(0, LONGEST_WORD);
    if (end < 0) throw wrong(`entry ${entry} of its dictionary has no end within ${LONGEST_WORD} bytes; expected a zero after each word`); // prettier-ignore
    const word = cursor.bytes(end);
    if (!cursor.has(LEAST_WORD_BYTES)) await cursor.fill(LEAST_WORD_BYTES);
    cursor.skip(LEAST_WORD_BYTES - 1);
    const type = cursor.bytes(1)[0]!;
    if (type !== (entry < words ? 0 : 1))
      throw wrong(`entry ${entry} of its dictionary has the type ${type}; expected ${words} words (0), then ${labels} labels (1)`); // prettier-ignore
    if (entry < words && names.add(word) === 'numbers')
      throw wrong(`entry ${entry} of its dictionary has bytes that no text has; expected a word`);
  }
  // Only quantized models leave words out; where they went is not needed.
  if (pruned > 0) {
    if (!(8 * pruned <= cursor.left)) throw wrong(`it says that ${pruned} n-grams are kept; expected as many as it lists`); // prettier-ignore
    cursor.skip(8 * pruned);
  }
  return { words: names.names, labels, notes: names.notes };
}

/** Where its numbers begin; they are skipped. */
async function matrixOf(
  cursor: HeaderCursor,
  { what, rows, cols }: { readonly what: string; readonly rows: number; readonly cols: number },
  wrong: Wrong,
): Promise<number> {
  await cursor.fill(1);
  const isQuantized = cursor.bytes(1)[0]!;
  if (isQuantized === 1) throw quantized(what, wrong);
  if (isQuantized !== 0) throw wrong(`its ${what} matrix begins with ${isQuantized}; expected 0, or 1 if it is quantized`); // prettier-ignore
  await cursor.fill(16);
  const [stored, width] = [cursor.u64(), cursor.u64()];
  if (stored !== BigInt(rows) || width !== BigInt(cols))
    throw wrong(`its ${what} matrix is of [${stored}, ${width}]; expected [${rows}, ${cols}], as its settings and its dictionary say`); // prettier-ignore
  const from = cursor.position;
  if (4 * rows * cols > cursor.left)
    throw wrong(`its ${what} matrix of [${rows}, ${cols}] ends after the file; expected all of it: it may be cut off`);
  cursor.skip(4 * rows * cols);
  return from;
}

const quantized = (what: string, wrong: Wrong): TiedError =>
  new TiedError(
    'unsupported',
    wrong(
      `its ${what} matrix is quantized (fasttext quantize: product quantization${what === 'input' ? ', with or without -qnorm' : ', -qout'}), so that its rows are codes; expected the .bin from which the .ftz was made`,
    ).message,
  );
