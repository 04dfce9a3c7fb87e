// Command line of `npm run fuzz`.
import { SetupProblem } from '../lib/steps.mjs';

export const KINDS = ['calls', 'files', 'checkpoints', 'verdicts', 'experiments', 'labs'];
/** Fewer calls of labs, because they wait for each other and for a thread. */
const USUAL = {
  calls: 1_000_000,
  files: 1_000_000,
  checkpoints: 500_000,
  verdicts: 100_000,
  experiments: 20_000,
  labs: 50_000,
};

/** For each libFuzzer program. */
const NATIVE_SECONDS = 60;

function wholeNumber(name, text) {
  const number = Number(text?.replaceAll('_', ''));
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new SetupProblem(`${name} is ${text ?? 'missing'}; expected an integer`);
  }
  return number;
}

function replayOf(text) {
  const [kind, seed, episode, number, ...more] = text?.split('/') ?? [];
  if (!KINDS.includes(kind) || more.length > 0) {
    throw new SetupProblem(
      `--replay is ${text ?? 'missing'}; expected calls, files, checkpoints, verdicts, experiments or labs, then /seed/episode/number`,
    );
  }
  const of = (part) => wholeNumber('--replay', part);
  return { kind, seed: of(seed), episode: of(episode), number: of(number) };
}

/**
 * { seed, verbs, runs: [{ kind, calls }], replay?, native? } from the arguments of `npm run fuzz --`. `now`: a fresh seed; `native`:
 * seconds for each libFuzzer program, if they are to run.
 */
export function fuzzOptions(words, now = Date.now()) {
  const options = { seed: now % 2 ** 31, verbs: [], calls: undefined, replay: undefined };
  let [native, seconds] = [false, NATIVE_SECONDS];
  const kinds = [];
  const rest = words.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s).slice(0, 2) : [word]));
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (KINDS.includes(word)) kinds.push(word);
    else if (word === 'native') native = true;
    else if (word === '--seconds') seconds = wholeNumber(word, rest.shift());
    else if (word === '--seed') options.seed = wholeNumber(word, rest.shift());
    else if (word === '--calls') options.calls = wholeNumber(word, rest.shift());
    else if (word === '--verb') options.verbs.push(rest.shift());
    else if (word === '--replay') options.replay = replayOf(rest.shift());
    else {
      throw new SetupProblem(
        `${word} is not an option; expected calls, files, checkpoints, verdicts, experiments, labs or native, --seed, --calls, --seconds, --verb or --replay: see CONTRIBUTING.md`,
      );
    }
  }
  const { seed, verbs, calls, replay } = options;
  if (replay) return { seed: replay.seed, verbs, replay, runs: [{ kind: replay.kind, calls: 1 }], native: undefined };
  const all = kinds.length === 0 && !native;
  const runs = (all ? KINDS : kinds).map((kind) => ({ kind, calls: calls ?? USUAL[kind] }));
  return { seed, verbs, runs, ...(all || native ? { native: seconds } : {}) };
}
