/** Runs the model of a checkpoint: creates a trainer of its sizes and fills it, a tensor at a time. */
import { TiedError } from '../../runtime/errors.js';
import type { HeadConfig, Matrix, Tokenizer, Trainer } from '../../types.js';
import { allocateFloats } from '../elements/allocate-floats.js';
import type { Decoder } from '../decoder.js';
import { blockOf, type ElementType } from '../elements/element-types.js';
import type { FactsOfFiles, ModelOfFiles } from './model-of-files.js';
import type { BlankTrainer, ModelHost } from '../model-host.js';
import { namesOf, partRows, type Arrangement } from './namings.js';
import { checkHead, notDecoded, otherTensor, withoutTensor } from './running-refusals.js';
import { badFile, throwIfAborted } from '../bytes/source.js';
import { bytesOf, isDecoded } from '../elements/stored-types.js';
import type { CheckedToTrainer } from './to-trainer-options.js';
import { areOneStorage, type StoredTensor } from '../tensors.js';

/** Floats read, decoded and sent at once, if a tensor can be split. */
const PIECE_ELEMENTS = 2 ** 21;

/** A tensor of the file, which holds the rows of a parameter from `firstRow` on, [rows, cols]. */
interface Part {
  readonly parameter: string;
  readonly firstRow: number;
  readonly rows: number;
  readonly cols: number;
  readonly tensor: StoredTensor;
  readonly how: Arrangement;
}

export interface Filling {
  readonly host: ModelHost;
  readonly decoder: Decoder;
  readonly facts: FactsOfFiles;
  readonly found: ModelOfFiles;
  readonly tables: { readonly input: StoredTensor; readonly output: StoredTensor | null };
  readonly tokenizer: Tokenizer | undefined;
}

export async function filledTrainer(filling: Filling, options: CheckedToTrainer): Promise<Trainer> {
  const { host, found } = filling;
  const { training, tokenIds, validationTokenIds, signal, onProgress } = options;
  const { tokenizer } = filling;
  checkHead(found.model as { head?: HeadConfig });
  const blank = await host.startModel({ model: found.model, training, tokenIds, validationTokenIds, tokenizer });
  try {
    const parts = partsOf(filling, blank);
    const all = parts.reduce((sum, part) => sum + storedRowsOf(part).rows * storedRowsOf(part).rowBytes, 0);
    let done = 0;
    for (const part of parts) {
      await fill(filling, blank, part, signal, (bytes) => {
        done += bytes;
        onProgress?.(done / all);
      });
    }
    throwIfAborted(signal);
    return await blank.finish();
  } catch (error) {
    blank.discard();
    throw error;
  }
}

// ---------------------------------------------------------------- which tensors

/** The factors of factorized tables. */
const FACTORS = ['embedding.factor', 'unembedding.factor'] as const;
const isFactor = (name: string): boolean => (FACTORS as readonly string[]).includes(name);

/** Finds each parameter in the file; refuses tensors that have no place, and parameters without a tensor, before any is read. */
export function partsOf(
  { facts, found, tables }: Pick<Filling, 'facts' | 'found' | 'tables'>,
  { parameters }: Pick<BlankTrainer, 'parameters'>,
): Part[] {
  const { opened, tensors } = facts;
  const file = opened.sources[0]!.name;
  const used = new Set<string>([tables.input.name, ...(tables.output ? [tables.output.name] : [])]);
  // As with tables, one may become two, or the second may be left out.
  if (found.model.tableRank !== undefined) for (const name of FACTORS) used.add(name);
  const parts: Part[] = [];
  for (const { name, shape, isTied } of parameters) {
    if (isTied) continue;
    const cols = shape.at(-1)!;
    const rows = shape.length === 1 ? 1 : shape[0]!;
    const whole = { parameter: name, firstRow: 0, rows, cols, how: 'rows' } as const;
    if (name === 'embedding' || name === 'unembedding') {
      const table = name === 'embedding' ? tables.input : (tables.output ?? tables.input);
      parts.push(checked({ ...whole, tensor: table, how: table.turned ? 'turned' : 'rows' }, shape.length));
      continue;
    }
    if (isFactor(name)) {
      const factor = tensors.get(name) ?? tensors.get(FACTORS[0]);
      if (factor === undefined) throw withoutTensor(file, FACTORS[0]);
      parts.push(checked({ ...whole, tensor: factor }, 2));
      continue;
    }
    const theirs = found.naming
      ? namesOf(found.naming, name)
      : [{ theirs: name, name: { how: 'rows', rows: 'all' } as const }];
    for (const { theirs: called, name: how } of theirs) {
      const tensor = tensors.get(called);
      if (tensor === undefined) throw withoutTensor(file, called);
      used.add(called);
      const part = { ...whole, tensor, how: shape.length === 1 ? ('rows' as const) : how.how };
      // A vector, such as the bias of all three, is one row.
      parts.push(checked(shape.length === 1 ? part : { ...part, ...partRows(how.rows, rows, cols) }, shape.length));
    }
  }
  const ignored = found.naming?.naming.ignored;
  const other = [...tensors.values()].find(
    (tensor) => !used.has(tensor.name) && !ignored?.test(tensor.name) && !areOneStorage(tensor, tables.input),
  );
  if (other !== undefined) throw otherTensor(file, other.name, found.naming);
  return parts;
}

