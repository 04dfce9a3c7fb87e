/** Pairs of texts: generated for a task, parsed from lines, and encoded as tokens. */
import { PAIR_TASK } from '../generated/words.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import { DEFAULT_LENGTH, ENDS, MAX_COUNT, MAX_LENGTH, MAX_PAIRS, MAX_SIDE, WITH_LENGTH } from './pair-tasks.js';
import { allocateResult, type Runtime } from '../runtime/runtime.js';
import { CoreTokenizer } from './tokenizer.js';
import type { EncodedPairs, EncodePairsOptions, PairTaskOptions, TextPair } from '../types.js';
import {
  checkAbsent,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSeed,
  checkString,
  readList,
} from '../runtime/validate.js';
import type { StoriesModule } from '../runtime/wasm-module.js';

const MAX_FROM = 2 ** 32 - 1;
/** Pairs per call: their texts stay small. */
const COUNT_AT_ONCE = 2 ** 13;

const [START, END] = ENDS;
const WITHOUT_ENDS = 'a text, without U+0002 and U+0003';
const hasEnd = (text: string): boolean => ENDS.some((end) => text.includes(end));

export function writePairs(runtime: Runtime<StoriesModule>, options: PairTaskOptions): TextPair[] {
  const given = checkOptions('options', options, ['task', 'seed', 'count', 'from', 'length']);
  const task = checkChoice('options.task', given.task, PAIR_TASK);
  const seed = checkSeed('options.seed', given.seed);
  const count = checkInteger('options.count', given.count, 1, MAX_COUNT);
  const { from = 0, length = DEFAULT_LENGTH } = given;
  checkInteger('options.from', from, 0, MAX_FROM);
  if (!WITH_LENGTH.includes(task)) checkAbsent('options.length', given.length, "a task 'reversal' or 'sorting'");
  checkInteger('options.length', length, 1, MAX_LENGTH);
  const pairs: TextPair[] = [];
  while (pairs.length < count) {
    const [first, some] = [from + pairs.length, Math.min(count - pairs.length, COUNT_AT_ONCE)];
    const lines = runtime.call(
      [],
      (module) => module.writePairs(PAIR_TASK.indexOf(task), seed, length, first, some),
      (answer) => answer.text(),
    );
    for (const line of lines.split('\n').slice(0, -1)) {
      const [source = '', target = ''] = line.split('\t');
      pairs.push({ source, target });
    }
  }
  return pairs;
}

export function parsePairs(text: string): TextPair[] {
  // Without the byte order mark that some editors put at the start of a file, and `readFile` leaves there.
  const lines = checkString('text', text).replace(/^\uFEFF/, '');
  const pairs: TextPair[] = [];
  // Line by line, so a text of millions of lines is refused before all of it is split.
  for (let begin = 0, number = 1; begin < lines.length; number++) {
    const end = lines.indexOf('\n', begin);
    const line = lines.slice(begin, end < 0 ? lines.length : end).replace(/\r$/, '');
    begin = end < 0 ? lines.length : end + 1;
    if (line === '') continue;
    const [source = '', target] = line.split('\t', 2);
    const refuse = (found: string, expected: string): never => {
      throw new TiedError('invalid-argument', `line ${number} of text ${found}; expected ${expected}`);
    };
    if (source === '' || !target) {
      const found = target === undefined ? 'has no tab' : `has no ${source === '' ? 'source' : 'target'}`;
      return refuse(found, 'a source, a tab and a target');
    }
    for (const [name, side] of Object.entries({ source, target })) {
      if (side.length > MAX_SIDE) refuse(`has a ${name} of ${side.length} characters`, `at most ${MAX_SIDE}`);
      if (hasEnd(side)) refuse(`has a ${name} with a control character`, WITHOUT_ENDS);
    }
    if (pairs.length === MAX_PAIRS) refuse('is one pair too many', `at most ${MAX_PAIRS} pairs`);
    pairs.push({ source, target });
  }
  if (pairs.length === 0) throw invalidArgument('text', text, 'at least one line with a source, a tab and a target');
  return pairs;
}

