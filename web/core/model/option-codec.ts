/** Options as the core's numbers and back, and their checks, by the tables of fields that C++ prints. */
import type { Read } from '../runtime/answer.js';
import { kindOf } from '../runtime/arrays.js';
import { checkBoolean, checkChoice, checkInteger, checkRange } from '../runtime/validate.js';

/** An entry of the tables in generated/fields.ts, which describes its parts. */
export interface Field {
  readonly words?: readonly string[];
  readonly flag?: true;
  readonly whole?: readonly [least: number, most?: number];
  readonly real?: readonly [least: number, most: number];
  readonly below?: true;
  readonly omitted?: FieldValue;
  readonly of?: Readonly<Record<string, readonly string[]>>;
  readonly core?: string;
}
export type Fields = Readonly<Record<string, Field>>;
export type FieldValue = string | number | boolean;
/** Values by their paths, such as 'head.samples'. */
export type FlatOptions = Record<string, unknown>;

/** Checks one value alone. `most`: a lower limit than that of the field, for this model. */
export function checkField(argument: string, value: unknown, field: Field, most?: number): FieldValue {
  const { words, whole, real, below } = field;
  if (words) return checkChoice(argument, value, words);
  if (whole) return checkInteger(argument, value, whole[0], most ?? whole[1]);
  return real ? checkRange(argument, value, ...real, below) : checkBoolean(argument, value);
}

/** Whether options with these values have the field. */
export const applies = ({ of }: Field, values: FlatOptions): boolean =>
  of === undefined || Object.entries(of).some(([path, words]) => words.includes(values[path] as string));

/** Which options have the field: "kind 'transformer' or tying 'tied-mlp'". */
export const ownerOf = ({ of = {} }: Field): string =>
  Object.entries(of)
    .map(([path, words]) => `${path} ${words.map((word) => `'${word}'`).join(' or ')}`)
    .join(' or ');

/** The value at a path, which `options` may also have as one key. The ids of tokens count as their number. */
export function valueAt(options: FlatOptions, path: string): unknown {
  if (options[path] !== undefined) return options[path];
  const value = path.split('.').reduce<unknown>((at, name) => (at as FlatOptions | undefined)?.[name], options);
  return kindOf(value) === 'Uint32Array' ? (value as Uint32Array).length : value;
}

/** A value as numbers, by the tables in generated/records.ts: the reverse of Answer.read, for numbers only. */
export const givenNumbers = <const Kind>(kind: Kind, value: Read<Kind>): number[] => numbersIn(kind, value);

function numbersIn(kind: unknown, value: unknown): number[] {
  if (typeof kind === 'string') return [Number(value ?? NaN)];
  if (!Array.isArray(kind)) {
    return Object.entries(kind as FlatOptions).flatMap(([name, of]) => numbersIn(of, (value as FlatOptions)[name]));
  }
  const [item] = kind as [unknown];
  if (typeof item === 'string') return [kind.indexOf(value)];
  const list = value as readonly unknown[];
  return [list.length, ...list.flatMap((each) => numbersIn(item, each))];
}

/** The core checks every number, so options that do not apply get the core's own defaults. */
export const fieldNumbers = (fields: Fields, defaults: FlatOptions, options: FlatOptions): number[] =>
  Object.entries(fields).map(([path, { words, omitted }]) => {
    const value = valueAt(options, path) ?? omitted ?? defaults[path];
    return words ? Math.max(0, words.indexOf(value as string)) : Number(value ?? 0);
  });

/** The reverse: the fields that apply and are not omitted. A field stands after those on which it depends. */
export function fieldValues(fields: Fields, next: () => number): FlatOptions {
  const values: FlatOptions = {};
  for (const [path, field] of Object.entries(fields)) {
    const number = next();
    const value = field.words ? field.words[number] : field.flag ? number === 1 : number;
    if (value !== field.omitted && applies(field, values)) values[path] = value;
  }
  return values;
}

/** Options, with their objects and lists. */
export function nestedOptions(values: FlatOptions): FlatOptions {
  const members: Record<string, FlatOptions> = {};
  const options: FlatOptions = {};
  for (const [path, value] of Object.entries(values)) {
    const [first, rest] = path.split(/\.(.*)/s) as [string, string | undefined];
    if (rest === undefined) options[first] = value;
    else (members[first] ??= {})[rest] = value;
  }
  for (const [name, of] of Object.entries(members)) {
    options[name] = '0' in of ? Object.freeze(Object.values(of)) : nestedOptions(of);
  }
  return Object.freeze(options);
}

/** The names of options, without the members of those that are objects. */
export const optionNames = (fields: object): readonly string[] => [
  ...new Set(Object.keys(fields).map((path) => path.split('.')[0]!)),
];

/** Without the options that are undefined. Null is a value, which the checks refuse. */
export const present = <Options extends object>(options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;

/** Names in the core's errors, and the options that they mean. */
export const namesInCore = (argument: string, fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(
      ([path, { core = path.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase()) }]) => [
        core,
        // Parts of a list, or of a condition.
        `${argument}.${path.replace(/\.(\d|condition|share|over|from)$/, '')}`,
      ],
    ),
  );
