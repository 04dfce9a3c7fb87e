import { html, type TemplateResult } from 'lit';
import type { Cell } from '../../charts/heat-map.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { entry, pairsOf, selfPredicting, type DirectPath } from './direct-path-of.js';
import { pairNumbers } from './pair-numbers.js';
import type { Shown } from './shown.js';

/** The state in words: a claim in bold and its explanation. */
export interface ReadOut {
  readonly claim: string;
  readonly rest: string;
  /** 'equal' has the tied model's color, 'unequal' the untied one's. */
  readonly tone: 'equal' | 'unequal' | 'plain';
}

export const readOutContent = ({ claim, rest, tone }: ReadOut): TemplateResult => html`
  <strong class=${tone === 'equal' ? 'is-tied' : tone === 'unequal' ? 'is-untied' : ''}>${claim}</strong> ${rest}
`;

const number = (value: number): string => formatNumber(value, { decimals: 3 });
/** Negative factors are in parentheses. */
const factor = (value: number): string => (value < 0 ? `(${number(value)})` : number(value));

/** The read-out needs the lab's result. */
export type ReadOutOptions = Shown & { readonly path: DirectPath };

export function readOut(options: ReadOutOptions): ReadOut {
  if (options.cell !== null && options.view === 'logits') return cellReadOut(options, options.cell);
  if (options.view === 'probabilities') return probabilityReadOut(options);
  return options.mode === 'random' ? randomReadOut(options) : logitReadOut(options);
}

function logitReadOut({ texts, names, path, mode }: ReadOutOptions): ReadOut {
  const pairs = pairsOf(path.logits);
  const differing = pairs.filter((pair) => pair.forward !== pair.backward);
  if (differing.length === 0) {
    const rest = mode === 'untied' ? texts.stillEqual : texts.whyEqual;
    return { claim: `${texts.allEqual(pairs.length)}.`, rest, tone: mode === 'untied' ? 'plain' : 'equal' };
  }
  const widest = differing.reduce((most, pair) =>
    Math.abs(pair.forward - pair.backward) > Math.abs(most.forward - most.backward) ? pair : most,
  );
  const [one, other] = [names[widest.from] ?? '', names[widest.to] ?? ''];
  const [there, back] = pairNumbers(widest.forward, widest.backward);
  return {
    claim: `${texts.someDiffer(differing.length, pairs.length)}.`,
    rest: texts.whyDiffer(texts.pair(one, other), there, texts.pair(other, one), back),
    tone: mode === 'untied' ? 'unequal' : 'plain',
  };
}

function randomReadOut({ texts, counts }: ReadOutOptions): ReadOut {
  if (counts.drawn === 0) return { claim: texts.randomNone, rest: '', tone: 'plain' };
  const all = formatWhole(counts.drawn);
  return {
    claim: `${texts.randomCount(formatWhole(counts.tiedSymmetric), all)}.`,
    rest: texts.randomUntied(formatWhole(counts.untiedSymmetric), all),
    tone: counts.tiedSymmetric === counts.drawn ? 'equal' : 'plain',
  };
}

function probabilityReadOut({ texts, names, path, cell }: ReadOutOptions): ReadOut {
  const { probabilities } = path;
  const self = texts.selfPredicting(selfPredicting(probabilities), probabilities.rows);
  const shown = cell === null || cell.row === cell.col ? { row: 0, col: 1 } : cell;
  const [from, to] = [names[shown.row] ?? '', names[shown.col] ?? ''];
  const forward = entry(probabilities, shown.row, shown.col);
  const backward = entry(probabilities, shown.col, shown.row);
  const [one, other] = [texts.probability(from, to), texts.probability(to, from)];
  const [there, back] = pairNumbers(forward, backward);
  if (path.symmetric && forward !== backward) {
    const rest = `${texts.rowsNormalized(one, there, other, back)} ${self}`;
    return { claim: texts.symmetricLogits, rest, tone: 'plain' };
  }
  return { claim: `${one} = ${there}, ${other} = ${back}.`, rest: self, tone: 'plain' };
}

function cellReadOut({ texts, mode, names, embedding, writing, path }: ReadOutOptions, { row, col }: Cell): ReadOut {
  const read = embedding[row] ?? [0, 0];
  const write = writing[col] ?? [0, 0];
  const terms = `${factor(read[0])} × ${factor(write[0])} + ${factor(read[1])} × ${factor(write[1])}`;
  const [from, to] = [names[row] ?? '', names[col] ?? ''];
  const claim = texts.sum(texts.pair(from, to), terms, number(entry(path.logits, row, col)));
  if (row === col) return { claim, rest: mode === 'untied' ? texts.diagonalUntied : texts.diagonal, tone: 'plain' };
  const mirror = texts.pair(to, from);
  return {
    claim,
    rest: mode === 'untied' ? texts.otherSum(mirror, number(entry(path.logits, col, row))) : texts.sameSum(mirror),
    tone: 'plain',
  };
}
