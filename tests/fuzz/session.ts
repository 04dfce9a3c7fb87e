/** Shared by calls on the core and on a lab: targets, arguments, and how they are spoiled. */
import { OPTIONAL_MODULES } from '../../web/core/runtime/modules.js';
import { loadCore, type Core } from '../../web/index.js';
import { Draw } from './draw.js';
import { COMPARISON_VERBS, CORPUS_VERBS } from './grammar/corpus-verbs.js';
import { BIGRAMS_VERBS, TOKENIZER_VERBS, TRAINER_VERBS } from './grammar/handle-verbs.js';
import { CORE_VERBS } from './grammar/core-verbs.js';
import type { Verb } from './grammar/verb.js';
import { spoil } from './hostile/spoil.js';
import type { Script } from './source.js';
import { ownError, type Fault, type Outcome } from './verdict.js';
import type { World } from './world.js';

export const GRAMMAR = {
  core: CORE_VERBS,
  trainer: TRAINER_VERBS,
  tokenizer: TOKENIZER_VERBS,
  bigrams: BIGRAMS_VERBS,
  corpus: CORPUS_VERBS,
  comparison: COMPARISON_VERBS,
};
type Kind = keyof typeof GRAMMAR;

/** 'trainer.run' and so on. */
export const VERB_NAMES: readonly string[] = Object.entries(GRAMMAR).flatMap(([kind, verbs]) =>
  Object.keys(verbs).map((verb) => `${kind}.${verb}`),
);

/** How often handles, or everything, may be disposed of. */
const RARE: Readonly<Record<string, number>> = {
  'core.dispose': 0.03,
  'trainer.dispose': 0.2,
  'tokenizer.dispose': 0.2,
  'corpus.dispose': 0.2,
  'comparison.dispose': 0.2,
};
/** Targets of later calls; free of hostile values. */
const SETTING_UP = [
  'core.createTrainer',
  'core.trainTokenizer',
  'core.bigrams',
  'core.openCorpus',
  'core.compare',
  'trainer.save',
  'tokenizer.save',
];

export type Counts = Record<'calls' | Outcome, number>;
export type Table = Record<string, Counts>;

export const newTable = (names: readonly string[]): Table =>
  Object.fromEntries(names.map((name) => [name, { calls: 0, returned: 0, refused: 0, own: 0 }]));

export interface Report {
  /** Called before each call of the fuzzer, but not before nested ones. */
  onCall?(number: number): void;
  /** Makes the choices of a case or of the first of several: at random from these numbers, unless it is shrunk. */
  draw?(...numbers: readonly number[]): Draw;
  /** If a case is repeated many times: its core, which must not be disposed of. What is only checked after all cases is left out. */
  loadCore?(): Promise<Core>;
  /** Writes the cases. */
  readonly script?: Script | null;
  /** Called with the verb, the number of the call in its episode, and the fault. */
  onFault(verb: string, number: number, fault: Fault): void;
}

export const coreFor = (report: Report): Promise<Core> =>
  report.loadCore?.() ?? loadCore({ modules: OPTIONAL_MODULES });

export const drawFor = (report: Report, ...numbers: readonly number[]): Draw =>
  report.draw?.(...numbers) ?? new Draw(...numbers);

export interface Chosen {
  name: string;
  spoiled: boolean;
}

/** The verb of the next call; null to skip it. */
export function chooseVerb(draw: Draw, verbs: readonly string[]): Chosen | null {
  const settingUp = draw.odds(0.15);
  const name = draw.of(settingUp ? SETTING_UP : verbs);
  return draw.odds(RARE[name] ?? 1) ? { name, spoiled: !settingUp } : null;
}

export interface Prepared {
  verb: Verb;
  on: object;
  method: string;
}

/** The object that has the verb; null if there is none yet. */
export function prepare(draw: Draw, world: World, name: string): Prepared | null {
  const [kind, method] = name.split('.') as [Kind, string];
  const { core, trainers, tokenizers, tables, corpora, comparisons } = world;
  const pools = {
    trainer: trainers,
    tokenizer: tokenizers,
    bigrams: tables,
    corpus: corpora,
    comparison: comparisons,
  };
  if (name === 'core.compare' && corpora.all.length === 0) return null;
  const on = kind === 'core' ? core : pools[kind].of(draw);
  return on ? { verb: GRAMMAR[kind][method] as unknown as Verb, on, method } : null;
}

/** Arguments of a call, valid or spoiled in one to three places. */
export function argumentsOf(
  draw: Draw,
  world: World,
  { verb, on }: Prepared,
  spoiled: boolean,
  { own, reenter, script }: { own: Set<unknown>; reenter: () => void; script?: Script | null | undefined },
): unknown[] {
  const args = verb.args(draw, world, on);
  const made: (() => string)[] = [];
  const tricks = {
    throw: (): never => {
      throw ownError(own);
    },
    reenter: (): void => (script ? void made.push(script.during(reenter)) : reenter()),
    made,
  };
  if (spoiled) for (let i = draw.of([0, 0, 1, 1, 1, 2, 3]); i > 0; i--) spoil(draw, args, verb.names, tricks);
  return args;
}

/** Sometimes the verb is detached from its object first. */
export function invoke(draw: Draw, { on, method }: Prepared, args: unknown[]): unknown {
  const verbs = on as Record<string, (...args: unknown[]) => unknown>;
  if (draw.odds(0.02)) {
    const { [method]: verb } = verbs;
    return verb!(...args);
  }
  return draw.odds(0.02) ? new Proxy(verbs, {})[method]!(...args) : verbs[method]!(...args);
}
