/**
 * Settings of an element. A figure declares each setting once, in `<name>.settings.ts`; properties, attributes,
 * defaults, limits, error messages, controls and the link derive from that.
 */

import { formatWhole } from '../../../charts/number-format.js';

/** Values by property name; any type while attributes are read. */
export type Values = Readonly<Record<string, unknown>>;

/** Why a value is invalid. */
export interface Problem {
  readonly kind: string;
  /** The limit that was exceeded, if any. */
  readonly limit?: number;
  /** The invalid part of a value that has parts. */
  readonly value?: unknown;
}

/** An element's strings: texts and names of settings, by key. */
export type Texts = Readonly<Record<string, unknown>>;

/** A key of the strings, or a function of the values that returns one. */
export type Key = string | ((values: Values) => string);

/** How the panel shows a setting. */
export type Control = ControlKind & {
  readonly label: Key;
  /** Key of a note beside the control; null: none. */
  readonly help?: (values: Values) => string | null;
  /** If false, the panel omits the setting although it applies. */
  readonly shown?: (values: Values) => boolean;
};

type ControlKind =
  | {
      readonly kind: 'number';
      readonly options: NumberControl;
      readonly whole: boolean;
      readonly limits: (values: Values) => Limits;
    }
  | { readonly kind: 'choice'; readonly options: ChoiceControl; readonly of: readonly string[] }
  | { readonly kind: 'text'; readonly options: TextControl }
  | { readonly kind: 'flag' };

export type Limits = readonly [least: number, most: number];

export interface NumberControl {
  readonly slider?: 'log' | 'linear';
  /** Limits of typed numbers, in displayed units. Default: the setting's limits. */
  readonly typed?: Limits;
  /** Ends of the slider; typed numbers may be beyond. */
  readonly between?: Limits;
  readonly step?: number | ((value: number, values: Values) => number);
  readonly decimals?: number | ((value: number) => number);
  /** The size of one displayed unit: 1e12 for 'TFLOP/s'. `name` is a key of the strings. */
  readonly unit?: { readonly name: string; readonly size: number };
  /** Whether a drag takes effect only at its end. */
  readonly atEnd?: boolean;
  readonly hideLabel?: boolean;
  /** For a setting that may be unset: a checkbox before the field, which appears once it is ticked. */
  readonly optional?: {
    /** Key of the checkbox's label. */
    readonly label: string;
    /** The first value. */
    readonly start: (values: Values) => number;
    readonly disabled?: (values: Values) => boolean;
  };
}

export interface ChoiceControl {
  /** Default 'select'. */
  readonly as?: 'select' | 'segmented';
  /** A record or function in the strings; absent: the strings have a key for each choice. */
  readonly names?: string;
  readonly hideLabel?: boolean;
  /** What is offered. Default: all choices. */
  readonly offered?: (values: Values) => readonly string[];
  /** Choices that are currently unavailable; the first available one is shown instead. */
  readonly disabled?: (values: Values) => readonly string[];
}

export interface TextControl extends Pick<ChoiceControl, 'offered' | 'names'> {
  /** Default 'search', a single line; in a prompt, Enter adds no line. With `offered`, texts are chosen instead of typed. */
  readonly as?: 'search' | 'area' | 'prompt';
  /** Key of a placeholder. */
  readonly hint?: string;
}

export interface Setting<Value> {
  /** The property's value while nothing has set it. */
  readonly initial: Value;
  /** Default: the property's name in kebab case. */
  readonly attribute?: string;
  readonly reflect: boolean;
  /** Converts an attribute's text to a value. Invalid text is returned as text, for `problem` to refuse. */
  readonly read: (text: string) => unknown;
  /** Converts a value to an attribute's text; null: no attribute. */
  readonly write: (value: Value) => string | null;
  readonly problem: (value: unknown, values: Values) => Problem | null;
  /** What is expected, as a continuation of "expected ". */
  readonly expected: (texts: Texts, values: Values) => string;
  /** Key of the name of an unset value, for error messages. */
  readonly unset?: string;
  /** 'changed': if it differs from `initial`. 'never': in embed code only; no link sets it. */
  readonly link: 'changed' | 'always' | 'never';
  /** Whether the setting applies given the others; otherwise it is neither in the link nor in the panel. */
  readonly applies: (values: Values) => boolean;
  readonly control: Control | null;
}

