import type { TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../charts/index.js';
import { dataTable } from '../../shared/figure.js';
import type { Arm, PairValue, Snapshot } from '../arms.js';
import { nextKeptStep } from '../history.js';
import type { PreparedText } from '../prepare-text.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import type { Pair } from '../token-choice.js';
import { choose, tokenNames } from './painting.js';

export interface TablesOptions {
  texts: TrainingLabStrings;
  text: PreparedText;
  arms: readonly Arm[];
  stops: readonly Snapshot[];
  viewed: Snapshot | null;
  pair: Pair | null;
  pairInText: PairValue | null;
  pairValues: readonly PairValue[] | null;
  /** Tokens of the maps: positions among the kept ones. */
  positions: readonly number[];
  /** The arms of a run that was finished before, where it is what is drawn. */
  finished: readonly Arm[] | null;
}

/** Tokens in a table of a map: more would be thousands of cells, which nobody reads and which take long to lay out. */
const mostTokens = 16;

const four = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : formatNumber(value, { decimals: 4 });

/** Every drawing of the lab as a table: floors, curves at the kept steps, the pair, and the maps of the viewed step. */
export function tables(options: TablesOptions): TemplateResult[] {
  const { texts, text, arms, stops, viewed, pair, positions } = options;
  const shown = positions.slice(0, mostTokens);
  const names = tokenNames(text, shown);
  const count = String(shown.length);
  const step = formatWhole(viewed?.step ?? 0);
  const found = [
    dataTable({
      caption: texts.tableFloors,
      head: ['', texts.value],
      rows: (['unigram', 'symmetricLogits', 'bigram'] as const).map((floor) => [
        texts.floors[floor],
        four(text.bounds[floor]),
      ]),
    }),
    dataTable({
      caption: texts.tableLosses,
      head: [texts.step, ...arms.map(({ tying }) => texts.arms[tying])],
      rows: stops.map(({ step }) => [formatWhole(step), ...arms.map(({ losses }) => four(losses.at(step)))]),
    }),
  ];
  if (options.finished !== null) {
    const [{ losses = null } = {}] = options.finished;
    const rows: (readonly string[])[] = [];
    for (let at = 0; at < (losses?.length ?? 0); at = nextKeptStep(at)) {
      rows.push([formatWhole(at), ...options.finished.map((arm) => four(arm.losses.at(at)))]);
    }
    const head = [texts.step, ...options.finished.map(({ tying }) => texts.arms[tying])];
    found.push(dataTable({ caption: texts.tableComputed, head, rows }));
  }
  if (pair !== null && options.pairInText !== null) {
    const from = text.tokens[pair.from] ?? '';
    const to = text.tokens[pair.to] ?? '';
    found.push(
      dataTable({
        caption: texts.tablePair(step),
        head: [texts.model, texts.cell(from, to), texts.cell(to, from)],
        rows: [
          [texts.textMap, four(options.pairInText.forward), four(options.pairInText.backward)],
          ...arms.map(({ tying }, index) => {
            const value = options.pairValues?.[index];
            return [texts.arms[tying], four(value?.forward), four(value?.backward)];
          }),
        ],
      }),
    );
  }
  const matrices = [
    { caption: texts.tableText(count), values: text.keptProbabilities },
    ...arms.flatMap(({ tying }, index) => {
      const values = viewed?.arms[index]?.probabilities;
      return values === undefined ? [] : [{ caption: texts.tableMap(texts.arms[tying], step, count), values }];
    }),
  ];
  for (const { caption, values } of matrices) {
    const part = choose(values, text.kept.length, shown);
    found.push(
      dataTable({
        caption,
        head: ['', ...names],
        rows: names.map((row, at) => [
          row,
          ...Array.from(part.subarray(at * names.length, (at + 1) * names.length), (value) => four(value)),
        ]),
      }),
    );
  }
  return found;
}
