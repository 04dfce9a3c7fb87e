/** The settings in the files of a model, each with the place that states it. Other architectures are refused by name. */
import { describeValue, TiedError } from '../../runtime/errors.js';
import { badFile } from '../bytes/source.js';

/** The settings of `TransformerConfig` that files may state. */
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
  /** The place as part of a sentence: `n_head of config.json`. */
  readonly where: string;
}

export type Says = Map<Setting, Said>;

/** Fields of one file, with values of any type until they are read. */
export class SaidFields {
  readonly says: Says = new Map();
  readonly #file: string;
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(file: string, fields: ReadonlyMap<string, unknown>) {
    this.#file = file;
    this.#fields = fields;
  }

  /** Null means absent, as in all of these formats. */
  get(field: string): unknown {
    return this.#fields.get(field) ?? undefined;
  }

  names(): Iterable<string> {
    return this.#fields.keys();
  }

  /** Reads integers of at least 1, by the names of their fields. */
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

  /** Reads a setting from the meaning of a field's value. */
  means(setting: Setting, field: string, meanings: Readonly<Record<string, Said['value']>>): void {
    const value = this.get(field);
    if (value === undefined) return;
    const known = Object.keys(meanings);
    if (typeof value !== 'string' || !known.includes(value))
      throw this.foreign(field, known.map((name) => `'${name}'`).join(' or '));
    this.says.set(setting, { value: meanings[value]!, where: this.where(field) });
  }

  /** The value that a file of this kind implies for an unstated setting. */
  otherwise(setting: Setting, value: Said['value'], why: string, notes: string[]): void {
    if (this.says.has(setting)) return;
    this.says.set(setting, { value, where: why });
    notes.push(`${this.#file} does not set ${setting}, so it is ${value}, ${why}.`);
  }

  /** Refuses a field whose value is not one of these; absent is fine. */
  only(field: string, expected: string, ...accepted: unknown[]): void {
    const value = this.get(field);
    if (value !== undefined && !accepted.includes(value)) throw this.foreign(field, expected);
  }

  where(field: string): string {
    return `${field} of ${this.#file}`;
  }

  /** For a value that is damaged or does not follow the format. */
  wrong(field: string, expected: string): TiedError {
    return badFile(this.#file, `${field} is ${describeValue(this.get(field))}; expected ${expected}`);
  }

  /** For a value that is valid, but belongs to an architecture that does not run here. */
  foreign(field: string, expected: string): TiedError {
    return new TiedError(
      'unsupported',
      `${this.#file}: ${field} is ${describeValue(this.get(field))}; expected ${expected} to run the model`,
    );
  }
}
