// Flags that set the options of the package's verbs: `--d-model 64` sets dModel.
import { kebab } from './declare.mjs';

/**
 * @typedef {object} Option
 * @property {string} says
 * @property {readonly string[]} [of] A choice of these.
 * @property {'integer' | 'number' | 'boolean' | 'text'} [kind] Default: an integer, or a choice if `of` is given.
 */

/** Words for option values. */
const words = { true: true, false: false };

/**
 * @param {Readonly<Record<string, Option>>} options By the option's name. @param {string} heading
 * @returns {Record<string, import('./declare.mjs').Flag>}
 */
export function flagsOf(options, heading) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { says, of, kind = of === undefined ? 'integer' : 'text' }]) => {
      if (kind === 'boolean') return [kebab(name), { kind: 'choice', of: Object.keys(words), says, heading }];
      if (of !== undefined) return [kebab(name), { kind: 'choice', of, says, heading }];
      return [kebab(name), { kind, says, heading, ...(kind === 'integer' ? { least: 0 } : {}) }];
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