// Settings have values of different types, which `write` takes: no narrower type includes them all.
// oxlint-disable-next-line typescript/no-explicit-any
export type Settings = Readonly<Record<string, Setting<any>>>;

/** The properties that settings give an element. */
export type ValuesOf<Declared extends Settings> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends Setting<infer Value> ? Value : never;
};

/** 'dModel' -> 'd-model' */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const attributeName = (settings: Settings, name: string): string => settings[name]?.attribute ?? kebab(name);

// ---------------------------------------------------------------- kinds

/** Options of every kind. */
interface Common {
  readonly attribute?: string;
  readonly reflect?: boolean;
  readonly link?: 'changed' | 'always' | 'never';
  readonly unset?: string;
  readonly applies?: (values: Values) => boolean;
  /** Without a label the panel has no control for the setting. */
  readonly label?: Key;
  readonly help?: (values: Values) => string | null;
  readonly shown?: (values: Values) => boolean;
}

type Limit = number | ((values: Values) => number);

interface NumberOptions extends Common {
  readonly min?: Limit;
  readonly max?: Limit;
  /** Greater than 0. */
  readonly positive?: boolean;
  readonly whole?: boolean;
  readonly control?: NumberControl;
}

const base = ({ attribute, reflect = true, link = 'changed', unset, applies = () => true }: Common) => ({
  ...(attribute === undefined ? {} : { attribute }),
  ...(unset === undefined ? {} : { unset }),
  reflect,
  link,
  applies,
});

function controlOf({ label, help, shown }: Common, kind: ControlKind): Control | null {
  if (label === undefined) return null;
  return { ...kind, label, ...(help === undefined ? {} : { help }), ...(shown === undefined ? {} : { shown }) };
}

const textOf = (texts: Texts, key: string, ...values: string[]): string => {
  const text = texts[key];
  return typeof text === 'function' ? String((text as (...given: string[]) => string)(...values)) : String(text);
};

/** Null and undefined are valid if the initial value is unset. */
const isUnset = (initial: unknown, value: unknown): boolean =>
  (initial === null || initial === undefined) && (value === null || value === undefined);

/** Whole numbers from `min` to `max`. */
export const integer = (min: number, max: number) => ({ min, max, whole: true }) as const;

/** Limits may depend on other settings: `max: ({ vocabSize }) => Number(vocabSize)`. */
export function number<Initial extends number | null | undefined>(
  initial: Initial,
  options: NumberOptions = {},
): Setting<Initial extends number ? number : number | Initial> {
  const { whole = false, positive = false } = options;
  const limits = (values: Values): Limits => {
    const [least, most] = [options.min ?? -Infinity, options.max ?? Infinity];
    return [typeof least === 'number' ? least : least(values), typeof most === 'number' ? most : most(values)];
  };
  return {
    ...base(options),
    initial: initial as Initial extends number ? number : number | Initial,
    read: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)),
    write: String,
    problem: (value, values) => {
      if (isUnset(initial, value)) return null;
      const [min, max] = limits(values);
      if (typeof value !== 'number' || !Number.isFinite(value)) return { kind: 'not-a-number' };
      if (value < min || (positive && value <= 0)) return { kind: 'too-small', limit: min };
      if (value > max) return { kind: 'too-large', limit: max };
      return whole && !Number.isSafeInteger(value) ? { kind: 'not-whole' } : null;
    },
    expected: (texts, values) => {
      const [min, max] = limits(values);
      if (positive) return textOf(texts, 'expectedPositive');
      const ends = [min, max].map((end) =>
        Number.isInteger(end) ? formatWhole(end) : Number.isFinite(end) ? String(end) : '',
      );
      return textOf(texts, whole ? 'expectedWhole' : 'expectedBetween', ...ends);
    },
    control: controlOf(options, { kind: 'number', options: options.control ?? {}, whole, limits }),
  };
}

