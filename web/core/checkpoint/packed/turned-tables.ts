/**
 * Tables that GPTQ and AWQ packed: several numbers share a word of 32 bits (docs/decisions/0115-turned-and-double-quantized.md). For most kernels, a token is a column of
 * what is stored.
 *
 * - GPTQ: `qweight` [columns * bits / 32, tokens], the numbers of a token in the bits of its words, the lowest first; `qzeros` [groups, tokens * bits / 32],
 *   those of a group in the bits of its row; `scales` [groups, tokens]; `g_idx` [columns], the group of each column.
 * - AWQ: `qweight` [columns, tokens / 8], `qzeros` [groups, tokens / 8], eight tokens in the order 0, 2, 4, 6, 1, 3, 5, 7 in a word; `scales` [groups, tokens].
 * - AWQ for gemv: `qweight` [tokens, columns / 8], `qzeros` [tokens, words] and `scales` [tokens, 8 words], whose groups are filled up to whole words; the first number is the lowest.
 */
import { powerOfTwo } from '../../runtime/elementary.js';
import { TiedError } from '../../runtime/errors.js';
import { floatsOfType } from './scales.js';
import { scaledNumbers, tableOfRows } from './float-rows-source.js';
import { inOrder, inWords, listedGroups, numbersOf, once, type Parts } from './packed-numbers.js';
import { StoredColumns } from './stored-columns.js';
import type { StoredTensor } from '../tensors.js';

const BITS = [2, 3, 4, 8] as const;
/** In which nibble of a word AWQ has token k of eight. */
const AWQ_NIBBLES = [0, 4, 1, 5, 2, 6, 3, 7] as const;
const PIECE_BYTES = 2 ** 20;

const areWords = (tensor: StoredTensor): boolean =>
  /^[IU]32$/.test(tensor.dtype) && tensor.shape.length === 2 && !tensor.shape.includes(0);

/** What both have. */
interface Turned {
  readonly numbers: StoredTensor;
  readonly zeros: StoredTensor;
  readonly scales: StoredTensor;
  readonly tokens: number;
  readonly groups: number;
}

/** `zeroIsStored`: false, true, or null if the format is not named: whether zero points are stored as they are, not less one. */
export function turnedTable(
  table: StoredTensor,
  parts: Parts,
  zeroIsStored: boolean | null,
  groupSize: number | null,
): StoredTensor | string {
  const [numbers, zeros, scales, order] = ['.qweight', '.qzeros', '.scales', '.g_idx'].map((own) => parts.get(own));
  if (parts.has('.scaled_zeros')) return "it is in the order of AWQ's fast gemv; expected that of its gemm or gemv";
  if (numbers === undefined || zeros === undefined || scales === undefined)
    return `it has no ${numbers === undefined ? 'qweight' : zeros === undefined ? 'qzeros' : 'scales'}; expected qweight, qzeros and scales`;
  for (const words of [numbers, zeros]) if (!areWords(words)) return `${inWords(words)}; expected a matrix of I32`;
  if (isForGemv(numbers, zeros, scales)) return ofGemv(table, { numbers, zeros, scales }, groupSize);
  const [groups = 0, tokens = 0, ...others] = scales.shape;
  if (others.length > 0 || groups === 0 || tokens === 0 || groups !== zeros.shape[0])
    return `${inWords(scales)}; expected [${zeros.shape[0]}, tokens], with a row for each of qzeros`;
  if (floatsOfType(scales.dtype) === null) return `${inWords(scales)}; expected F32, F16 or BF16`;
  const turned: Turned = { numbers, zeros, scales, tokens, groups };
  if (numbers.shape[1] === tokens) return ofGptq(table, turned, order, zeroIsStored, groupSize);
  if ([numbers, zeros].every(({ shape }) => tokens === 8 * shape[1]!)) return ofAwq(table, turned, groupSize);
  return `${inWords(numbers)}, but '${scales.name.slice(0, 120)}' ${tokens} columns; expected as many, as GPTQ has, or eight for each word of qweight and qzeros, as AWQ's gemm has, or [tokens, words] of all three, as its gemv has`;
}

/** Columns that share a scale, all but the last such group equally many; in words if they cannot. */
function sizeOf({ groups, scales }: Turned, width: number, said: number | null): number | string {
  const size = said !== null && said > 0 ? said : Math.ceil(width / groups);
  return Math.ceil(width / size) === groups
    ? size
    : `${inWords(scales)}; expected ${Math.ceil(width / size)} rows, one for ${size} of ${width} columns`;
}

