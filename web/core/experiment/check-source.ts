/** Checks the source of an experiment's text or pairs. */
import { PAIR_TASK } from '../generated/words.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { ExperimentPairs, ExperimentText } from './types.js';
import { MAX_COUNT, MAX_LENGTH, WITH_LENGTH } from '../text/pair-tasks.js';
import type { PairTaskOptions, TextPair } from '../types.js';
import {
  checkAbsent,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSeed,
  checkString,
  isRecord,
  readList,
} from '../runtime/validate.js';
import { checkPlain } from './plain-data.js';

/** Maximum pairs in the experiment itself; more belong in a file. */
const MAX_LISTED = 10_000;

/** Exactly one of the two, under its name. */
export function checkSource(text: unknown, pairs: unknown): { text: ExperimentText } | { pairs: ExperimentPairs } {
  if (pairs === undefined) return { text: checkTextSource(text, 'spec.text', '; or spec.pairs instead') };
  if (text !== undefined)
    throw invalidArgument('spec.pairs', pairs, 'it to be absent where spec.text is given: models read one of them');
  return { pairs: checkPairSource(pairs) };
}

export function checkTextSource(value: unknown, argument: string, otherwise = ''): ExperimentText {
  const expected = '{ string }, { file }, { stories } or { markov }';
  if (value === undefined) throw invalidArgument(argument, value, `${expected}${otherwise}`);
  if (!isRecord(value)) throw invalidArgument(argument, value, expected);
  const text = checkOptions(argument, value, ['string', 'file', 'stories', 'markov']);
  const kinds = Object.keys(text);
  if (kinds.length !== 1)
    throw new TiedError('invalid-argument', `${argument} has ${kinds.length} fields; expected one of ${expected}`);
  if ('string' in text) return { string: checkString(`${argument}.string`, text['string']) };
  if ('file' in text) return { file: checkString(`${argument}.file`, text['file']) };
  if ('stories' in text) {
    const stories = checkOptions(`${argument}.stories`, text['stories'] as { seed: number; length: number }, [
      'seed',
      'length',
    ]);
    return {
      stories: {
        seed: checkSeed(`${argument}.stories.seed`, stories.seed),
        length: checkInteger(`${argument}.stories.length`, stories.length, 1),
      },
    };
  }
  const markov = checkOptions(
    `${argument}.markov`,
    text['markov'] as { states: number; seed: number; length: number },
    ['states', 'length', 'seed'],
  );
  return {
    markov: {
      states: checkInteger(`${argument}.markov.states`, markov.states, 2),
      length: checkInteger(`${argument}.markov.length`, markov.length, 2),
      seed: checkSeed(`${argument}.markov.seed`, markov.seed),
    },
  };
}

function checkPairSource(value: unknown): ExperimentPairs {
  const expected = '{ task, seed, count }, { file } or { list }';
  if (!isRecord(value)) throw invalidArgument('spec.pairs', value, expected);
  const pairs = checkOptions<Record<string, unknown>>('spec.pairs', value, [
    'task',
    'seed',
    'count',
    'length',
    'file',
    'list',
  ]);
  const kinds = ['task', 'file', 'list'].filter((name) => name in pairs);
  if (kinds.length !== 1) {
    const what = kinds.length === 0 ? 'none' : kinds.join(' and ');
    throw new TiedError('invalid-argument', `spec.pairs has ${what} of task, file and list; expected ${expected}`);
  }
  if ('task' in pairs) return checkTask(pairs);
  for (const name of ['seed', 'count', 'length']) checkAbsent(`spec.pairs.${name}`, pairs[name], 'a task');
  if ('file' in pairs) return { file: checkString('spec.pairs.file', pairs['file']) };
  const list = readList(pairs['list'], 1, MAX_LISTED);
  if (list === null) {
    throw invalidArgument('spec.pairs.list', pairs['list'], `a list of 1 to ${MAX_LISTED} pairs { source, target }`);
  }
  return {
    list: list.map((one, i) => {
      const argument = `spec.pairs.list[${i}]`;
      const pair = checkOptions(argument, one as TextPair, ['source', 'target']);
      checkPlain(argument, pair);
      return {
        source: checkSide(`${argument}.source`, pair.source),
        target: checkSide(`${argument}.target`, pair.target),
      };
    }),
  };
}

/** Checks one side of a pair, as in a line of a file. */
function checkSide(argument: string, value: unknown): string {
  const text = checkString(argument, value);
  // oxlint-disable-next-line no-control-regex
  if (text === '' || text.length > MAX_LENGTH || /[\u0002\u0003\t\r\n]/.test(text)) {
    const expected = `a text of one line, at most ${MAX_LENGTH} characters, without tabs, U+0002 and U+0003`;
    throw invalidArgument(argument, text, expected);
  }
  return text;
}

function checkTask(given: Record<string, unknown>): Omit<PairTaskOptions, 'from'> {
  const task = checkChoice('spec.pairs.task', given['task'], PAIR_TASK);
  const { length } = given;
  if (!WITH_LENGTH.includes(task)) checkAbsent('spec.pairs.length', length, "a task 'reversal' or 'sorting'");
  return {
    task,
    seed: checkSeed('spec.pairs.seed', given['seed']),
    count: checkInteger('spec.pairs.count', given['count'], 1, MAX_COUNT),
    ...(length === undefined ? {} : { length: checkInteger('spec.pairs.length', length, 1, MAX_LENGTH) }),
  };
}
