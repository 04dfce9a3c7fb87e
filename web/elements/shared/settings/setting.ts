/**
 * What a setting of an element is. A figure declares its settings once, in `<name>.settings.ts`; properties, attributes,
 * defaults, limits, refusals, controls and the link follow from that declaration.
 */

import { formatWhole } from '../../../charts/number-format.js';

/** Values by property name. While attributes are read they may be anything. */
export type Values = Readonly<Record<string, unknown>>;

/** Why a value cannot be used. */
export interface Problem {
  readonly kind: string;
  /** The limit that was passed, where there is one. */
  readonly limit?: number;
  /** The part of the value that is wrong, where it has parts. */
  readonly value?: unknown;
}

/** Sentences and names that settings use, by key: an element's strings. */
export type Texts = Readonly<Record<string, unknown>>;

/** How the settings panel offers a setting; `label` and `names` are keys of the element's strings. */
export type Control =
  | {
      readonly kind: 'number';
      readonly label: string;
      readonly options: NumberControl;
      readonly whole: boolean;
      readonly limits: (values: Values) => readonly [least: number, most: number];
    }
  | { readonly kind: 'choice'; readonly label: string; readonly options: ChoiceControl; readonly of: readonly string[] }
  | { readonly kind: 'flag'; readonly label: string };

export interface NumberControl {
  readonly slider?: 'log' | 'linear';
  /** What can be typed, in units on show. Default: the setting's own limits. */
  readonly typed?: readonly [least: number, most: number];
  /** Ends of the slider; what is typed may lie beyond. */
  readonly between?: readonly [least: number, most: number];
  readonly step?: number | ((value: number, values: Values) => number);
  readonly decimals?: number | ((value: number) => number);
  /** What one unit on show is of the value: 1e12 with 'TFLOP/s'. `name` is a key of the strings. */
  readonly unit?: { readonly name: string; readonly size: number };
  /** True: a drag is heard only when it ends. */
  readonly atEnd?: boolean;
}

export interface ChoiceControl {
  /** Default 'select'. */
  readonly as?: 'select' | 'segmented';
  /** A record or a function in the strings; absent: the strings have a key for each choice. */
  readonly names?: string;
  readonly hideLabel?: boolean;
}

export interface Setting<Value> {
  /** What the property is while nothing has set it. */
  readonly initial: Value;
  /** Default: the property's name in kebab case. */
  readonly attribute?: string;
  readonly reflect: boolean;
  /** An attribute's text as a value. Text that stands for none stays text, for `problem` to refuse. */
  readonly read: (text: string) => unknown;
  /** A value as an attribute's text; null: no attribute. */
  readonly write: (value: Value) => string | null;
  readonly problem: (value: unknown, values: Values) => Problem | null;
  /** What is expected, to follow "expected ". */
  readonly expected: (texts: Texts, values: Values) => string;
  /** Key of what is used where nothing is set, for refusals. */
  readonly unset?: string;
  /** 'changed': where it differs from `initial`. 'never': in embed code alone; no link sets it. */
  readonly link: 'changed' | 'always' | 'never';
  /** Whether the setting has a meaning beside the others; without one it is neither in the link nor in the panel. */
  readonly applies: (values: Values) => boolean;
  readonly control: Control | null;
}

// The values that settings hold differ, and `write` takes them: no narrower type would hold them all.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Settings = Readonly<Record<string, Setting<any>>>;

/** The properties that settings give an element. */
export type ValuesOf<Declared extends Settings> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends Setting<infer Value> ? Value : never;
};

/** 'dModel' -> 'd-model' */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const attributeName = (settings: Settings, name: string): string => settings[name]?.attribute ?? kebab(name);

// ---------------------------------------------------------------- kinds

