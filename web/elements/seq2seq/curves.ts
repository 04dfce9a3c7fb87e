import { html, type TemplateResult } from 'lit';
import type { RoleSeries, SeriesRole } from '../shared/line-chart-view.js';
import { smooth } from '../../charts/smooth.js';
import { measured, roles, type History, type Metric, type ModelHistory, type Role, type Tying } from './history.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';

export const roleOfTying: Readonly<Record<Tying, SeriesRole>> = { all: 'tied', decoder: 'ink', none: 'untied' };
export const roleOfPlace: Readonly<Record<Role, SeriesRole>> = {
  encoder: 'encoder-input',
  input: 'input',
  output: 'output',
};

/** The number of steps over which shares are averaged. */
const window = 11;

/** A metric of each model, over the steps; fractions in percent. */
export const qualitySeries = (texts: Seq2seqStrings, { models }: History, metric: Metric): RoleSeries[] =>
  models.map(({ tying, moments }) => {
    const x = moments.map(({ step }) => step);
    const y = moments.map((moment) => measured(moment, metric) * (metric === 'loss' ? 1 : 100));
    return { id: tying, label: texts.models[tying], role: roleOfTying[tying], x, y, marks: { x, y } };
  });

/** The share of each role in the norms of a model's gradient, in percent, over the steps. */
export function pullSeries(texts: Seq2seqStrings, { norms }: ModelHistory): RoleSeries[] {
  const x = norms.output.map((_, at) => at + 1);
  const shareOf = (role: Role): number[] =>
    norms[role].map((norm, at) => (100 * norm) / roles.reduce((sum, one) => sum + norms[one][at]!, 0));
  return roles.map((role) => ({
    id: role,
    label: texts.roles[role],
    role: roleOfPlace[role],
    x,
    y: smooth(shareOf(role), window, true),
  }));
}

/** A chart of values over the steps; screen readers get the last value of each line. */
export function stepsChart(
  texts: Seq2seqStrings,
  chart: {
    readonly title: string;
    readonly yTitle: string;
    readonly series: readonly RoleSeries[];
    readonly yDomain: readonly [number, number] | null;
    readonly cursor: number;
    readonly decimals: number;
    /** A value in words. */
    readonly words: (value: number) => string;
  },
): TemplateResult {
  const { title, yTitle, series, yDomain, cursor, decimals, words } = chart;
  const ends = series.map(({ label, y }) => texts.endsAt(label, words(y[y.length - 1] ?? 0)));
  return html`
    <p class="part-title" data-picture>${title}</p>
    <tied-line-chart
      .series=${series}
      .label=${`${title}. ${ends.join(' ')}`}
      .xTitle=${texts.stepsAxis}
      .xName=${texts.stepName}
      .yTitle=${yTitle}
      .yDomain=${yDomain}
      .decimals=${decimals}
      .cursor=${cursor}
      .height=${240}
    ></tied-line-chart>
  `;
}