/** Refuses a tensor of another shape or type. */
function checked(part: Part, dimensions: number): Part {
  const { tensor, rows, cols, how, parameter } = part;
  const expected = dimensions === 1 ? [cols] : how === 'turned' ? [cols, rows] : [rows, cols];
  const { name, shape, dtype, source, bytes } = tensor;
  const called = `'${name.slice(0, 120)}'`;
  // A shorter context takes the first positions.
  const isLonger = parameter === 'positions' && shape.length === 2 && shape[0]! > rows && shape[1] === cols;
  if (!isLonger && (shape.length !== expected.length || shape.some((size, i) => size !== expected[i])))
    throw new TiedError(
      'shape-mismatch',
      `${source.name}: ${called} has the shape [${shape.join(', ')}]; expected [${expected.join(', ')}], as the other tensors and settings say`,
    );
  if (!isDecoded(dtype)) throw notDecoded(source.name, name, dtype);
  // Of tables, both orders are read.
  if (tensor.turned === true && parameter !== 'embedding' && parameter !== 'unembedding')
    throw notDecoded(source.name, name, 'stored by columns, as the transpose of another tensor');
  const rowBytes = bytesOf(shape.at(-1)!, blockOf(dtype));
  if (rowBytes === null || rowBytes * (shape.length === 1 ? 1 : shape[0]!) !== bytes)
    throw badFile(source.name, `${called} has ${bytes} bytes; expected rows of whole blocks`);
  return part;
}

// ---------------------------------------------------------------- their values

async function fill(
  { decoder, found }: Filling,
  blank: BlankTrainer,
  part: Part,
  signal: AbortSignal | undefined,
  read: (bytes: number) => void,
): Promise<void> {
  const { tensor, parameter, firstRow, rows, cols, how } = part;
  const isTurned = how === 'turned';
  const { rows: storedRows, cols: storedCols, rowBytes } = storedRowsOf(part);
  const atOnce = Math.max(1, Math.floor(PIECE_ELEMENTS / storedCols));
  // A tensor to be rearranged is assembled first.
  const whole = how === 'rows' ? null : allocateFloats(rows * cols, tensor.name);
  for (let row = 0; row < storedRows; row += atOnce) {
    throwIfAborted(signal);
    const count = Math.min(atOnce, storedRows - row);
    const bytes = await tensor.source.read(tensor.from + row * rowBytes, count * rowBytes, signal);
    const floats = await decoder.decodeElements(tensor.dtype as ElementType, bytes, count * storedCols);
    throwIfAborted(signal);
    checkFinite(floats, tensor, row * storedCols);
    if (whole === null) await blank.fill(parameter, firstRow + row, floats);
    else if (isTurned) turnInto(whole, { rows: count, cols: storedCols, data: floats }, row, cols);
    else whole.set(floats, row * storedCols);
    read(bytes.length);
  }
  if (whole === null) return;
  const { model } = found;
  const width = model.kind === 'transformer' ? model.dModel / model.nHeads! : 1;
  await blank.fill(parameter, firstRow, isTurned ? whole : alternating(whole, cols, width));
}

/** The part of the tensor that is read; checks its type. */
function storedRowsOf({ tensor, rows, cols, how }: Part): { rows: number; cols: number; rowBytes: number } {
  const [storedRows, storedCols] = how === 'turned' ? [cols, rows] : [rows, cols];
  return { rows: storedRows, cols: storedCols, rowBytes: bytesOf(storedCols, blockOf(tensor.dtype as ElementType))! };
}

/** Writes rows of the file as columns of `target`, which has `cols` columns. */
function turnInto(target: Float32Array, { rows, cols: storedCols, data }: Matrix, first: number, cols: number): void {
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < storedCols; col++) target[col * cols + first + row] = data[row * storedCols + col]!;
}

/** In each head, converts the order from all first elements of the rotated pairs followed by all second ones to adjacent pairs. */
function alternating(rows: Float32Array, cols: number, headWidth: number): Float32Array {
  const sorted = allocateFloats(rows.length, 'queries and keys');
  const half = headWidth / 2;
  for (let row = 0; row < rows.length / cols; row++) {
    const within = row % headWidth;
    const to = row - within + (within < half ? 2 * within : 2 * (within - half) + 1);
    sorted.set(rows.subarray(row * cols, (row + 1) * cols), to * cols);
  }
  return sorted;
}

function checkFinite(floats: Float32Array, { name, shape, source }: StoredTensor, first: number): void {
  const wrong = floats.findIndex((value) => !Number.isFinite(value));
  if (wrong < 0) return;
  const [at, cols] = [first + wrong, shape.at(-1)!];
  const place = shape.length === 1 ? `${at}` : `${Math.floor(at / cols)}, ${at % cols}`;
  throw new TiedError(
    'not-finite',
    `${source.name}: '${name.slice(0, 120)}'[${place}] is ${floats[wrong]}; expected finite numbers`,
  );
}
