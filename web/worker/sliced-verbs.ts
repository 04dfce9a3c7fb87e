/**
 * Long verbs that run in time slices: other calls and cancels are handled in between, several verbs take turns, and a
 * page without worker can draw. Listeners and signals stay with the caller; the other side refers to them by the call's
 * ticket.
 */
import type { CoreComparison } from '../core/training/comparison.js';
import { CORPUS_WORK } from '../core/text/corpus.js';
import { checkEvaluate } from '../core/training/evaluation-run.js';
import { checkGenerate } from '../core/training/generation.js';
import { checkGguf } from '../core/checkpoint/writing/gguf-writing.js';
import type { Job } from '../core/runtime/pace.js';
import { checkRewind } from '../core/training/replay.js';
import { TOKENIZER_WORK, type CoreTokenizer } from '../core/text/tokenizer.js';
import type { CoreTrainer } from '../core/training/trainer.js';
import { checkEvaluatePairs } from '../core/training/trainer-pairs.js';
import { checkRun } from '../core/training/training-run.js';
import type {
  EvaluateOptions,
  EvaluatePairsOptions,
  GenerateOptions,
  GgufOptions,
  RewindOptions,
  RunOptions,
  TokenPairs,
} from '../core/types.js';
import { checkFunction, checkOptions, checkSignal, isRecord, readRecord } from '../core/runtime/validate.js';
import { CORE_WORK } from '../core/api/core-work.js';
import { TRAINER_WORK } from '../core/training/trainer-work.js';
import { startVerb, type Verbs } from '../core/runtime/verb.js';
import { CORE_TARGET } from './protocol.js';

export interface SlicedVerb {
  /** Index of the options among its arguments. */
  optionsIndex: number;
  /** The option that is called with news, if any. */
  listener?: string;
  /** Its name in messages. */
  what: string;
  /** Throws for arguments that are invalid for every target. */
  check(args: unknown[]): void;
  /** Runs on the core's side. `target` has the verb. */
  start(target: never, args: unknown[]): Job<unknown, unknown[]>;
}

/** Verbs that have no options in a core. */
const withWorkOptions = (optionsIndex: number): Pick<SlicedVerb, 'optionsIndex' | 'listener' | 'check'> => ({
  optionsIndex,
  listener: 'onProgress',
  check(args) {
    const { [optionsIndex]: options } = args;
    if (options !== undefined) checkOptions('options', options as object, ['onProgress', 'signal']);
  },
});

/** The declared verbs. */
const declared = (verbs: Verbs): Record<string, SlicedVerb> =>
  Object.fromEntries(
    Object.entries(verbs).map(([name, verb]) => [
      name,
      {
        optionsIndex: verb.optionsAt,
        listener: verb.listener ?? 'onProgress',
        what: verb.what,
        check: (args: unknown[]) => {
          if (verb.onlyInLab === 'options') withWorkOptions(verb.optionsAt).check(args);
          verb.check(...(args as never[]));
        },
        start: (target: never, args: unknown[]) => startVerb(verb, target, args, true),
      },
    ]),
  );

/** Verbs of the core. */
const CORE_VERBS: Readonly<Record<string, SlicedVerb>> = {
  ...declared(CORE_WORK),
};