/** A text with every character of a tokenizer for pairs. */
export function textOfPairs(argument: string, pairs: unknown): string {
  const characters = new Set<string>();
  for (const { source, target } of checkTexts(argument, pairs))
    for (const each of source + target) characters.add(each);
  return START + END + [...characters].join('');
}

function checkTexts(argument: string, value: unknown): TextPair[] {
  const list = readList(value, 1, MAX_PAIRS);
  if (!list) throw invalidArgument(argument, value, `an array of 1 to ${MAX_PAIRS} pairs { source, target }`);
  return list.map((pair, i) => {
    const { source, target } = checkOptions(`${argument}[${i}]`, pair as TextPair, ['source', 'target']);
    const check = (name: string, text: unknown): string => {
      const checked = checkString(`${argument}[${i}].${name}`, text);
      if (checked.length > MAX_SIDE) {
        throw invalidArgument(`${argument}[${i}].${name}.length`, checked.length, `at most ${MAX_SIDE}`);
      }
      if (checked !== '' && !hasEnd(checked)) return checked;
      throw invalidArgument(`${argument}[${i}].${name}`, text, WITHOUT_ENDS);
    };
    return { source: check('source', source), target: check('target', target) };
  });
}

export function encodePairs(options: EncodePairsOptions): EncodedPairs {
  const given = checkOptions('options', options, ['pairs', 'tokenizer']);
  const texts = checkTexts('options.pairs', given.pairs);
  const { tokenizer } = given;
  if (!CoreTokenizer.is(tokenizer)) throw invalidArgument('options.tokenizer', tokenizer, 'a tokenizer');
  const [startToken, endToken] = endsOf(tokenizer);
  // All at once, because one call per text would take far longer than the encoding.
  const lines = allocateResult(() => texts.map(({ source, target }) => source + END + target + END).join(''));
  let ids: Uint32Array;
  try {
    ids = tokenizer.encodeAs('options.pairs', lines);
  } catch (error) {
    nameText(tokenizer, texts);
    throw error;
  }
  const sequences: Uint32Array[] = [];
  for (let begin = 0, end = ids.indexOf(endToken); end >= 0; begin = end + 1, end = ids.indexOf(endToken, begin)) {
    sequences.push(ids.slice(begin, end));
  }
  const source = sequences.filter((_, i) => i % 2 === 0);
  const target = sequences.filter((_, i) => i % 2 === 1);
  const longest = (list: readonly Uint32Array[]): number =>
    list.reduce((most, { length }) => Math.max(most, length), 0);
  return {
    pairs: { source, target },
    sourceLength: longest(source),
    contextLength: longest(target) + 1,
    startToken,
    endToken,
  };
}

/** Finds the text that cannot be encoded, and refuses it by name. */
function nameText(tokenizer: CoreTokenizer, texts: readonly TextPair[]): void {
  for (const [i, pair] of texts.entries()) {
    for (const name of ['source', 'target'] as const) tokenizer.encodeAs(`options.pairs[${i}].${name}`, pair[name]);
  }
}

function endsOf(tokenizer: CoreTokenizer): [startToken: number, endToken: number] {
  const expected = 'a tokenizer made by pairTokenizer';
  if (tokenizer.kind !== 'character') throw invalidArgument('options.tokenizer.kind', tokenizer.kind, expected);
  let ids: Uint32Array;
  try {
    ids = tokenizer.encode(START + END);
  } catch (cause) {
    if (!(cause instanceof TiedError) || cause.code !== 'invalid-argument') throw cause;
    throw invalidArgument('options.tokenizer', tokenizer, expected);
  }
  const [start, end] = ids as unknown as [number, number];
  // The tokenizer has a token for unknown characters.
  if (start === end) throw invalidArgument('options.tokenizer', tokenizer, expected);
  return [start, end];
}
