import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judged, judgedLater, laterCells, measuredCells } from '../../../tools/claims/scale-law.mjs';
import { readOutcome } from '../../../tools/claims/outcomes.mjs';
import { intervalOf } from './intervals.mjs';

/** What one table costs by width and vocabulary, on two texts: the outcomes of claims/scale-*.json. */

const texts = ['plays', 'novels'];
const parts = ['', '-tall', '-wide'];

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
  const isBeyond = (cell) => measured.plays.beyond.includes(cell);
  const { fitted, beyond } = measured.plays;
  const cells = [...fitted, ...beyond].toSorted(bySize).map((cell) => {
    const { d, V } = cell;
    const costsOf = (text) => {
      const same = [...measured[text].fitted, ...measured[text].beyond].find((one) => one.d === d && one.V === V);
      if (same === undefined) throw new Error(`claims/outcomes/scale-${text}*.json have no width ${d} with ${V} tokens`);
      return intervalOf(same.costs);
    };
    return { width: d, vocabSize: V, beyond: isBeyond(cell), plays: costsOf('plays'), novels: costsOf('novels') };
  });
  const at = (width, vocabSize) => cells.find((cell) => cell.width === width && cell.vocabSize === vocabSize);
  const [few, more, most] = [...new Set(fitted.map(({ V }) => V))].toSorted((a, b) => a - b);
  const [narrow, wide] = [Math.min(...fitted.map(({ d }) => d)), Math.max(...fitted.map(({ d }) => d))];
  const tokens = training.steps * training.batchSize * model.contextLength;
  /** In how many cells, or pairs of cells, a criterion holds in every seed. */
  const criterion = (id) => {
    const points = outcomes.flatMap(({ claims }) => claims.find((claim) => claim.id === id)?.points ?? []);
    const holds = points.filter(({ verdict }) => verdict === 'holds').length;
    return { holds, of: points.length, means: points.map(({ mean }) => mean) };
  };
  const { best, found, predicts } = judged(measured);
  const later = added.novels.between;
  const odd = later.reduce((most, cell) => (mean(cell.costs) > mean(most.costs) ? cell : most));
  const narrowest = later.filter(({ V }) => V === odd.V).reduce((least, cell) => (cell.d < least.d ? cell : least));
  return {
    cells,
    combinations: cells.length,
    seeds: seeds.length,
    models: 2 * texts.length * cells.length * seeds.length,
    steps: training.steps,
    layers: model.nLayers,
    narrow: at(narrow, more),
    wide: at(wide, more),
    fewTokens: at(narrow, few),
    mostTokens: at(narrow, most),
    timesRead: { few: Math.round(tokens / few), most: Math.round(tokens / most) },
    costs: criterion('one-table-costs'),
    wider: criterion('wider-costs-less'),
    moreTokens: criterion('more-tokens-cost-more'),
    law: { name: best.law, beyond: best.beyond, constant: found[0].beyond, predicts },
    later: {
      cells: later.length,
      predicted: judgedLater(measured, added).find(({ name }) => name === 'between')?.predicts,
      odd: { width: odd.d, vocabSize: odd.V, novels: intervalOf(odd.costs) },
      narrowest: { width: narrowest.d, novels: intervalOf(narrowest.costs) },
    },
  };
}

/** @param {string} root */
export async function readScaleFacts(root) {
  const experiment = JSON.parse(await readFile(join(root, 'claims/scale-plays.json'), 'utf8'));
  const outcomes = texts.flatMap((text) => parts.map((part) => readOutcome(`scale-${text}${part}`)));
  return scaleFacts(measuredCells(), outcomes, experiment, laterCells());
}
