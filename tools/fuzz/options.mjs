// Command line of `npm run fuzz`.
import { parseArgs } from 'node:util';
import { SetupProblem } from '../lib/steps.mjs';

export const KINDS = ['calls', 'files', 'checkpoints', 'verdicts', 'experiments', 'labs'];
/** Calls; fewer of labs, because they wait for each other and for a thread. `native`: seconds for each libFuzzer program. */
const USUAL = {
  calls: 1_000_000,
  files: 1_000_000,
  checkpoints: 500_000,
  verdicts: 100_000,
  experiments: 20_000,
  labs: 50_000,
  native: 60,
};

function wholeNumber(name, text) {
  const number = Number(text?.replaceAll('_', ''));
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new SetupProblem(`${name} is ${text ?? 'missing'}; expected an integer`);
  }
  return number;
}

function replayOf(text) {
  const [kind, seed, episode, number, ...more] = text.split('/');
  if (!KINDS.includes(kind) || more.length > 0) {
    throw new SetupProblem(`--replay is ${text}; expected ${KINDS.join(', ')}, then /seed/episode/number`);
  }
  const of = (part) => wholeNumber('--replay', part);
  return { kind, seed: of(seed), episode: of(episode), number: of(number) };
}

/**
 * { seed, verbs, runs: [{ kind, calls }], replay?, native? } from the arguments of `npm run fuzz --`. `now`: a fresh seed; `native`:
 * seconds for each libFuzzer program, if they are to run.
 */
export function fuzzOptions(words, now = Date.now()) {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values, positionals } = parseArgs({
    ...{ args: words, allowPositionals: true },
    options: { seconds: text, seed: text, calls: text, replay: text, verb: { ...text, multiple: true } },
  });
  const { verb: verbs = [] } = values;
  if (values.replay !== undefined) {
    const replay = replayOf(values.replay);
    return { seed: replay.seed, verbs, replay, runs: [{ kind: replay.kind, calls: 1 }], native: undefined };
  }
  const kinds = positionals.filter((word) => word !== 'native');
  const wrong = kinds.find((word) => !KINDS.includes(word));
  if (wrong !== undefined) throw new SetupProblem(`the kind is ${wrong}; expected ${KINDS.join(', ')} or native`);
  /** @param {'seconds' | 'seed' | 'calls'} name @param {number} [usual] */
  const numberOf = (name, usual) => (values[name] === undefined ? usual : wholeNumber(`--${name}`, values[name]));
  const [seed, seconds] = [numberOf('seed', now % 2 ** 31), numberOf('seconds', USUAL.native)];
  const native = kinds.length < positionals.length;
  const all = kinds.length === 0 && !native;
  const runs = (all ? KINDS : kinds).map((kind) => ({ kind, calls: numberOf('calls', USUAL[kind]) }));
  return { seed, verbs, runs, ...(all || native ? { native: seconds } : {}) };
}
