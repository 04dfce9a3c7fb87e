/** How far apart a model's tables are, and how far they have moved: two charts, and the result in words. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import type { RoleSeries, SeriesRole } from '../shared/line-chart-view.js';
import { roleOfPlace, roleOfTying, stepsChart } from './curves.js';
import {
  comparedTables,
  tablesOf,
  type History,
  type ModelHistory,
  type Moment,
  type ComparedTables,
} from './history.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';

const seriesRoles: Readonly<Record<ComparedTables, SeriesRole>> = {
  'encoder-input': 'encoder-input',
  'encoder-output': 'ink',
  'input-output': 'output',
};

/** The axis of cosines reaches at least this far, so differences due to noise look small. */
const narrowest = 0.2;

const decimals = 2;
const number = (value: number): string => formatNumber(value, { decimals });

/** The model with the most tables. */
const mostApart = ({ models }: Pick<History, 'models'>): ModelHistory =>
  models.reduce((most, one) => (tablesOf[one.tying].length > tablesOf[most.tying].length ? one : most));

const stepsOf = (moments: readonly Moment[]): number[] => moments.map(({ step }) => step);

/**
 * Alignments of a model's different tables over the steps, and their chance levels: the mean, between the smallest and
 * the largest.
 */
export function alignmentSeries(texts: Seq2seqStrings, { tying, moments }: ModelHistory): RoleSeries[] {
  const comparisons = comparedTables(tying);
  const x = stepsOf(moments);
  const chances = moments.map(({ alignment }) => comparisons.map((compared) => alignment[compared]!.chance));
  return [
    ...comparisons.map((compared): RoleSeries => {
      const y = moments.map(({ alignment }) => alignment[compared]!.cosine);
      const label = tying === 'decoder' ? texts.bothStacks : texts.tablePairs[compared];
      return { id: compared, label, role: seriesRoles[compared], x, y };
    }),
    {
      ...{ id: 'chance', label: texts.chance, role: 'chance', x },
      y: chances.map((of) => of.reduce((sum, { mean }) => sum + mean / of.length, 0)),
      runs: [
        chances.map((of) => Math.min(...of.map(({ least }) => least))),
        chances.map((of) => Math.max(...of.map(({ most }) => most))),
      ],
    },
  ];
}

/** How far the tables of a model have moved; for a model with several tables, also the table of the model with one. */
export function driftSeries(texts: Seq2seqStrings, { models }: History): RoleSeries[] {
  const several = mostApart({ models });
  const one = models.find(({ tying }) => tying === 'all');
  const shown = one === undefined || one === several ? [several] : [several, one];
  return shown.flatMap(({ tying, moments }) =>
    tablesOf[tying].map((sharing): RoleSeries => {
      const place = sharing[0]!;
      const x = stepsOf(moments);
      const y = moments.map(({ drift }) => drift[place]);
      const [label, role] =
        sharing.length === 1
          ? [texts.roles[place], roleOfPlace[place]]
          : [tying === 'all' ? texts.models.all : texts.decoderTable, roleOfTying[tying]];
      return { id: `${tying}-${place}`, label, role, x, y, marks: { x, y } };
    }),
  );
}

/** Whether the tables agree by the chosen moment, and how far they have moved; empty for a single table. */
export function apartWords(texts: Seq2seqStrings, history: History, step: number): string {
  const model = mostApart(history);
  const moment = model.moments.find((one) => one.step === step);
  const comparisons = comparedTables(model.tying);
  if (moment === undefined || comparisons.length === 0) return '';
  const beyond = comparisons.filter((compared) => {
    const { cosine, chance } = moment.alignment[compared]!;
    return cosine > chance.most;
  });
  const cosines = comparisons.map((compared) => moment.alignment[compared]!.cosine);
  const named = (compared: ComparedTables): string =>
    model.tying === 'decoder' ? texts.bothStacks.toLowerCase() : texts.tablePairs[compared].toLowerCase();
  return beyond.length === 0
    ? texts.asByChance(texts.models[model.tying].toLowerCase(), number(Math.max(...cosines)))
    : texts.beyondChance(
        texts.models[model.tying].toLowerCase(),
        beyond.map((compared) => `${named(compared)} (${number(moment.alignment[compared]!.cosine)})`).join(', '),
      );
}

/** Both charts; for a single table, only how far it has moved. */
export function apartCharts(texts: Seq2seqStrings, history: History, at: Moment): TemplateResult {
  const model = mostApart(history);
  const name = texts.models[model.tying];
  const separate = comparedTables(model.tying).length > 0;
  const alignments = separate ? alignmentSeries(texts, model) : [];
  const drifts = driftSeries(texts, history);
  const values = alignments.flatMap(({ y, runs = [] }) => [y, ...runs].flatMap((of) => Array.from(of)));
  const cosines = [Math.min(-narrowest, ...values), Math.max(narrowest, ...values)] as const;
  const chart = (title: string, yTitle: string, series: readonly RoleSeries[], yDomain: typeof cosines | null) =>
    stepsChart(texts, { title, yTitle, series, yDomain, cursor: at.step, decimals, words: number });
  return html`
    ${
      separate
        ? html`<div class="rest">
            ${chart(texts.alignmentTitle(name), texts.cosineAxis, alignments, cosines)}
            <p class="note">${texts.alignmentNote}</p>
          </div>`
        : nothing
    }
    <div class=${separate ? 'rest' : 'rest across'}>
      ${chart(texts.driftTitle, texts.driftAxis, drifts, null)}
      <p class="note">${texts.driftNote}</p>
    </div>
  `;
}
