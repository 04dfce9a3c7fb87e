/** Reasons for and against one table, and the verdict that follows from them by the rule of decision 14. */
import type {
  Architecture,
  CompleteArchitecture,
  KnownModel,
  ReasonKind,
  TableTying,
  TyingAdvice,
  TyingContext,
  TyingReason,
} from './accounting-types.js';
import { reasonSentence, verdictSentence } from './advice-sentences.js';
import { ARCHITECTURE_NAMES, architectureNumbers, completeArchitecture } from './architecture-options.js';
import { PRECISIONS } from './count-compute.js';
import { countParameters } from './count-parameters.js';
import { invalidArgument } from './errors.js';
import { knownModels } from './known-models/known-models.js';
import { numbersOf, type Found } from './advice-numbers.js';
import { MEASURED_LOSSES, pairedDifference } from './measured-losses.js';
import { ruleOfThumb } from './rule-of-thumb.js';
import type { Runtime } from './runtime.js';
import { checkChoice, checkNumber, checkOptions } from './validate.js';
import { wholesOf } from './wholes.js';
import type { AccountingModule } from './wasm-module.js';

// In the order of accounting/advice.h.
const STARTS = ['scratch', 'tied', 'untied'] as const;
const REASON_KINDS: readonly ReasonKind[] = [
  'vocabularies',
  'starts-from',
  'budget',
  'saved-share',
  'depth',
  'width',
  'memory',
  'precedent',
  'measured-loss',
];
const FAVOURS = ['tied', 'untied', 'neither'] as const;
const DECIDED_BY = ['decisive', 'contradiction', 'votes', 'balance'] as const;

const CONTEXT_OPTIONS: readonly (keyof TyingContext)[] = [
  'startsFrom',
  'lossDifference',
  'parameterBudget',
  'precision',
  'optimizer',
];
const OPTIMIZERS = ['adamw', 'sgd-momentum', 'sgd'] as const;

/** Ways in which what writes shares a table with what reads. */
const isTied = (tying: TableTying): boolean => tying !== 'untied' && tying !== 'tied-inputs';

export function adviseTying(
  accounting: Runtime<AccountingModule>,
  architecture: Architecture,
  context: TyingContext = {},
): TyingAdvice {
  const complete = completeArchitecture(architecture);
  const given = checkContext(complete, context);
  const models = nearKin(accounting, complete);
  // What transformers do is no evidence about a direct path, which has no layers to make up for the table.
  const measured = complete.stack === 'decoder' && complete.nLayers > 0 ? MEASURED_LOSSES : [];
  const differences = measured.map(({ tiedLosses, untiedLosses }) => pairedDifference(tiedLosses, untiedLosses));
  return accounting.call(
    [
      architectureNumbers(complete),
      given.numbers,
      Float64Array.from(models.flatMap(({ tied, untied, ties }) => [tied, untied, ties ? 1 : 0])),
      Float64Array.from(
        measured.flatMap(({ untied, vocabSize }, i) => [untied, vocabSize, differences[i]!.low, differences[i]!.high]),
      ),
    ],
    (module, [model, about, precedents, losses]) =>
      module.adviseTying(model!, about!, precedents!, models.length, losses!, measured.length),
    (answer) => {
      const numbers = [...answer.numbers(0)];
      return adviceOf(complete, given, numbers, wholesOf(answer, 1), models);
    },
    ARCHITECTURE_NAMES,
  );
}

// ---------------------------------------------------------------- what goes in

interface CheckedContext extends Pick<Found, 'lossDifference' | 'parameterBudget' | 'precision' | 'optimizer'> {
  /** In the order of bindings/bind_advice.cpp. */
  numbers: Float64Array;
}

