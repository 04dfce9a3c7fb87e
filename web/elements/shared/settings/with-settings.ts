import type { LitElement, PropertyDeclarations } from 'lit';
import {
  attributeName,
  type Problem,
  type Setting,
  type Settings,
  type Texts,
  type Values,
  type ValuesOf,
} from './setting.js';

/** An invalid value and the value used instead. */
export interface Refused {
  readonly name: string;
  readonly attribute: string;
  readonly value: unknown;
  readonly problem: Problem;
  readonly used: unknown;
}

export const valuesOf = <Declared extends Settings>(declared: Declared, element: object): ValuesOf<Declared> =>
  Object.fromEntries(Object.keys(declared).map((name) => [name, (element as Values)[name]])) as ValuesOf<Declared>;

export const initialValues = <Declared extends Settings>(declared: Declared): ValuesOf<Declared> =>
  Object.fromEntries(Object.entries(declared).map(([name, { initial }]) => [name, initial])) as ValuesOf<Declared>;

/**
 * The attributes of a link or of embed code: settings that apply and, unless always written, differ from the default.
 * Before an element's first update, settings may have no value.
 */
export function attributesOf(declared: Settings, values: Values): Record<string, string> {
  const stands = (name: string, { link, applies, initial }: Setting<unknown>): boolean =>
    values[name] !== undefined && applies(values) && (link === 'always' || values[name] !== initial);
  const written = Object.entries(declared)
    .filter(([name, setting]) => stands(name, setting))
    .map(([name, setting]) => [attributeName(declared, name), setting.write(values[name]) as string | null] as const);
  return Object.fromEntries(written.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Names of attributes that a link may set. */
export const linkedAttributes = (declared: Settings): string[] =>
  Object.entries(declared)
    .filter(([, { link }]) => link !== 'never')
    .map(([name]) => attributeName(declared, name));

/** Lit's property declarations. Removing an attribute restores the default. */
export const propertiesOf = (declared: Settings): PropertyDeclarations =>
  Object.fromEntries(
    Object.entries(declared).map(([name, setting]) => [
      name,
      {
        attribute: attributeName(declared, name),
        reflect: setting.reflect,
        /** For the generated manifest of the elements. */
        setting,
        converter: {
          fromAttribute: (given: string | null): unknown => (given === null ? setting.initial : setting.read(given)),
          toAttribute: (value: unknown): string | null =>
            value === null || value === undefined ? null : setting.write(value),
        },
      },
    ]),
  );

export function refusedValues(declared: Settings, values: Values): Refused[] {
  return Object.entries(declared).flatMap(([name, setting]) => {
    const value = values[name];
    const problem = setting.problem(value, values);
    // A default may exceed a limit that depends on other settings; the limit is then used.
    const used: unknown = setting.problem(setting.initial, values)?.limit ?? setting.initial;
    return problem === null
      ? []
      : [{ name, attribute: attributeName(declared, name), value: problem.value ?? value, problem, used }];
  });
}

/** "The attribute tokens is “2.5”; expected an integer of at least 1. The figure uses 128." */
export function refusalSentence(declared: Settings, refused: Refused, values: Values, texts: Texts): string {
  const { name, attribute, value, used } = refused;
  const setting = declared[name];
  const badAttribute = texts['badAttribute'] as (...parts: string[]) => string;
  const expected = setting?.expected(texts, values) ?? '';
  const isNone = used === null || used === undefined || used === '';
  const word = isNone ? (setting?.unset ?? 'noValue') : typeof used === 'object' ? setting?.unset : undefined;
  return badAttribute(
    attribute,
    asText(setting, value),
    expected,
    word === undefined ? String(used) : String(texts[word]),
  );
}

const asText = (setting: Setting<unknown> | undefined, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return setting?.write(value) ?? String(value);
  } catch {
    return String(value);
  }
};

// Mixins need constructors with arbitrary parameters.
/* oxlint-disable typescript/no-explicit-any */
type ElementClass = (abstract new (...given: any[]) => LitElement) & Statics;

export interface Statics {
  readonly linkSettings: readonly string[];
  readonly declared: Settings;
}

/** Split into types that a declaration file can name: `Base` would spell out Lit's private static members. */
type ElementWith<Base extends ElementClass, Values> = (abstract new (...given: any[]) => InstanceType<Base> & Values) &
  Omit<typeof LitElement, 'prototype'> &
  Statics;

/** Adds settings to an element: each is a reactive property with an attribute. `TiedElement` does the rest. */
export function withSettings<Base extends ElementClass, Declared extends Settings>(
  element: Base,
  declared: Declared,
): ElementWith<Base, ValuesOf<Declared>> {
  abstract class WithSettings extends element {
    static properties = propertiesOf(declared);
    static override readonly declared: Settings = { ...element.declared, ...declared };
  }
  return WithSettings as never;
}