function ofGptq(
  table: StoredTensor,
  turned: Turned,
  order: StoredTensor | undefined,
  zeroIsStored: boolean | null,
  said: number | null,
): StoredTensor | string {
  const { numbers, zeros, tokens, groups } = turned;
  const bits = BITS.find((bits) => tokens * bits === 32 * zeros.shape[1]!);
  if (bits === undefined) return `${inWords(zeros)}; expected 2, 3, 4 or 8 bits for each of ${tokens} tokens`;
  const width = (32 * numbers.shape[0]!) / bits;
  if (!Number.isInteger(width)) return `${inWords(numbers)}; expected rows of whole numbers of ${bits} bits`;
  if (order !== undefined && (order.dtype !== 'I32' || order.shape.join() !== String(width)))
    return `${inWords(order)}; expected [${width}] of I32, the group of each column`;
  const size = sizeOf(turned, width, said);
  if (typeof size === 'string') return size;
  const words = new StoredColumns(numbers);
  const groupOf = once(async (signal) =>
    order === undefined ? inOrder(width, size) : listedGroups(order, groups, signal),
  );
  const isAsStored = once((signal) => zerosAreStored(zeros, bits, zeroIsStored, signal));
  const [zeroBits, scaleValues] = [new StoredColumns(zeros), scalesOf(turned)];
  const how = `packed by GPTQ in ${bits} bits, with a scale for ${size} columns`;
  return tableOfRows(table, how, [tokens, width], async (from, count, signal) => {
    const added = (await isAsStored(signal)) ? 0 : 1;
    // Whole words of zero points: 32 numbers fill as many words as they have bits.
    const firstOf = from - (from % 32);
    const lastOf = Math.min(tokens, Math.ceil((from + count) / 32) * 32);
    const [stored, storedZeros, scales, of] = await Promise.all([
      words.read(4 * from, 4 * (from + count), signal),
      zeroBits.read((firstOf * bits) / 8, (lastOf * bits) / 8, signal),
      scaleValues(from, count, signal),
      groupOf(signal),
    ]);
    const all = numbersOf(storedZeros, bits, groups * (lastOf - firstOf));
    const most = powerOfTwo(bits) - 1;
    const zeroPoints = new Uint8Array(count * groups);
    for (let row = 0; row < count; row++)
      for (let group = 0; group < groups; group++) {
        const zero = all[group * (lastOf - firstOf) + from - firstOf + row]!;
        if (zero === most && added === 1) throw unclear(zeros, from + row, most);
        zeroPoints[row * groups + group] = zero + added;
      }
    const own = numbersOf(wordsByColumn(stored, count), bits, count * width);
    return scaledNumbers(own, count, { count: groups, of, scales, zeros: zeroPoints });
  });
}

/** One more than this is no number of so many bits: some of GPTQ's kernels take it for 0, others for the one above the last. */
function unclear({ name, source }: StoredTensor, token: number, most: number): TiedError {
  return new TiedError(
    'unsupported',
    `${source.name}: '${name.slice(0, 120)}' has the zero point ${most} for token ${token}, stored less one, which GPTQ's kernels take for 0 or for ${most + 1}; expected at most ${most - 1}, or checkpoint_format "gptq_v2" in config.json, where ${most} is ${most}`,
  );
}

function ofAwq(table: StoredTensor, turned: Turned, said: number | null): StoredTensor | string {
  const { numbers, zeros, tokens, groups } = turned;
  const width = numbers.shape[0]!;
  const size = sizeOf(turned, width, said);
  if (typeof size === 'string') return size;
  const [words, zeroWords, scaleValues] = [new StoredColumns(numbers), new StoredColumns(zeros), scalesOf(turned)];
  const of = inOrder(width, size);
  const how = `packed by AWQ in 4 bits, with a scale for ${size} columns`;
  return tableOfRows(table, how, [tokens, width], async (from, count, signal) => {
    const [first, end] = [Math.floor(from / 8), Math.ceil((from + count) / 8)];
    const [stored, storedZeros, scales] = await Promise.all([
      words.read(4 * first, 4 * end, signal),
      zeroWords.read(4 * first, 4 * end, signal),
      scaleValues(from, count, signal),
    ]);
    const unpacked = (bytes: Uint8Array, cols: number): Uint8Array => {
      const packed = new Uint32Array(bytes.buffer);
      const result = new Uint8Array(count * cols);
      const perCol = end - first;
      for (let row = 0; row < count; row++) {
        const at = from + row - 8 * first;
        const [word, shift] = [at >> 3, 4 * AWQ_NIBBLES[at & 7]!];
        for (let col = 0; col < cols; col++) result[row * cols + col] = (packed[col * perCol + word]! >>> shift) & 15;
      }
      return result;
    };
    const zeroPoints = unpacked(storedZeros, groups);
    return scaledNumbers(unpacked(stored, width), count, { count: groups, of, scales, zeros: zeroPoints });
  });
}

