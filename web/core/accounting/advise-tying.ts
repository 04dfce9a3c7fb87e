/** Reasons for and against sharing one table, and the verdict by the rule of decision 14. */
import { ADVICE, ADVICE_CONTEXT } from '../generated/records.js';
import { PRECISION, STARTS_FROM } from '../generated/words.js';
import type {
  Architecture,
  CompleteArchitecture,
  KnownModel,
  TableTying,
  TyingAdvice,
  TyingContext,
  TyingReason,
} from './types.js';
import { reasonSentence, verdictSentence } from './advice-sentences.js';
import {
  ARCHITECTURE_NAMES,
  architectureNumbers,
  completeArchitecture,
  listedNumbers,
} from './architecture-options.js';
import { OPTIMIZER_NUMBERS } from './count-compute.js';
import { countParameters } from './count-parameters.js';
import { invalidArgument } from '../runtime/errors.js';
import { numbersOf, type Evidence } from './advice-numbers.js';
import { MEASURED_LOSSES, pairedDifference } from './measured-losses.js';
import { ruleOfThumb } from './rule-of-thumb.js';
import { givenNumbers } from '../model/option-codec.js';
import type { Read } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import { checkChoice, checkNumber, checkOptions } from '../runtime/validate.js';
import type { AccountingModule } from '../runtime/wasm-module.js';

const CONTEXT_OPTIONS: readonly (keyof TyingContext)[] = [
  'startsFrom',
  'lossDifference',
  'parameterBudget',
  'precision',
  'optimizer',
];
const OPTIMIZERS = Object.keys(OPTIMIZER_NUMBERS) as (keyof typeof OPTIMIZER_NUMBERS)[];

/** Whether the output shares a table with an input. */
const isTied = (tying: TableTying): boolean => tying !== 'untied' && tying !== 'tied-inputs';

export function adviseTying(
  accounting: Runtime<AccountingModule>,
  architecture: Architecture,
  context: TyingContext = {},
): TyingAdvice {
  const complete = completeArchitecture(architecture);
  const given = checkContext(complete, context);
  const models = comparableModels(complete);
  // Transformers are no evidence about a direct path, which has no layers to make up for the shared table.
  const measured = complete.stack === 'decoder' && complete.nLayers > 0 ? MEASURED_LOSSES : [];
  const numbers = givenNumbers(ADVICE_CONTEXT, {
    startsFrom: given.startsFrom,
    parameterBudget: given.parameterBudget ?? null,
    lossDifference: given.lossDifference ?? null,
    precedents: models.map(({ tied, untied, ties }) => ({ tied, untied, ties: Number(ties) })),
    measured: measured.map(({ untied, vocabSize, tiedLosses, untiedLosses }) => {
      const { low, high } = pairedDifference(tiedLosses, untiedLosses);
      return { untied, vocabSize, low, high };
    }),
  });
  return accounting.call(
    [architectureNumbers(complete), Float64Array.from(numbers), listedNumbers(complete)],
    (module, [model, about, listed]) => module.adviseTying(model!, about!, listed!, complete.tensors.length),
    (answer) => adviceOf(complete, given, answer.read(ADVICE), models),
    ARCHITECTURE_NAMES,
  );
}

// ---------------------------------------------------------------- input

type CheckedContext = Pick<Evidence, 'lossDifference' | 'parameterBudget' | 'precision' | 'optimizer'> &
  Required<Pick<TyingContext, 'startsFrom'>>;

function checkContext(architecture: CompleteArchitecture, context: TyingContext): CheckedContext {
  const {
    startsFrom = 'scratch',
    lossDifference,
    parameterBudget,
    precision = 'float32',
    optimizer = 'adamw',
  } = checkOptions('context', context, CONTEXT_OPTIONS);
  checkChoice('context.startsFrom', startsFrom, STARTS_FROM);
  checkChoice('context.precision', precision, PRECISION);
  checkChoice('context.optimizer', optimizer, OPTIMIZERS);
  if (lossDifference !== undefined) checkNumber('context.lossDifference', lossDifference, 'a number', () => true);
  if (parameterBudget !== undefined) {
    const expected = `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`;
    checkNumber('context.parameterBudget', parameterBudget, expected, (n) => Number.isSafeInteger(n) && n >= 1);
  }
  if (architecture.vocabSize !== architecture.outputVocabSize) {
    const expected = (what: string) => `${what}, since the vocabularies differ and there is no tied model`;
    if (startsFrom === 'tied')
      throw invalidArgument('context.startsFrom', startsFrom, expected("'scratch' or 'untied'"));
    if (lossDifference !== undefined) {
      throw invalidArgument('context.lossDifference', lossDifference, expected('it to be absent'));
    }
  }
  return { startsFrom, lossDifference, parameterBudget, precision, optimizer };
}

interface CountedModel {
  id: string;
  architecture: CompleteArchitecture;
  tied: number;
  untied: number;
  ties: boolean;
}

/** Known models with their sizes. Counted once, because they are the same for every core. */
let known: readonly CountedModel[] | null = null;

function counted(accounting: Runtime<AccountingModule>, { id, architecture, tying }: KnownModel): CountedModel[] {
  const { architecture: complete, tied, untied } = countParameters(accounting, architecture, 'untied');
  if (tied === null) return [];
  return [{ id, architecture: complete, tied, untied, ties: isTied(tying) }];
}

/** Counts the known models, unless that has been done: advice compares a model with them. */
export function countKnown(accounting: Runtime<AccountingModule>, models: () => readonly KnownModel[]): void {
  known ??= models().flatMap((model) => counted(accounting, model));
}

/** Known models with the same stack, except this model itself, which cannot be its own precedent. */
function comparableModels(architecture: CompleteArchitecture): CountedModel[] {
  const same: readonly (keyof CompleteArchitecture)[] = ['vocabSize', 'dModel', 'nLayers'];
  return known!.filter(
    (model) =>
      model.architecture.stack === architecture.stack &&
      same.some((size) => model.architecture[size] !== architecture[size]),
  );
}

// ---------------------------------------------------------------- output

function adviceOf(
  architecture: CompleteArchitecture,
  context: CheckedContext,
  found: Read<typeof ADVICE>,
  models: readonly CountedModel[],
): TyingAdvice {
  const { verdict: decided, listedReasons, nearestModels, widerDModel, ...counts } = found;
  const { tie, decidedBy, votesTied, votesUntied } = decided;
  const evidence: Evidence = {
    ...{ architecture, ...context, ...counts },
    width: widerDModel,
    nearest: Array.from(nearestModels, (i) => models[i]!.id),
  };
  const reasons = listedReasons.map((row) => reasonOf(row, evidence));
  const verdict = { tie, decidedBy, votes: { tied: votesTied, untied: votesUntied }, reasons };
  const { share, says } = ruleOfThumb(architecture);
  const agrees = says === 'optional' || verdict.tie === (says === 'tie');
  return {
    ...verdict,
    sentence: verdictSentence(verdict),
    embeddingShare: (evidence.untied - evidence.tied) / evidence.untied,
    rule: { share, says, agrees },
  };
}

function reasonOf(row: Omit<TyingReason, 'numbers' | 'sentence' | 'models'>, evidence: Evidence): TyingReason {
  const reason: TyingReason = { ...row, numbers: numbersOf(row.kind, evidence), sentence: '' };
  if (row.kind === 'precedent') reason.models = evidence.nearest;
  return { ...reason, sentence: reasonSentence(reason) };
}
