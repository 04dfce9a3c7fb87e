import type { TemplateResult } from 'lit';
import { formatWhole } from '../../../charts/index.js';
import { dataTable } from '../../shared/figure.js';
import { matrixData } from '../../shared/tables.js';
import type { MappedText } from '../direct-path-run.js';
import { drawnLoss, smoothingWindow } from './curves.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import { choose, tokenNames } from './painting.js';
import { four } from './four.js';
import { pairPlots, type LookedPair } from './pair.js';
import type { Shown } from './shown.js';

export interface TablesOptions {
  shown: Shown;
  text: MappedText;
  /** The tokens of the maps, as positions among the stored ones. */
  positions: readonly number[];
  pair: LookedPair | null;
}

/**
 * The maximum number of tokens in a map's table; more would give thousands of cells, slow to lay out and hard to read.
 */
const mostTokens = 16;

export const floorsTable = <Floor extends string>(
  { texts, bounds }: { readonly texts: TrainingLabStrings; readonly bounds: Readonly<Record<Floor, number>> },
  floors: readonly (Floor & keyof TrainingLabStrings['floors'])[],
): TemplateResult =>
  dataTable({
    caption: texts.tableFloors,
    head: ['', texts.value],
    rows: floors.map((floor) => [texts.floors[floor], four(bounds[floor])]),
  });

/** Every drawing as a table of what it currently shows: floors, curves at the stored steps, the pair, the maps. */
export function tables(options: TablesOptions): TemplateResult[] {
  const { text, pair } = options;
  const { texts, arms, batches, stops, viewedStep, snapshot, look, finished } = options.shown;
  const quantity = look.mapValues;
  const positions = options.positions.slice(0, mostTokens);
  const names = tokenNames(text, positions);
  const count = String(positions.length);
  const step = formatWhole(viewedStep);
  const found = [
    floorsTable(options.shown, ['unigram', 'symmetricLogits', 'bigram']),
    dataTable({
      caption: texts.tableLosses(finished !== null, batches ? String(smoothingWindow) : null),
      head: [texts.step, ...arms.map(({ kind }) => texts.arms[kind])],
      rows: stops.map((stop) => [formatWhole(stop), ...arms.map((arm) => four(drawnLoss(arm, stop, batches)))]),
    }),
  ];
  if (pair !== null && pair.inText !== null) found.push(dataTable(pairPlots(options.shown, pair, 0)[0]!.table));
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