const isForGemv = (numbers: StoredTensor, zeros: StoredTensor, scales: StoredTensor): boolean =>
  [zeros, scales].every(({ shape }) => shape[0] === numbers.shape[0]) && scales.shape[1] === 8 * zeros.shape[1]!;

/** Columns with one scale where the configuration does not say. */
const GEMV_SIZES = [128, 64, 32] as const;

/** Words with the zero points of a row: eight to a word, and an even number of words for short groups. */
const gemvWords = (groups: number, size: number): number => {
  const even = size >= 128 ? 1 : 128 / size;
  return Math.ceil(Math.ceil(groups / 8) / even) * even;
};

function ofGemv(
  table: StoredTensor,
  { numbers, zeros, scales }: Pick<Turned, 'numbers' | 'zeros' | 'scales'>,
  said: number | null,
): StoredTensor | string {
  const [tokens, words] = numbers.shape as [number, number];
  const [width, zeroWords] = [8 * words, zeros.shape[1]!];
  const toFloats = floatsOfType(scales.dtype);
  if (toFloats === null) return `${inWords(scales)}; expected F32, F16 or BF16`;
  const sizes = (said === null ? GEMV_SIZES : [said]).filter(
    (size) => width % size === 0 && gemvWords(width / size, size) === zeroWords,
  );
  const [size] = sizes;
  if (size === undefined || sizes.length > 1)
    return `${inWords(zeros)}, which ${size === undefined ? 'no group' : 'more than one group'} of ${said ?? GEMV_SIZES.join(', ')} columns fits; expected the size of groups in config.json`;
  const of = inOrder(width, size);
  const rowsOf = ({ source, from: start, bytes }: StoredTensor, from: number, count: number, signal?: AbortSignal) =>
    source.read(start + (bytes / tokens) * from, (bytes / tokens) * count, signal);
  const how = `packed by AWQ in 4 bits, with a scale for ${size} columns`;
  return tableOfRows(table, how, [tokens, width], async (from, count, signal) => {
    const [stored, storedZeros, storedScales] = await Promise.all([
      rowsOf(numbers, from, count, signal),
      rowsOf(zeros, from, count, signal),
      rowsOf(scales, from, count, signal),
    ]);
    return scaledNumbers(numbersOf(stored, 4, count * width), count, {
      count: 8 * zeroWords,
      of,
      scales: toFloats(storedScales),
      zeros: numbersOf(storedZeros, 4, count * 8 * zeroWords),
    });
  });
}

/** For each row its scales, group by group. */
function scalesOf({ scales: tensor, groups }: Turned) {
  const columns = new StoredColumns(tensor);
  const each = tensor.dtype === 'F32' ? 4 : 2;
  const read = floatsOfType(tensor.dtype)!;
  return async (from: number, count: number, signal?: AbortSignal): Promise<Float32Array> => {
    const values = read(await columns.read(each * from, each * (from + count), signal));
    const result = new Float32Array(values.length);
    for (let group = 0; group < groups; group++)
      for (let row = 0; row < count; row++) result[row * groups + group] = values[group * count + row]!;
    return result;
  };
}

/** The words of each column, one after another. */
function wordsByColumn(bytes: Uint8Array, columns: number): Uint8Array {
  const stored = new Uint32Array(bytes.buffer);
  const words = stored.length / columns;
  const result = new Uint32Array(stored.length);
  for (let col = 0; col < columns; col++)
    for (let word = 0; word < words; word++) result[col * words + word] = stored[word * columns + col]!;
  return new Uint8Array(result.buffer);
}

/**
 * Whether zero points are stored as they are. Programs that call their format the first one, which stores them less one, have written the second, and the
 * other way around; but in a symmetric table all of them are half the number of levels, which tells.
 */
async function zerosAreStored(
  zeros: StoredTensor,
  bits: number,
  said: boolean | null,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const half = powerOfTwo(bits - 1);
  const patterns = [half, half - 1].map((zero) => {
    const pattern = new Uint8Array(4 * bits);
    for (let i = 0; i < 32; i++)
      for (let k = 0; k < bits; k++) if ((zero >> k) & 1) pattern[(i * bits + k) >> 3]! |= 1 << ((i * bits + k) & 7);
    return pattern;
  });
  const fits = [true, true];
  // Pieces of whole patterns.
  const piece = Math.floor(PIECE_BYTES / (4 * bits)) * 4 * bits;
  for (let at = 0; at < zeros.bytes && fits.includes(true); at += piece) {
    const bytes = await zeros.source.read(zeros.from + at, Math.min(piece, zeros.bytes - at), signal);
    for (const [which, pattern] of patterns.entries())
      if (fits[which]) fits[which] = bytes.every((byte, i) => byte === pattern[i % pattern.length]);
  }
  return fits[0]! ? true : fits[1]! ? false : (said ?? false);
}