/** Verbs of objects for which a lab has handles. */
const HANDLE_VERBS: Readonly<Record<string, SlicedVerb>> = {
  ...declared({ ...TOKENIZER_WORK, ...CORPUS_WORK, ...TRAINER_WORK }),
  save: {
    ...withWorkOptions(0),
    what: 'saving',
    start: (handle: CoreTrainer | CoreTokenizer) =>
      'startFile' in handle ? handle.startFile('save') : startVerb(TOKENIZER_WORK.save, handle, [], true),
  },
  toSafetensors: {
    ...withWorkOptions(0),
    what: 'saving',
    start: (trainer: CoreTrainer) => trainer.startFile('toSafetensors'),
  },
  toGguf: {
    optionsIndex: 0,
    listener: 'onProgress',
    what: 'saving',
    check: ([options]) => checkGguf(options as GgufOptions | undefined),
    start: (trainer: CoreTrainer, [options]) => trainer.startGguf(options as GgufOptions | undefined),
  },
  toTransformers: {
    ...withWorkOptions(0),
    what: 'saving',
    start: (trainer: CoreTrainer) => trainer.startTransformers(),
  },
  run: {
    optionsIndex: 1,
    listener: 'onProgress',
    what: 'run',
    check: ([steps, options]) => checkRun(steps, options as RunOptions | undefined),
    start: (trainer: CoreTrainer, [steps, options]) => trainer.startRun(checkRun(steps, options as RunOptions)),
  },
  rewind: {
    optionsIndex: 1,
    listener: 'onProgress',
    what: 'rewind',
    check: ([step, options]) => checkRewind(step, options as RewindOptions | undefined),
    start: (trainer: CoreTrainer, [step, options]) =>
      trainer.startRewind(checkRewind(step, options as RewindOptions).step),
  },
  evaluate: {
    optionsIndex: 1,
    what: 'evaluation',
    check: ([, options]) => checkEvaluate(options as EvaluateOptions | undefined),
    start: (trainer: CoreTrainer, [tokenIds]) => trainer.startEvaluation(tokenIds as Uint32Array | undefined),
  },
  evaluatePairs: {
    optionsIndex: 1,
    listener: 'onProgress',
    what: 'evaluation',
    check: ([, options]) => checkEvaluatePairs(options as EvaluatePairsOptions | undefined),
    start: (trainer: CoreTrainer, [pairs, options]) => {
      const { translate } = checkEvaluatePairs(options as EvaluatePairsOptions | undefined);
      return trainer.startPairEvaluation(pairs as TokenPairs | undefined, translate);
    },
  },
  generate: {
    optionsIndex: 0,
    listener: 'onTokens',
    what: 'generation',
    check: ([options]) => checkGenerate(options as GenerateOptions),
    start: (trainer: CoreTrainer, [options]) => trainer.startGeneration(checkGenerate(options as GenerateOptions)),
  },
  // Internal verbs of a comparison.
  advance: {
    optionsIndex: 3,
    what: 'comparison',
    check: () => undefined,
    start: (part: CoreComparison, [from, target, measures]) =>
      part.startFrame(from as number, target as number, measures as boolean),
  },
  goTo: {
    optionsIndex: 2,
    what: 'comparison',
    check: () => undefined,
    start: (part: CoreComparison, [step, forgets]) => part.startGoing(step as number, forgets as boolean),
  },
};

/** Undefined if the verb is a single call. `target`: the number of a handle, or the core's. */
export function slicedVerb(target: number, verb: string): SlicedVerb | undefined {
  const verbs = target === CORE_TARGET ? CORE_VERBS : HANDLE_VERBS;
  return Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
}

/** A verb's listener, as the lab calls it. */
export type Listener = (...news: unknown[]) => void;

/** Separates the arguments from the options that stay with the caller; each option is read once. */
export function takeOptions(
  { optionsIndex, listener }: SlicedVerb,
  args: unknown[],
): { args: unknown[]; onNews?: Listener | undefined; signal?: AbortSignal | undefined } {
  const given = args[optionsIndex];
  // The verb's own check refuses anything that is not an object of options.
  if (!isRecord(given)) return { args };
  const { signal, ...options } = readRecord('options', given);
  if (signal !== undefined) checkSignal('options.signal', signal);
  const onNews = listener === undefined ? undefined : options[listener];
  if (listener !== undefined) delete options[listener];
  if (onNews !== undefined) checkFunction(`options.${listener}`, onNews);
  return {
    args: args.map((argument, i) => (i === optionsIndex ? options : argument)),
    onNews: onNews as Listener | undefined,
    signal: signal as AbortSignal | undefined,
  };
}
