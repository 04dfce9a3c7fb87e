/** What a comparison of two tables found, in words: without a capital letter and a period. */
import type { Roundings } from './equal-values.js';
import { inWords } from '../elements/printed.js';
import { whyNotDecoded } from '../rows/rows.js';
import { isQuantized } from '../elements/stored-blocks.js';
import { isDecoded, typeInWords } from '../elements/stored-types.js';
import type { StoredTensor } from '../tensors.js';

export type Tables = readonly [input: StoredTensor, output: StoredTensor];

const quoted = ({ name }: StoredTensor): string => `'${name.slice(0, 120)}'`;
const withType = (table: StoredTensor): string =>
  `${quoted(table)} (${table.printed === undefined ? table.dtype : `a text with ${inWords(table.printed)}`})`;
const counted = (tokens: number): string => (tokens === 1 ? '1 token' : `${tokens} tokens`);

export const otherBits = ([input, output]: Tables): string =>
  `${quoted(input)} and ${quoted(output)} have equal values, of which some zeros have another sign or NaN has other bits`;

export const oneType = ([input, output]: Tables): string =>
  `${quoted(input)} and ${quoted(output)} have equal values, one of them with a column per token`;

export function rounded([input, output]: Tables, [mine, theirs]: Roundings): string {
  const [one, other] = [howStored(input, mine), howStored(output, theirs)];
  const how =
    one.how === other.how
      ? `${one.how} ${one.where} and ${other.where}`
      : `${one.how} ${one.where} and ${other.how} ${other.where}`;
  return `${quoted(input)} and ${quoted(output)} have equal values up to rounding: each two could be one number, ${how}`;
}

/** Whether one is a text, so that its numbers were rounded. */
export const arePrinted = (tables: Tables): boolean => tables.some(({ printed }) => printed !== undefined);

function howStored(
  { dtype, printed }: StoredTensor,
  rounding: Roundings[0],
): { readonly how: string; readonly where: string } {
  if (printed !== undefined) return { how: 'printed', where: `with ${inWords(printed)}` };
  if (isDecoded(dtype) && isQuantized(dtype)) return { how: 'quantized', where: `to ${dtype}` };
  return { how: rounding === 'cut' ? 'cut off' : 'rounded to the nearest', where: `in ${dtype}` };
}

export function unknown([input, output]: Tables): string {
  const isFloat =
    !arePrinted([input, output]) && input.dtype === output.dtype && isDecoded(input.dtype) && !isQuantized(input.dtype);
  return isFloat
    ? `${quoted(input)} and ${quoted(output)} differ, but in no number by more than its last bit in ${input.dtype}, as if one table had been rounded in two ways`
    : `${withType(input)} and ${withType(output)} are too far apart to be called equal, and too coarsely stored to be called different`;
}

export const tooLarge = ([input, output]: Tables): string =>
  `${withType(input)} and ${withType(output)} differ where one has numbers that are too large for the other one's type, and no other number proves that they are two tables`;

export const blurred = ([input, output]: Tables): string =>
  `${withType(input)} and ${withType(output)} could be one table up to rounding, but so could others, since it blurs nearly all numbers`;

export function undecoded(tables: Tables): string {
  const [input, output] = tables;
  const { dtype } = tables.find((table) => whyNotDecoded(table) !== null)!;
  return input.dtype === output.dtype
    ? `${quoted(input)} and ${quoted(output)} are stored in ${typeInWords(dtype)}, which cannot be decoded`
    : `${withType(input)} and ${withType(output)} are stored in two types, of which ${dtype} cannot be decoded`;
}

export const unscaled = ([input, output]: Tables, beside: StoredTensor): string =>
  `${quoted(beside)} may scale its table, so ${withType(input)} and ${withType(output)} cannot be compared`;

export const scaledBy = ([input, output]: Tables, factor: number): string =>
  `${quoted(output)} is ${quoted(input)} times ${Number(factor.toPrecision(4))}, up to rounding, so it may be the same table with a factor`;

/** `tokens`: for how many both have equal rows, the first ones or the last; `more`: how many more one of them has. */
export function equalInPart(
  [input, output]: Tables,
  which: { readonly tokens: number; readonly areLast: boolean; readonly more: number },
  found: 'equal' | 'scaled' | 'unknown',
): string {
  const how = { equal: 'are equal', scaled: 'are equal up to one factor', unknown: 'may be equal up to rounding' }[
    found
  ];
  const part = `the ${which.areLast ? 'last' : 'first'} ${counted(which.tokens)}`;
  const longer = which.more > 0 ? output : input;
  return `for ${part}, ${quoted(input)} and ${quoted(output)} ${how}, and ${quoted(longer)} has ${counted(Math.abs(which.more))} more, so it may be the same table, padded or resized`;
}

/** Of a table as long as it is wide. */
export function equalOneWay(
  [input, output]: Tables,
  isAcross: boolean,
  { isMeant, isSure }: { readonly isMeant: boolean; readonly isSure: boolean },
): string {
  const [is, other] = isAcross ? ['column', 'row'] : ['row', 'column'];
  const name = isMeant ? `a matrix of its name has a ${other} for each` : 'its name does not say whether it does';
  return `${quoted(output)} ${isSure ? 'equals' : 'may equal'} ${quoted(input)} only if it has a ${is} for each token, and ${name}`;
}
