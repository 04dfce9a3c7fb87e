// A verb is declared once; argument parsing, help and completion all use the declaration.
import { parseArgs } from 'node:util';
import { nearest } from './command-parts.js';
import { Refusal } from './exit-codes.mjs';

/**
 * @typedef {object} Flag
 * @property {'switch' | 'integer' | 'number' | 'choice' | 'text' | 'file' | 'folder'} kind A switch takes no value.
 * @property {string} summary Lower case, no full stop.
 * @property {string} [value] Placeholder of the value in the help.
 * @property {number} [least] @property {number} [most]
 * @property {readonly string[]} [of] The words of a choice.
 * @property {string} [heading] The heading under which it is listed; absent: the first.
 *
 * @typedef {object} Operand
 * @property {string} name As shown in the help.
 * @property {'file' | 'text' | 'choice'} kind
 * @property {boolean} [optional]
 * @property {boolean} [repeated] For the last operand: any number of them.
 * @property {readonly string[]} [of] The words of a choice.
 *
 * @typedef {object} Verb
 * @property {string} name One or two words.
 * @property {string} summary One line for the list of verbs.
 * @property {string} about
 * @property {readonly Operand[]} operands
 * @property {Readonly<Record<string, Flag>>} flags
 * @property {readonly string[]} examples
 * @property {(given: Given) => Promise<number>} run Returns the exit code.
 *
 * @typedef {object} Given What a verb is called with. Flags not given are absent.
 * @property {Record<string, any>} flags @property {string[]} operands
 */

/** @type {Readonly<Record<string, Flag>>} */
export const common = {
  quiet: { kind: 'switch', summary: 'no progress' },
  json: { kind: 'switch', summary: 'the result on stdout, as JSON' },
};
/** @type {Flag} */
const helpFlag = { kind: 'switch', summary: 'this text' };

/** What can follow the verb: its flags, and --help. @param {Verb} verb */
export const allFlags = ({ flags }) => ({ ...flags, help: helpFlag });

/**
 * @param {Verb} verb @param {readonly string[]} words
 * @returns {Given}
 */
export function readArguments(verb, words) {
  const options = Object.fromEntries(
    Object.entries(verb.flags).map(([name, { kind }]) => [
      name,
      { type: /** @type {'boolean' | 'string'} */ (kind === 'switch' ? 'boolean' : 'string') },
    ]),
  );
  // Not strict: our own messages name the nearest flag, and a value may begin with a minus sign.
  const { tokens } = parseArgs({ args: [...words], options, allowPositionals: true, strict: false, tokens: true });
  /** @type {Record<string, any>} */
  const flags = {};
  const operands = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(verb.flags, token.name) ? verb.flags[token.name] : undefined;
    if (flag === undefined) throw new Refusal(unknown(token.rawName, Object.keys(verb.flags), verb.name));
    if (Object.hasOwn(flags, token.name)) throw new Refusal(`--${token.name} was given twice`);
    flags[token.name] = valueOf(token, flag);
  }
  checkOperands(verb, operands);
  return { flags, operands };
}

function unknown(written, names, verb) {
  const close = nearest(written.replace(/^-+/, ''), names);
  const hint = close === null ? `see tied-embeddings ${verb} --help` : `did you mean --${close}?`;
  return `${written} is not an option of ${verb}; ${hint}`;
}

/** @param {{ name: string, value?: string, inlineValue?: boolean }} token @param {Flag} flag */
function valueOf({ name, value, inlineValue }, flag) {
  if (flag.kind === 'switch') {
    if (value !== undefined) throw new Refusal(`--${name} is '${value}'; expected no value`);
    return true;
  }
  if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    throw new Refusal(`--${name} has no value; expected ${expected(flag)}`);
  }
  return checkedValue(`--${name}`, value, flag);
}

/** @param {string} name @param {string} word @param {Pick<Flag, 'kind' | 'least' | 'most' | 'of'>} flag */
export function checkedValue(name, word, flag) {
  const { kind, least = -Infinity, most = Infinity, of = [] } = flag;
  const wrong = () => new Refusal(`${name} is '${word}'; expected ${expected(flag)}`);
  if (kind === 'choice') {
    if (!of.includes(word)) throw wrong();
    return word;
  }
  if (kind !== 'integer' && kind !== 'number') {
    if (word === '' && kind !== 'text') throw wrong();
    return word;
  }
  const number = Number(word);
  const written = kind === 'integer' ? /^\d+$/.test(word) : word.trim() === word && word !== '';
  if (!written || !Number.isFinite(number) || number < least || number > most) throw wrong();
  return number;
}

/** @param {Pick<Flag, 'kind' | 'least' | 'most' | 'of'>} flag */
function expected({ kind, least, most, of = [] }) {
  if (kind === 'choice') return `one of ${of.join(', ')}`;
  if (kind === 'file' || kind === 'folder') return `the name of a ${kind}`;
  if (kind !== 'integer' && kind !== 'number') return 'a text';
  const noun = kind === 'integer' ? 'an integer' : 'a number';
  if (least !== undefined && most !== undefined) return `${noun} from ${least} to ${most}`;
  return least === undefined ? noun : `${noun} of at least ${least}`;
}

/** As shown in the help. @param {Operand} operand */
export const nameOfOperand = ({ name, optional = false, repeated = false }) =>
  `${optional ? `[${name}]` : name}${repeated ? ' ...' : ''}`;

/** @param {Verb} verb @param {string[]} operands */
function checkOperands({ operands: declared }, operands) {
  const least = declared.filter(({ optional = false }) => !optional).length;
  const most = declared.at(-1)?.repeated === true ? Infinity : declared.length;
  if (operands.length < least || operands.length > most) {
    const names = declared.map(nameOfOperand).join(' ');
    throw new Refusal(
      declared.length === 0
        ? `'${operands[0]}' was given; expected options only`
        : `${operands.length} ${operands.length === 1 ? 'argument was' : 'arguments were'} given; expected ${names}`,
    );
  }
  operands.forEach((word, i) => {
    const { name, kind, of } = declared[Math.min(i, declared.length - 1)];
    if (kind === 'choice') checkedValue(name, word, { kind, of });
    else if (word === '' && kind === 'file') throw new Refusal(`${name} is empty; expected the name of a file`);
  });
}

/** `dModel` as a flag: `d-model`. @param {string} name */
export const kebab = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
