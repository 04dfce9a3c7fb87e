// Flags that set the options of the package's verbs: `--d-model 64` sets dModel.
import { kebab } from './declare.mjs';
import { Refusal } from './exit-codes.mjs';

/**
 * @typedef {object} Option
 * @property {string} summary
 * @property {readonly string[]} [of] A choice of these.
 * @property {'integer' | 'number' | 'boolean' | 'text'} [kind] Default: an integer, or a choice if `of` is given.
 * @property {number} [least] Of an integer; default 0.

 * @typedef {import('./command-parts.js').Fields} Fields
 */

/** Words for option values. */
const words = { true: true, false: false };

/**
 * @param {Readonly<Record<string, Option>>} options By the option's name. @param {string} heading
 * @returns {Record<string, import('./declare.mjs').Flag>}
 */
export function flagsOf(options, heading) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { summary, of, kind = of === undefined ? 'integer' : 'text', least = 0 }]) => {
      if (kind === 'boolean') return [kebab(name), { kind: 'choice', of: Object.keys(words), summary, heading }];
      if (of !== undefined) return [kebab(name), { kind: 'choice', of, summary, heading }];
      return [kebab(name), { kind, summary, heading, ...(kind === 'integer' ? { least } : {}) }];
    }),
  );
}

/**
 * The options whose flags were given.
 * @param {Readonly<Record<string, Option>>} options @param {Readonly<Record<string, any>>} flags
 * @returns {Record<string, any>}
 */
export function optionsOf(options, flags) {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, { kind }]) => {
      const value = flags[kebab(name)];
      if (value === undefined) return [];
      return [[name, kind === 'boolean' ? words[value] : value]];
    }),
  );
}

/**
 * Options are named in a refusal by the flags that set them, where these were given: `model.nHeads` is `--n-heads`.
 * @param {unknown} error @param {Record<string, any>} flags
 */
export function withFlags(error, flags) {
  if (!(error instanceof Refusal)) return error;
  const message = error.message.replaceAll(
    /\b(tokenizer|model|training|architecture|batch|context)\.(\w+)|^validation\b/g,
    (path, part, option = 'validation') => {
      const flag = part === 'tokenizer' && option === 'kind' ? 'tokenizer' : kebab(option);
      return flags[flag] === undefined ? path : `--${flag}`;
    },
  );
  return new Refusal(message, error.exitCode);
}

/** Near 0 as JavaScript source has it: 1e-5. @param {unknown} value */
const shown = (value) => (typeof value === 'number' && value > 0 && value < 1e-3 ? value.toExponential() : `${value}`);

/** @param {readonly string[]} words @param {unknown} initial */
function choiceOf(words, initial) {
  const all = words.map((word) => (word === initial ? `${word} (default)` : word));
  return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/**
 * Options with the words, kinds and defaults of the package's table of fields.
 * @param {readonly [fields: Fields, defaults?: Readonly<Record<string, unknown>>]} table
 * @param {Readonly<Record<string, string | Option>>} options By the option's name: its words, to which the choices or
 * the default are added; or the whole option, which differs from the table.
 * @returns {Readonly<Record<string, Option>>}
 */
export function withFields([fields, defaults = {}], options) {
  const entries = Object.entries(options).map(([name, summary]) => {
    const { [name]: field } = fields;
    if (typeof summary !== 'string') return [name, { ...(field && kindOf(field)), ...summary }];
    const initial = defaults[name] ?? field?.omitted;
    const more = field?.words ? choiceOf(field.words, initial) : `default: ${shown(initial)}`;
    const whole = field?.words ? `${summary}: ${more}` : `${summary} (${more})`;
    return [name, { ...kindOf(field), summary: summary === '' ? more : whole }];
  });
  return Object.fromEntries(entries);
}

/** Without a field of its own, an option is a factor. @param {Fields[string] | undefined} field @returns {Partial<Option>} */
function kindOf({ words, flag, whole } = {}) {
  if (words) return { of: words };
  return whole ? {} : { kind: flag ? 'boolean' : 'number' };
}
