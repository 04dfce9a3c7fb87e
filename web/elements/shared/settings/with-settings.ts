import type { LitElement, PropertyDeclarations, PropertyValues } from 'lit';
import type { TiedElement } from '../tied-element.js';
import {
  attributeName,
  type Problem,
  type Setting,
  type Settings,
  type Texts,
  type Values,
  type ValuesOf,
} from './setting.js';

/** A value that cannot be used, and what takes its place. */
export interface Refused {
  readonly name: string;
  readonly attribute: string;
  readonly value: unknown;
  readonly problem: Problem;
  readonly used: unknown;
}

const own = (element: object): Record<string, unknown> => element as Record<string, unknown>;

export function valuesOf<Declared extends Settings>(declared: Declared, element: object): ValuesOf<Declared> {
  const named = Object.keys(declared).map((name) => [name, own(element)[name]]);
  return Object.fromEntries(named) as ValuesOf<Declared>;
}

export const initialValues = <Declared extends Settings>(declared: Declared): ValuesOf<Declared> =>
  Object.fromEntries(Object.entries(declared).map(([name, { initial }]) => [name, initial])) as ValuesOf<Declared>;

/**
 * The attributes of a link or of embed code: of settings that apply and, unless they are always written, differ from the
 * default. An element that has not been updated yet may have settings without a value.
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

/** Lit's declarations. An attribute that is removed leaves the default. */
export const propertiesOf = (declared: Settings): PropertyDeclarations =>
  Object.fromEntries(
    Object.entries(declared).map(([name, setting]) => [
      name,
      {
        attribute: attributeName(declared, name),
        reflect: setting.reflect,
        /** For the manifest of the elements, which is generated from it. */
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
    // A default may itself lie beyond a limit that other settings have moved: then the limit is used.
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
  const isNone = used === null || used === undefined;
  const word = setting?.unset ?? (isNone ? 'noValue' : null);
  return badAttribute(attribute, asText(setting, value), expected, word === null ? String(used) : String(texts[word]));
}

const asText = (setting: Setting<unknown> | undefined, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return setting?.write(value) ?? String(value);
  } catch {
    return String(value);
  }
};

// Constructors that a class is mixed into take whatever theirs take.
/* eslint-disable @typescript-eslint/no-explicit-any */
type ElementClass = (abstract new (...given: any[]) => TiedElement<any>) & { readonly linkSettings: readonly string[] };

/** Named in parts that a declaration file can name: Lit's class has private static members, which `Base` would spell out. */
type ElementWith<Base extends ElementClass, Values> = (abstract new (...given: any[]) => InstanceType<Base> & Values) &
  Omit<typeof LitElement, 'prototype'> & { readonly linkSettings: readonly string[] };

/**
 * An element with these settings: each is a reactive property with its attribute, starts at its default, gives way to it
 * with a sentence where it cannot be used, and stands in links and embed code.
 */
export function withSettings<Base extends ElementClass, Declared extends Settings>(
  element: Base,
  declared: Declared,
): ElementWith<Base, ValuesOf<Declared>> {
  abstract class WithSettings extends element {
    static properties = propertiesOf(declared);
    static override readonly linkSettings: readonly string[] = [...element.linkSettings, ...linkedAttributes(declared)];

    constructor(...given: any[]) {
      super(...given);
      Object.assign(this, initialValues(declared));
    }

    protected override willUpdate(changed: PropertyValues): void {
      const before = this.problem;
      super.willUpdate(changed);
      const values = valuesOf(declared, this);
      const refused = refusedValues(declared, values);
      if (refused.length === 0) return;
      const sentences = refused.map((one) => refusalSentence(declared, one, values, this.texts as Texts));
      this.problem = [...(this.problem === before ? [] : [this.problem]), ...sentences].join(' ');
      for (const { name, used } of refused) own(this)[name] = used;
    }

    protected override settings(): Record<string, string> {
      return { ...super.settings(), ...attributesOf(declared, valuesOf(declared, this)) };
    }
  }
  return WithSettings as never;
}
