/** What the files of a model say of its settings, each with the place that says it. Other architectures are refused by name. */
import { describeValue, TiedError } from '../errors.js';
import { badFile } from './source.js';

/** Settings that files say, of those in `TransformerConfig`. */
export type Setting =
  | 'vocabSize'
  | 'dModel'
  | 'nLayers'
  | 'nHeads'
  | 'nKeyValueHeads'
  | 'contextLength'
  | 'dFeedForward'
  | 'normEpsilon'
  | 'rotaryBase'
  | 'feedForward';

export interface Said {
  readonly value: number | 'gelu' | 'swiglu';
  /** As in a sentence: `n_head of config.json`. */
  readonly where: string;
}

export type Says = Map<Setting, Said>;

/** Fields of one file: their values are of any type until they are read. */
export class SaidFields {
  readonly says: Says = new Map();
  readonly #file: string;
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(file: string, fields: ReadonlyMap<string, unknown>) {
    this.#file = file;
    this.#fields = fields;
  }

  /** Null counts as absent, as in all of these formats. */
  get(field: string): unknown {
    return this.#fields.get(field) ?? undefined;
  }

  names(): Iterable<string> {
    return this.#fields.keys();
  }

  /** Whole numbers of at least 1, by the name of their field. */
  sizes(fields: Partial<Record<Setting, string>>): void {
    for (const [setting, field] of Object.entries(fields) as [Setting, string][])
      this.#number(setting, field, 'an integer of at least 1', (value) => Number.isSafeInteger(value) && value >= 1);
  }

  positive(setting: Setting, field: string): void {
    this.#number(setting, field, 'a positive number', (value) => Number.isFinite(value) && value > 0);
  }

  #number(setting: Setting, field: string, expected: string, accepts: (value: number) => boolean): void {
    const value = this.get(field);
    if (value === undefined) return;
    if (typeof value !== 'number' || !accepts(value)) throw this.wrong(field, expected);
    this.says.set(setting, { value, where: this.where(field) });
  }

  /** A setting that the field's value means. */
  means(setting: Setting, field: string, meanings: Readonly<Record<string, Said['value']>>): void {
    const value = this.get(field);
    if (value === undefined) return;
    const known = Object.keys(meanings);
    if (typeof value !== 'string' || !known.includes(value))
      throw this.foreign(field, known.map((name) => `'${name}'`).join(' or '));
    this.says.set(setting, { value: meanings[value]!, where: this.where(field) });
  }

  /** Where a setting is not said: what a file of this kind means then. */
  otherwise(setting: Setting, value: Said['value'], why: string, notes: string[]): void {
    if (this.says.has(setting)) return;
    this.says.set(setting, { value, where: why });
    notes.push(`${this.#file} does not say ${setting}: it is ${value}, ${why}.`);
  }

  /** Refuses a field whose value is not one of these; absent is fine. */
  only(field: string, expected: string, ...accepted: unknown[]): void {
    const value = this.get(field);
    if (value !== undefined && !accepted.includes(value)) throw this.foreign(field, expected);
  }

  where(field: string): string {
    return `${field} of ${this.#file}`;
  }

  /** Damaged, or not of the form that the format has. */
  wrong(field: string, expected: string): TiedError {
    return badFile(this.#file, `${field} is ${describeValue(this.get(field))}; expected ${expected}`);
  }

  /** Valid, but of another architecture than those that run here. */
  foreign(field: string, expected: string): TiedError {
    return new TiedError(
      'unsupported',
      `${this.#file}: ${field} is ${describeValue(this.get(field))}; expected ${expected} to run the model`,
    );
  }
}