function checkContext(architecture: CompleteArchitecture, context: TyingContext): CheckedContext {
  const {
    startsFrom = 'scratch',
    lossDifference,
    parameterBudget,
    precision = 'float32',
    optimizer = 'adamw',
  } = checkOptions('context', context, CONTEXT_OPTIONS);
  checkChoice('context.startsFrom', startsFrom, STARTS);
  checkChoice('context.precision', precision, PRECISIONS);
  checkChoice('context.optimizer', optimizer, OPTIMIZERS);
  if (lossDifference !== undefined) checkNumber('context.lossDifference', lossDifference, 'a number', () => true);
  if (parameterBudget !== undefined) {
    const expected = `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`;
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
  const numbers = Float64Array.from([STARTS.indexOf(startsFrom), parameterBudget ?? NaN, lossDifference ?? NaN]);
  return { lossDifference, parameterBudget, precision, optimizer, numbers };
}

interface CountedModel {
  id: string;
  architecture: CompleteArchitecture;
  tied: number;
  untied: number;
  ties: boolean;
}

/** Known models with their sizes, counted once: they are the same for every core. */
let counted: readonly CountedModel[] | null = null;

function countKnown(accounting: Runtime<AccountingModule>, { id, architecture, tying }: KnownModel): CountedModel[] {
  const { architecture: complete, tied, untied } = countParameters(accounting, architecture, 'untied');
  if (tied === null) return [];
  return [{ id, architecture: complete, tied, untied, ties: isTied(tying) }];
}

/** Real models of the same stack, without this very one: what somebody did with it is no precedent for it. */
function nearKin(accounting: Runtime<AccountingModule>, architecture: CompleteArchitecture): CountedModel[] {
  counted ??= knownModels().flatMap((model) => countKnown(accounting, model));
  const same: readonly (keyof CompleteArchitecture)[] = ['vocabSize', 'dModel', 'nLayers'];
  return counted.filter(
    (model) =>
      model.architecture.stack === architecture.stack &&
      same.some((size) => model.architecture[size] !== architecture[size]),
  );
}

// ---------------------------------------------------------------- what comes out

const FIRST_NUMBERS = 11;
const NUMBERS_A_REASON = 4;

function adviceOf(
  architecture: CompleteArchitecture,
  context: CheckedContext,
  numbers: readonly number[],
  counts: readonly number[],
  models: readonly CountedModel[],
): TyingAdvice {
  const [tie, decidedBy, votesTied, votesUntied, moreLayers, width] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [nearestThatTie, nearestWithin, measurement, measurementWithin, reasonCount] = numbers.slice(6) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const [tied, untied, savedInDecoder, oneLayer, deeper, wider] = counts as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const endOfReasons = FIRST_NUMBERS + NUMBERS_A_REASON * reasonCount;
  const found: Found = {
    architecture,
    lossDifference: context.lossDifference,
    parameterBudget: context.parameterBudget,
    precision: context.precision,
    optimizer: context.optimizer,
    tied,
    untied,
    savedInDecoder,
    oneLayer,
    deeper,
    wider,
    moreLayers,
    width,
    nearestThatTie,
    nearestWithin,
    measurement,
    measurementWithin,
    nearest: numbers.slice(endOfReasons).map((place) => models[place]!.id),
  };
  const reasons = Array.from({ length: reasonCount }, (_, i) => {
    const at = FIRST_NUMBERS + NUMBERS_A_REASON * i;
    return reasonOf(found, numbers.slice(at, at + NUMBERS_A_REASON) as [number, number, number, number]);
  });
  const verdict = {
    tie: tie === 2 ? null : tie === 1,
    decidedBy: DECIDED_BY[decidedBy]!,
    votes: { tied: votesTied, untied: votesUntied },
    reasons,
  };
  const { share, says } = ruleOfThumb(architecture);
  const agrees = says === 'optional' || verdict.tie === (says === 'tie');
  return {
    ...verdict,
    sentence: verdictSentence(verdict),
    embeddingShare: (untied - tied) / untied,
    rule: { share, says, agrees },
  };
}

function reasonOf(
  found: Found,
  [kind, favours, decisive, votes]: readonly [number, number, number, number],
): TyingReason {
  const name = REASON_KINDS[kind]!;
  const reason: TyingReason = {
    kind: name,
    favours: FAVOURS[favours]!,
    decisive: decisive === 1,
    votes,
    numbers: numbersOf(name, found),
    sentence: '',
  };
  if (name === 'precedent') reason.models = found.nearest;
  return { ...reason, sentence: reasonSentence(reason) };
}