export const mostSeed = 2 ** 32 - 1;

/** The seed of random draws. */
export const seed = (options: NumberOptions = {}): Setting<number> =>
  number(1, { min: 0, max: mostSeed, whole: true, link: 'always', ...options });

/** One of several words; `initial` defaults to the first. */
export function choice<Choice extends string, Initial extends Choice | undefined = Choice>(
  of: readonly Choice[],
  options: Common & {
    readonly initial?: Initial;
    readonly control?: ChoiceControl;
  } = {},
): Setting<Initial extends undefined ? Choice | undefined : Choice> {
  const initial = 'initial' in options ? options.initial : of[0];
  return {
    ...base(options),
    initial: initial as Initial extends undefined ? Choice | undefined : Choice,
    read: (text) => text,
    write: String,
    problem: (value) =>
      isUnset(initial, value) || (of as readonly unknown[]).includes(value) ? null : { kind: 'unknown' },
    expected: (texts) => textOf(texts, 'expectedOneOf', of.join(', ')),
    control: controlOf(options, { kind: 'choice', options: options.control ?? {}, of }),
  };
}

/** A choice between buttons side by side, whose names the texts have under `names`. */
export const segments = <Choice extends string, Initial extends Choice | undefined = Choice>(
  of: readonly Choice[],
  label: string,
  names: string,
  { control, ...options }: NonNullable<Parameters<typeof choice<Choice, Initial>>[1]> = {},
): Setting<Initial extends undefined ? Choice | undefined : Choice> =>
  choice(of, { label, ...options, control: { as: 'segmented', names, ...control } });

/** True if its attribute is present, like HTML's own. A flag that starts unset is written as 'true' or 'false'. */
export const flag = <Initial extends boolean | undefined>(
  initial: Initial,
  options: Common = {},
): Setting<boolean | (Initial extends undefined ? undefined : never)> => ({
  ...base(options),
  initial: initial as boolean,
  read: (text) => (initial === undefined && text !== '' && text !== 'true' ? (text === 'false' ? false : text) : true),
  write: (value) => (initial === undefined ? String(value) : value ? '' : null),
  problem: (value) => (isUnset(initial, value) || typeof value === 'boolean' ? null : { kind: 'unknown' }),
  expected: (texts) => textOf(texts, 'expectedFlag'),
  control: controlOf(options, { kind: 'flag' }),
});

/** Any text; if `accepts` refuses some, `expected` is the key of what is expected. */
export function text<Initial extends string | null | undefined>(
  initial: Initial,
  options: Common & {
    readonly accepts?: (text: string) => boolean;
    readonly expected?: string;
    readonly control?: TextControl;
  } = {},
): Setting<Initial extends string ? string : string | Initial> {
  const { accepts = () => true, expected = 'expectedText' } = options;
  return {
    ...base(options),
    initial: initial as Initial extends string ? string : string | Initial,
    read: (given) => given,
    write: String,
    problem: (value) =>
      isUnset(initial, value) || (typeof value === 'string' && accepts(value)) ? null : { kind: 'unknown' },
    expected: (texts) => textOf(texts, expected),
    control: controlOf(options, { kind: 'text', options: options.control ?? {} }),
  };
}

/**
 * Anything that an attribute's text can represent: lists of tokens or numbers, tables. `read` returns null for invalid
 * text; `accepts` checks values of all types, including those that a page has set.
 */
export const custom = <Value>(
  initial: Value,
  options: Common & {
    readonly read: (text: string) => Value | null;
    readonly write: (value: Value) => string | null;
    readonly accepts: (value: unknown, values: Values) => boolean | Problem;
    /** Key of what is expected. */
    readonly expected: string;
  },
): Setting<Value> => ({
  ...base(options),
  initial,
  read: (given) => options.read(given) ?? given,
  write: options.write,
  problem: (value, values) => {
    const accepted = isUnset(initial, value) || options.accepts(value, values);
    if (typeof accepted !== 'boolean') return accepted;
    return accepted ? null : { kind: 'unknown' };
  },
  expected: (texts) => textOf(texts, options.expected),
  control: null,
});
