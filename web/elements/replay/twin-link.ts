import { directPathSettings } from '../direct-path/direct-path.settings.js';
import * as paths from '../direct-path/measure.js';
import { gradientLedgerSettings } from '../gradient-ledger/gradient-ledger.settings.js';
import * as ledgers from '../gradient-ledger/measure.js';
import type { MeasureModel } from '../shared/twin-training.js';
import type { Settings, Values } from '../shared/settings/setting.js';
import { refuseValues, valuesOfLink } from './link-values.js';

/** A figure that trains a tied and an untied model from a seed, and measures them along the way. */
interface TwinFigure {
  /** The figure's name in words. */
  readonly name: string;
  readonly settings: Settings;
  /** The training steps after which it measures. */
  readonly steps: readonly number[];
  readonly measure: MeasureModel<unknown>;
  /** What it draws from a report with these settings, by name; null if the measure does not exist. */
  readonly drawn: (report: unknown, values: Values) => Readonly<Record<string, number | null>>;
}

const pathFigure: TwinFigure = {
  name: 'direct paths of small GPTs',
  settings: directPathSettings,
  steps: paths.shownSteps,
  measure: paths.measureModel,
  drawn: (report, { measure }) =>
    Object.fromEntries(
      paths.pathNames.map((path) => [
        path,
        paths.valueOf(report as Parameters<typeof paths.valueOf>[0], path, measure as paths.MeasureName),
      ]),
    ),
};

const ledgerFigure: TwinFigure = {
  name: 'gradients of small GPTs',
  settings: gradientLedgerSettings,
  steps: ledgers.shownSteps,
  measure: ledgers.measureModel,
  drawn: (report, { definition }) => ({
    'share of writing': ledgers.writingShare(report as ledgers.LedgerReport, definition as ledgers.Definition),
  }),
};

/** Keyed by a setting that links to this figure always name, and links to no other figure. */
const figures: Readonly<Record<string, TwinFigure>> = { measure: pathFigure, definition: ledgerFigure };

const figureOf = (attributes: ReadonlyMap<string, string>): TwinFigure | undefined =>
  Object.entries(figures).find(([mark]) => attributes.has(mark))?.[1];

export const isTwinLink = (attributes: ReadonlyMap<string, string>): boolean => figureOf(attributes) !== undefined;

/** The measurement that a link to such a figure leads to. */
export interface LinkedTwins extends Omit<TwinFigure, 'settings' | 'drawn'> {
  readonly seed: number;
  readonly drawn: (report: unknown) => Readonly<Record<string, number | null>>;
}

/**
 * Reads such a link the way the figure does. Throws a `RangeError` if the figure would use a value other than the
 * link's.
 */
export function readTwinLink(attributes: ReadonlyMap<string, string>): LinkedTwins {
  const { settings, drawn, ...figure } = figureOf(attributes)!;
  const values = valuesOfLink(settings, attributes, `a figure of ${figure.name}`);
  refuseValues(settings, values);
  return { ...figure, seed: values['seed'] as number, drawn: (report) => drawn(report, values) };
}
