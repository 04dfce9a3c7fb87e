import type { Architecture, TyingContext } from '../../core/accounting/types.js';
import { PRECISION, STARTS_FROM } from '../../core/generated/words.js';
import { sharesVocabulary } from '../shared/architecture/architecture-state.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, number, type Values, type ValuesOf } from '../shared/settings/setting.js';

/** The largest accepted difference of losses; larger ones make no sense. */
const mostDifference = 10;

const cannotTie = ({ canTie }: Values): boolean => canTie === false;

/** What the reader knows about the model besides its sizes; null = not given. */
export const contextSettings = {
  startsFrom: choice(STARTS_FROM, {
    label: 'startsFrom',
    control: { names: 'starts', disabled: (values) => (cannotTie(values) ? ['tied'] : []) },
  }),
  precision: choice(PRECISION, { label: 'precision', control: { names: 'precisions' } }),
  optimizer: choice(['adamw', 'sgd-momentum', 'sgd'], { label: 'optimizer', control: { names: 'optimizers' } }),
  parameterBudget: number(null, {
    min: 1,
    whole: true,
    label: 'budget',
    control: {
      slider: 'log',
      between: [100_000, 100_000_000_000],
      optional: { label: 'hasBudget', start: ({ budget }) => Number(budget) },
    },
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
      optional: { label: 'hasLoss', start: () => 0, disabled: cannotTie },
    },
    help: (values) => (cannotTie(values) ? 'noTiedModel' : null),
  }),
};

export const contextPanel = [
  group('rest', group('context row', 'startsFrom', 'precision', 'optimizer', 'parameterBudget', 'lossDifference')),
] satisfies Panel<keyof typeof contextSettings>;

export type AdvisorContext = Readonly<ValuesOf<typeof contextSettings>>;

/** The context for the core, without options that make no sense if there is no tied model. */
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
