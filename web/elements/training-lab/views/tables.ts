import type { TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../charts/index.js';
import type { TokenPair } from '../../../core/types.js';
import { dataTable, matrixData } from '../../shared/figure.js';
import type { MappedText, PairValue } from '../direct-path-run.js';
import type { Shown } from '../direct-path-mode.js';
import { drawnLoss, smoothingWindow } from './curves.js';
import { choose, tokenNames } from './painting.js';
import { questionsOf } from './pair.js';

export interface TablesOptions {
  shown: Shown;
  text: MappedText;
  /** The tokens of the maps, as positions among the stored ones. */
  positions: readonly number[];
  pair: TokenPair | null;
  pairInText: PairValue | null;
  pairValues: readonly PairValue[] | null;
}

/** The maximum number of tokens in a map's table: more would be thousands of cells, slow to lay out and hard to read. */
const mostTokens = 16;

const four = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : formatNumber(value, { decimals: 4 });

/** Every drawing as a table of what it currently shows: floors, curves at the stored steps, the pair, the maps. */
export function tables(options: TablesOptions): TemplateResult[] {
  const { text, pair } = options;
  const { texts, arms, bounds, batches, stops, viewedStep, snapshot, look, finished } = options.shown;
  const quantity = look.mapValues;
  const positions = options.positions.slice(0, mostTokens);
  const names = tokenNames(text, positions);
  const count = String(positions.length);
  const step = formatWhole(viewedStep);
  const found = [
    dataTable({
      caption: texts.tableFloors,
      head: ['', texts.value],
      rows: (['unigram', 'symmetricLogits', 'bigram'] as const).map((floor) => [
        texts.floors[floor],
        four(bounds[floor]),
      ]),
    }),
    dataTable({
      caption: texts.tableLosses(finished !== null, batches ? String(smoothingWindow) : null),
      head: [texts.step, ...arms.map(({ kind }) => texts.arms[kind])],
      rows: stops.map((stop) => [formatWhole(stop), ...arms.map((arm) => four(drawnLoss(arm, stop, batches)))]),
    }),
  ];
  if (pair !== null && options.pairInText !== null) {
    const from = text.tokens[pair.from] ?? '';
    const to = text.tokens[pair.to] ?? '';
    const questions = questionsOf({ from, to });
    const row = (name: string, value?: PairValue): string[] => [
      name,
      ...questions.map(([, , key]) => four(value?.[key])),
    ];
    found.push(
      dataTable({
        caption: texts.tablePair(step),
        head: [texts.model, ...questions.map(([before, after]) => texts.cell(before, after))],
        rows: [
          row(texts.textMap, options.pairInText),
          ...arms.map(({ kind }, index) => row(texts.arms[kind], options.pairValues?.[index])),
        ],
      }),
    );
  }
  const caption = quantity === 'logits' ? texts.tableLogits : texts.tableMap;
  const matrices = [
    { caption: texts.tableText(count), values: text.probabilities },
    ...arms.flatMap(({ kind }, index) => {
      const values = snapshot?.arms[index]?.[quantity];
      return values === undefined ? [] : [{ caption: caption(texts.arms[kind], step, count), values }];
    }),
  ];
  for (const { caption, values } of matrices) {
    const part = choose(values, text.mapIds.length, positions);
    found.push(matrixData(caption, names, (row, column) => four(part[row * names.length + column])));
  }
  return found;
}
