/**
 * Whether two stored tables are equal: by their bytes where they are stored alike, else by their values. What may be a turned, padded or scaled
 * copy is not known to be equal or different: docs/decisions/0082-copies-that-are-not-equal.md.
 */
import { besideTable } from './beside-tables.js';
import * as words from './comparison-words.js';
import type { Tables } from './comparison-words.js';
import type { Decoder } from '../decoder.js';
import { compareBytes, comparesByBytes } from './equal-bytes.js';
import { areApart, compareValues } from './equal-values.js';
import { placeOf } from '../tables/families.js';
import { factorBetween } from './one-factor.js';
import { comparePacked, haveEqualBytes } from '../packed/packed-tables.js';
import { checkTable, whyNotDecoded } from '../rows/rows.js';
import { isQuantized } from '../elements/stored-blocks.js';
import { floatsOf, type Part } from '../rows/stored-part.js';
import { isDecoded } from '../elements/stored-types.js';
import type { Way } from '../rows/table-pieces.js';
import { areOneStorage, type StoredTensor, type TensorDirectory } from '../tensors.js';
import type { TyingEvidence } from '../file-types.js';

export interface TyingOptions {
  readonly decoder: Decoder;
  /** All of the file. */
  readonly tensors?: TensorDirectory['tensors'];
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: (share: number) => void;
}

export interface Compared {
  readonly tied: boolean | null;
  readonly evidence: Extract<TyingEvidence, 'same-storage' | 'equal-bytes' | 'equal-values' | 'different' | 'unknown'>;
  /** In words; null if the evidence says all. */
  readonly why: string | null;
}

/** What one way of reading two tables gives. */
interface Outcome {
  readonly is: 'same-storage' | 'equal-bytes' | 'equal-values' | 'different' | 'unknown' | 'scaled';
  readonly way: Way;
  readonly why: string;
}

const DIFFERENT: Compared = { tied: false, evidence: 'different', why: null };
const unknown = (why: string): Compared => ({ tied: null, evidence: 'unknown', why });

export async function compareTables(
  input: StoredTensor,
  output: StoredTensor,
  options: TyingOptions,
): Promise<Compared> {
  const tables = [input, output] as const;
  if (tables.some(({ parts }) => parts !== undefined)) return comparePacked(input, output, options);
  for (const table of tables) checkTable(table);
  const unscaled = options.tensors === undefined ? null : await besideBoth(tables, options.tensors, options);
  if (unscaled !== null) return unscaled;
  const { straight, across } = waysOf(tables);
  if (straight === null || across === null) {
    const only = straight ?? across;
    return only === null ? DIFFERENT : judged(tables, await outcomeOf(tables, only, options));
  }
  // A table as long as it is wide fits both ways.
  const said = saidOf(tables);
  const [first, second] = said === 'across' ? [across, straight] : [straight, across];
  const found = await outcomeOf(tables, first, options);
  if ((said !== null && found.is !== 'different') || haveBlocks(tables)) return judged(tables, found);
  const other = await outcomeOf(tables, second, options);
  if (found.is === 'different' && other.is === 'different') return DIFFERENT;
  if (isEqual(found) && isEqual(other)) return judged(tables, found);
  const only = found.is === 'different' ? other : found;
  return unknown(words.equalOneWay(tables, only.way.isAcross, { isMeant: said !== null, isSure: isEqual(only) }));
}

const isEqual = ({ is }: Outcome): boolean => ['same-storage', 'equal-bytes', 'equal-values'].includes(is);
const haveBlocks = (tables: Tables): boolean => tables.some(({ dtype }) => isDecoded(dtype) && isQuantized(dtype));

/** A token is a row of both tables, or a row of the first one and a column of the second; null if the shapes do not allow it. */
function waysOf([input, output]: Tables): Readonly<Record<'straight' | 'across', Way | null>> {
  const [tokens = 0, width] = input.shape;
  const [rows = 0, cols = 0] = output.shape;
  const way = (isAcross: boolean, others: number): Way => ({
    isAcross,
    from: [0, 0],
    tokens: Math.min(tokens, others),
  });
  return { straight: width === cols ? way(false, rows) : null, across: width === rows ? way(true, cols) : null };
}

/**
 * Whether a token is a row or a column of the output table, by its name: a linear layer's `weight` is [out, in], a `kernel` [in, out]. Null if it does
 * not say. In blocks, tokens are rows.
 */
function saidOf(tables: Tables): 'straight' | 'across' | null {
  const [input, output] = tables;
  const hasColumns = output.hasRowsOfTokens !== true && /(?:^|[./])(?:kernel|W_U)$/.test(output.name);
  const hasRows =
    output.hasRowsOfTokens === true ||
    /(?:^|[./])(?:weight|embedding|unembedding)$/.test(output.name) ||
    haveBlocks(tables);
  if (!hasColumns && !hasRows && placeOf(output.name, 'input') === null) return null;
  const isOneOrder = (input.turned ?? false) === (output.turned ?? false);
  return hasColumns === isOneOrder ? 'across' : 'straight';
}

const tokensOf = ([input, output]: Tables, { isAcross }: Way): readonly [number, number] => [
  input.shape[0]!,
  output.shape[isAcross ? 1 : 0]!,
];

