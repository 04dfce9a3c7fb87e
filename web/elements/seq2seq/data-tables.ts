import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { dataTable } from '../shared/figure.js';
import { columnsTable } from '../shared/tables.js';
import {
  measured,
  metrics,
  comparedTables,
  pullAt,
  roles,
  type History,
  type Metric,
  type ModelHistory,
  type Moment,
  type ComparedTables,
} from './history.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';
import { percent } from './tables-drawing.js';

export const formatMetric = (metric: Metric, value: number): string =>
  metric === 'loss' ? formatNumber(value, { decimals: 3 }) : percent(value);

/**
 * What a model attends to while it writes an example, and the names of the tokens read and written, including the end.
 */
export function attendedOf(texts: Seq2seqStrings, { examples }: History, at: Moment, example: number) {
  const { source } = examples[example]!;
  const { text, attention } = at.written[example]!;
  const named = (letters: string): string[] => Array.from(letters, (letter) => (letter === ' ' ? '␣' : letter));
  return { source, attention, read: named(source), written: [...named(text), texts.end] };
}

const precise = (value: number): string => formatNumber(value, { decimals: 3 });

interface Measured {
  readonly model: ModelHistory;
  readonly moment: Moment;
}

/** The drawings as tables. */
export function dataTables(texts: Seq2seqStrings, history: History, at: Moment, example: number): TemplateResult {
  const { models, examples } = history;
  const moments = models.flatMap((model) => model.moments.map((moment): Measured => ({ model, moment })));
  const { source, attention, read, written } = attendedOf(texts, history, at, example);
  const which = [
    [texts.dataModel, ({ model }: Measured) => texts.models[model.tying]],
    [texts.dataStep, ({ moment }: Measured) => formatWhole(moment.step)],
  ] as const;
  return html`
    ${columnsTable({
      caption: texts.dataTables,
      items: models,
      columns: [
        [texts.dataModel, ({ tying }) => texts.models[tying]],
        [texts.dataInTables, ({ tableParameters }) => formatWhole(tableParameters)],
        [texts.dataInAll, ({ parameters }) => formatWhole(parameters)],
      ],
    })}
    ${columnsTable<Measured>({
      caption: texts.dataQuality,
      items: moments,
      columns: [
        ...which,
        ...metrics.map(
          (metric) =>
            [texts.metrics[metric], ({ moment }: Measured) => formatMetric(metric, measured(moment, metric))] as const,
        ),
      ],
    })}
    ${columnsTable<Measured>({
      caption: texts.dataPull,
      items: moments.filter(({ model, moment }) => pullAt(model, moment.step) !== null),
      columns: [
        ...which,
        ...roles.map(
          (role) =>
            [
              texts.roles[role],
              ({ model, moment }: Measured) => percent(pullAt(model, moment.step)?.[role] ?? 0),
            ] as const,
        ),
      ],
    })}
    ${columnsTable<Measured & { readonly compared: ComparedTables }>({
      caption: texts.dataAlignment,
      items: moments.flatMap((one) => comparedTables(one.model.tying).map((compared) => ({ ...one, compared }))),
      columns: [
        ...which,
        [
          texts.dataPair,
          ({ model, compared }) => (model.tying === 'decoder' ? texts.bothStacks : texts.tablePairs[compared]),
        ],
        [texts.dataCosine, ({ moment, compared }) => precise(moment.alignment[compared]!.cosine)],
        ...(['mean', 'least', 'most'] as const).map(
          (name, at) =>
            [
              texts.dataChance[at]!,
              ({ moment, compared }: Measured & { readonly compared: ComparedTables }) =>
                precise(moment.alignment[compared]!.chance[name]),
            ] as const,
        ),
      ],
    })}
    ${columnsTable<Measured>({
      caption: texts.dataDrift,
      items: moments,
      columns: [
        ...which,
        ...roles.map((role) => [texts.roles[role], ({ moment }: Measured) => precise(moment.drift[role])] as const),
      ],
    })}
    ${columnsTable<Measured & { readonly index: number }>({
      caption: texts.dataExamples,
      items: moments.flatMap((one) => examples.map((_, index) => ({ ...one, index }))),
      columns: [
        ...which,
        [texts.dataSource, ({ index }) => examples[index]!.source],
        [texts.dataTarget, ({ index }) => examples[index]!.target],
        [texts.dataWritten, ({ moment, index }) => moment.written[index]!.text],
      ],
    })}
    ${dataTable({
      caption: texts.attentionTitle(source, formatWhole(at.step)),
      head: ['', ...read],
      rows: written.map((letter, row) => [
        letter,
        ...read.map((_, col) => percent(attention.data[row * attention.cols + col] ?? 0)),
      ]),
    })}
  `;
}
