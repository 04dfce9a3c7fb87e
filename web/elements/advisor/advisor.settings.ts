import type { Architecture, TyingContext } from '../../core/accounting-types.js';
import { sharesVocabulary } from '../shared/architecture/architecture-state.js';
import { choice, number, type ValuesOf } from '../shared/settings/setting.js';

/** The largest difference of losses that the field takes; larger ones have no use. */
const mostDifference = 10;

/** What the reader says about the model beside its sizes; null = nothing is said. */
export const contextSettings = {
  startsFrom: choice(['scratch', 'tied', 'untied'], { label: 'startsFrom', control: { names: 'starts' } }),
  precision: choice(['float32', 'bfloat16', 'mixed'], { label: 'precision', control: { names: 'precisions' } }),
  optimizer: choice(['adamw', 'sgd-momentum', 'sgd'], { label: 'optimizer', control: { names: 'optimizers' } }),
  parameterBudget: number(null, {
    min: 1,
    whole: true,
    label: 'budget',
    control: { slider: 'log', between: [100_000, 100_000_000_000] },
  }),
  /** Tied minus untied, in nats per token. */
  lossDifference: number(null, {
    label: 'lossDifference',
    control: {
      slider: 'linear',
      between: [-0.2, 0.2],
      typed: [-mostDifference, mostDifference],
      step: 0.005,
      decimals: 3,
    },
  }),
};

export type AdvisorContext = Readonly<ValuesOf<typeof contextSettings>>;

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