/** What every kind takes. */
interface Common {
  readonly attribute?: string;
  readonly reflect?: boolean;
  readonly link?: 'changed' | 'always' | 'never';
  readonly unset?: string;
  readonly applies?: (values: Values) => boolean;
  readonly label?: string;
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

const say = (texts: Texts, key: string, ...values: string[]): string => {
  const text = texts[key];
  return typeof text === 'function' ? String((text as (...given: string[]) => string)(...values)) : String(text);
};

/** Null and undefined are no mistake where nothing is set to begin with. */
const isUnset = (initial: unknown, value: unknown): boolean =>
  (initial === null || initial === undefined) && (value === null || value === undefined);

/** Limits may depend on other settings: `max: ({ vocabSize }) => Number(vocabSize)`. */
export function number<Initial extends number | null | undefined>(
  initial: Initial,
  options: NumberOptions = {},
): Setting<Initial extends number ? number : number | Initial> {
  const { whole = false, positive = false, label } = options;
  const limits = (values: Values): readonly [number, number] => {
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
      if (positive) return say(texts, 'expectedPositive');
      const ends = [min, max].map((end) =>
        Number.isInteger(end) ? formatWhole(end) : Number.isFinite(end) ? String(end) : '',
      );
      return say(texts, whole ? 'expectedWhole' : 'expectedBetween', ...ends);
    },
    control: label === undefined ? null : { kind: 'number', label, options: options.control ?? {}, whole, limits },
  };
}

/** An integer that random draws begin with. */
export const seed = (options: NumberOptions = {}): Setting<number> =>
  number(1, { min: 0, max: 2 ** 32 - 1, whole: true, link: 'always', ...options });

/** One of some words; `initial` is the first unless said. */
export function choice<Choice extends string, Initial extends Choice | undefined = Choice>(
  of: readonly Choice[],
  options: Common & {
    readonly initial?: Initial;
    readonly unsetByDefault?: boolean;
    readonly control?: ChoiceControl;
  } = {},
): Setting<Initial extends undefined ? Choice | undefined : Choice> {
  const { label, control = {} } = options;
  const initial = 'initial' in options ? options.initial : of[0];
  return {
    ...base(options),
    initial: initial as Initial extends undefined ? Choice | undefined : Choice,
    read: (text) => text,
    write: String,
    problem: (value) =>
      isUnset(initial, value) || (of as readonly unknown[]).includes(value) ? null : { kind: 'unknown' },
    expected: (texts) => say(texts, 'expectedOneOf', of.join(', ')),
    control: label === undefined ? null : { kind: 'choice', label, options: control, of },
  };
}

/** Set where its attribute is there, as of HTML's own. */
export const flag = (initial = false, options: Common = {}): Setting<boolean> => ({
  ...base(options),
  initial,
  read: () => true,
  write: (value) => (value ? '' : null),
  problem: (value) => (typeof value === 'boolean' ? null : { kind: 'unknown' }),
  expected: (texts) => say(texts, 'expectedFlag'),
  control: options.label === undefined ? null : { kind: 'flag', label: options.label },
});

/** Text as it is; where `accepts` refuses some, `expected` is the key of what is expected. */
export function text<Initial extends string | null | undefined>(
  initial: Initial,
  options: Common & { readonly accepts?: (text: string) => boolean; readonly expected?: string } = {},
): Setting<Initial extends string ? string : string | Initial> {
  const { accepts = () => true, expected = 'expectedText' } = options;
  return {
    ...base(options),
    initial: initial as Initial extends string ? string : string | Initial,
    read: (given) => given,
    write: String,
    problem: (value) =>
      isUnset(initial, value) || (typeof value === 'string' && accepts(value)) ? null : { kind: 'unknown' },
    expected: (texts) => say(texts, expected),
    control: null,
  };
}

/**
 * Anything that an attribute's text can say: lists of tokens or numbers, tables. `read` gives null for text that says
 * nothing usable; `accepts` judges values of all kinds, also those that a page has set.
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
  expected: (texts) => say(texts, options.expected),
  control: null,
});
