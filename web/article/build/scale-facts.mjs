import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judged, judgedLater, later, laterCells, measuredCells } from '../../../tools/claims/scale-law.mjs';
import { readOutcome } from '../../../tools/claims/outcomes.mjs';
import { intervalOf } from './intervals.mjs';

/** What one table costs by width and vocabulary, on two texts: the outcomes of claims/scale-*.json. */

const texts = ['plays', 'novels'];
const parts = ['', '-tall', '-wide', ...Object.values(later).flatMap((names) => names.map((name) => `-${name}`))];

const bySize = (one, other) => one.V - other.V || one.d - other.d;

const mean = (costs) => costs.reduce((sum, cost) => sum + cost, 0) / costs.length;

/**
 * @param {Record<string, { fitted: any[], beyond: any[] }>} measured Cells by text, as the law is fitted to them.
 * @param {{ claims: any[] }[]} outcomes
 * @param {any} experiment
 * @param {Record<string, { between: any[], beyond: any[] }>} added Cells that were run later.
 * @returns {any}
 */
export function scaleFacts(measured, outcomes, { training, model, seeds }, added) {
  const { fitted } = measured.plays;
  const allOf = (text) => [measured, added].flatMap((cells) => Object.values(cells[text]).flat());
  const cells = allOf('plays').toSorted(bySize).map((cell) => {
    const { d, V } = cell;
    const costsOf = (text) => {
      const same = allOf(text).find((one) => one.d === d && one.V === V);
      if (same === undefined) throw new Error(`claims/outcomes/scale-${text}*.json have no width ${d} with ${V} tokens`);
      return intervalOf(same.costs);
    };
    return { width: d, vocabSize: V, fitted: fitted.includes(cell), plays: costsOf('plays'), novels: costsOf('novels') };
  });
  const at = (width, vocabSize) => cells.find((cell) => cell.width === width && cell.vocabSize === vocabSize);
  const widths = [...new Set(cells.map(({ width }) => width))].toSorted((a, b) => a - b);
  /** Over the vocabularies that have been run at every width. */
  const isAtAll = ({ vocabSize }) => widths.every((width) => at(width, vocabSize) !== undefined);
  const meansOf = (text) =>
    widths.map((width) => mean(cells.filter((cell) => cell.width === width && isAtAll(cell)).map((cell) => cell[text].mean)));
  const [few, more, most] = [...new Set(fitted.map(({ V }) => V))].toSorted((a, b) => a - b);
  const [narrow, wide] = [Math.min(...fitted.map(({ d }) => d)), Math.max(...fitted.map(({ d }) => d))];
  const tokens = training.steps * training.batchSize * model.contextLength;
  /** In how many cells, or pairs of cells, a criterion holds in every seed. */
  const criterion = (id) => {
    const points = outcomes.flatMap(({ claims }) => claims.find((claim) => claim.id === id)?.points ?? []);
    const holds = points.filter(({ verdict }) => verdict === 'holds').length;
    return { holds, of: points.length, means: points.map(({ mean }) => mean) };
  };
  /** How much of the constant law's error the law has in cells that it was not fitted to: it was to be less than half. */
  const judgedOn = (group) => {
    const { constant, ofLaw, predicts } = judgedLater(measured, added).find(({ name }) => name === group);
    return { predicts, error: ofLaw / constant };
  };
  const { between } = added.novels;
  const odd = between.reduce((most, cell) => (mean(cell.costs) > mean(most.costs) ? cell : most));
  const narrowest = between.filter(({ V }) => V === odd.V).reduce((least, cell) => (cell.d < least.d ? cell : least));
  return {
    cells,
    combinations: cells.length,
    seeds: seeds.length,
    models: 2 * texts.length * cells.length * seeds.length,
    steps: training.steps,
    layers: model.nLayers,
    byWidth: Object.fromEntries(texts.map((text) => [text, meansOf(text)])),
    narrow: at(narrow, more),
    wide: at(wide, more),
    fewTokens: at(narrow, few),
    mostTokens: at(narrow, most),
    timesRead: { few: Math.round(tokens / few), most: Math.round(tokens / most) },
    costs: criterion('one-table-costs'),
    wider: criterion('wider-costs-less'),
    moreTokens: criterion('more-tokens-cost-more'),
    law: {
      name: judged(measured).best.law,
      beyond: { cells: measured.plays.beyond.length + added.plays.beyond.length, ...judgedOn('beyond, with the earlier') },
      between: { cells: between.length, ...judgedOn('between') },
      odd: { width: odd.d, vocabSize: odd.V, novels: intervalOf(odd.costs) },
      narrowest: { width: narrowest.d, novels: intervalOf(narrowest.costs) },
    },
  };
}

/** @param {string} root */
export async function readScaleFacts(root) {
  const experiment = JSON.parse(await readFile(join(root, 'claims/scale-plays.json'), 'utf8'));
  // What only one text has is drawn of neither.
  const outcomes = parts
    .map((part) => texts.map((text) => readOutcome(`scale-${text}${part}`)))
    .filter((both) => both.every((outcome) => outcome !== null))
    .flat();
  return scaleFacts(measuredCells(), outcomes, experiment, laterCells());
}