/** Of tables for different numbers of tokens, the first ones of both or the last. */
async function outcomeOf(tables: Tables, way: Way, options: TyingOptions): Promise<Outcome> {
  const found = await outcomeAt(tables, way, options);
  const [mine, theirs] = tokensOf(tables, way);
  if (found.is !== 'different' || mine === theirs) return found;
  return outcomeAt(tables, { ...way, from: [mine - way.tokens, theirs - way.tokens] }, options);
}

async function outcomeAt(tables: Tables, way: Way, options: TyingOptions): Promise<Outcome> {
  const [input, output] = tables;
  const rowBytes = input.bytes / input.shape[0]!;
  // Of a type that is not known, rows may begin within bytes.
  const hasRows = Number.isInteger(rowBytes) || tokensOf(tables, way).every((tokens) => tokens === way.tokens);
  if (!way.isAcross && areOneStorage(input, output)) return { is: 'same-storage', way, why: '' };
  let first: number | undefined;
  // Bytes tell without being decoded; those of unknown types have no length.
  if (!way.isAcross && input.dtype === output.dtype && input.bytes > 0 && hasRows) {
    const from = [way.from[0] * rowBytes, way.from[1] * rowBytes] as const;
    const compared = await compareBytes(tables, from, way.tokens * rowBytes, rowBytes, options);
    if (compared.found === 'blurred') return { is: 'unknown', way, why: words.blurred(tables) };
    if (compared.found !== 'different')
      return { is: compared.found, way, why: compared.found === 'equal-bytes' ? '' : words.otherBits(tables) };
    if (comparesByBytes(input.dtype) && !words.arePrinted(tables)) {
      const seen = await decoded(input, compared.seen, options);
      if (seen === null || areApart(...seen)) return differentOrScaled(tables, way, seen, options);
    }
    first = Math.floor(compared.at / rowBytes);
  }
  if (tables.some((table) => whyNotDecoded(table) !== null))
    return { is: 'unknown', way, why: words.undecoded(tables) };
  // Blocks run along the rows of each, so one element of either would need a block of the other.
  if (way.isAcross && haveBlocks(tables)) return { is: 'unknown', way, why: words.unknown(tables) };
  const asked = first === undefined ? options : { ...options, first };
  const { found, roundings, seen, hasTooLarge } = await compareValues(input, output, way, asked);
  if (found === 'unknown')
    return { is: 'unknown', way, why: hasTooLarge ? words.tooLarge(tables) : words.unknown(tables) };
  if (found === 'blurred') return { is: 'unknown', way, why: words.blurred(tables) };
  if (found === 'different') return differentOrScaled(tables, way, seen, options);
  const isOneType = input.dtype === output.dtype && !haveBlocks(tables) && !words.arePrinted(tables);
  return { is: 'equal-values', way, why: isOneType ? words.oneType(tables) : words.rounded(tables, roundings) };
}

/** What was read as bytes; null if it cannot be decoded. */
async function decoded(
  { dtype }: StoredTensor,
  [one, other]: readonly [Uint8Array, Uint8Array],
  { decoder }: TyingOptions,
): Promise<readonly [Part, Part] | null> {
  if (!isDecoded(dtype)) return null;
  return [await floatsOf(dtype, one, decoder), await floatsOf(dtype, other, decoder)];
}

/** `seen`: where they differ. */
async function differentOrScaled(
  tables: Tables,
  way: Way,
  seen: readonly [Part, Part] | null,
  { decoder, signal }: TyingOptions,
): Promise<Outcome> {
  const factor = seen === null ? null : await factorBetween(tables, way, { decoder, signal }, seen);
  return factor === null
    ? { is: 'different', way, why: '' }
    : { is: 'scaled', way, why: words.scaledBy(tables, factor) };
}

/** The verdict of one way of reading the tables. */
function judged(tables: Tables, { is, way, why }: Outcome): Compared {
  if (is === 'different') return DIFFERENT;
  const [mine, theirs] = tokensOf(tables, way);
  const found = is === 'scaled' || is === 'unknown' ? is : 'equal';
  if (mine !== theirs) {
    const which = { tokens: way.tokens, areLast: way.from[0] + way.from[1] > 0, more: theirs - mine };
    return unknown(words.equalInPart(tables, which, found));
  }
  if (is === 'scaled' || is === 'unknown') return unknown(why);
  return { tied: true, evidence: is, why: why || null };
}

/**
 * Tensors that may scale a table of few bits. If both tables have the same bytes, and so have the tensors beside them, they are equal; else
 * nothing is known of their values. Null if there are none.
 */
async function besideBoth(
  tables: Tables,
  tensors: TensorDirectory['tensors'],
  options: TyingOptions,
): Promise<Compared | null> {
  const [mine, theirs] = [besideTable(tables[0], tensors), besideTable(tables[1], tensors)];
  const [first] = [...mine.values(), ...theirs.values()];
  if (first === undefined) return null;
  const pairs = [...[...mine].map(([own, tensor]) => [tensor, theirs.get(own)] as const), tables];
  let areEqual = mine.size === theirs.size;
  for (const [one, other] of pairs) areEqual &&= other !== undefined && (await haveEqualBytes(one, other, options));
  return areEqual ? { tied: true, evidence: 'equal-bytes', why: null } : unknown(words.unscaled(tables, first));
}
