import type { Architecture, Precision, TyingContext } from '../../core/accounting-types.js';
import { sharesVocabulary } from '../shared/architecture/architecture-state.js';

/** What the reader says about the model beside its sizes; null = nothing is said. */
export interface AdvisorContext {
  readonly startsFrom: NonNullable<TyingContext['startsFrom']>;
  readonly precision: Precision;
  readonly optimizer: NonNullable<TyingContext['optimizer']>;
  readonly parameterBudget: number | null;
  readonly lossDifference: number | null;
}

export const startContext: AdvisorContext = {
  startsFrom: 'scratch',
  precision: 'float32',
  optimizer: 'adamw',
  parameterBudget: null,
  lossDifference: null,
};

/** What each may be. The core has the same lists and says no to anything else. */
export const choices = {
  startsFrom: ['scratch', 'tied', 'untied'],
  precision: ['float32', 'bfloat16', 'mixed'],
  optimizer: ['adamw', 'sgd-momentum', 'sgd'],
} as const;

export const contextAttributes = {
  startsFrom: 'starts-from',
  precision: 'precision',
  optimizer: 'optimizer',
  parameterBudget: 'parameter-budget',
  lossDifference: 'loss-difference',
} as const satisfies Record<keyof AdvisorContext, string>;

export const contextNames = Object.keys(contextAttributes) as (keyof AdvisorContext)[];

export const isBudget = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

/** The largest difference of losses that the field takes; larger ones have no use. */
export const mostDifference = 10;

/** What the core is asked: without what has no meaning where there is no tied model. */
export function tyingContext(architecture: Architecture, context: AdvisorContext): TyingContext {
  const { startsFrom, precision, optimizer, parameterBudget, lossDifference } = context;
  const canTie = sharesVocabulary(architecture);
  return {
    startsFrom: canTie || startsFrom !== 'tied' ? startsFrom : 'scratch',
    precision,
    optimizer,
    ...(parameterBudget !== null && { parameterBudget }),
    ...(lossDifference !== null && canTie && { lossDifference }),
  };
}

/** Attributes of what is not as it is without any. */
export function contextSettings(context: AdvisorContext): Record<string, string> {
  return Object.fromEntries(
    contextNames
      .filter((name) => context[name] !== startContext[name])
      .map((name) => [contextAttributes[name], String(context[name])]),
  );
}
