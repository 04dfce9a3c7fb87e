import type { ModelTableStrings } from './model-table.strings.js';
import type { ModelRow } from './model-rows.js';
import { ruleMisses } from './rule.js';
import { countText, percentText } from './columns.js';

/** The read-out. */

/** Names listed; the remaining ones are counted. */
const namesShown = 5;

function names(rows: readonly ModelRow[], texts: ModelTableStrings): string {
  const list = rows.slice(0, namesShown).map(({ model }) => model.name);
  const more = rows.length - list.length;
  return more === 0 ? list.join(', ') : texts.andMore(list.join(', '), more);
}

/** About all filtered models: how many tie, and where the rule of thumb disagrees. */
export function summarySentence(rows: readonly ModelRow[], filtered: boolean, texts: ModelTableStrings): string {
  if (rows.length === 0) return texts.nothingMatches;
  const tied = rows.filter(({ shares }) => shares === 'all').length;
  const misses = ruleMisses(rows);
  return [
    texts.summary(rows.length, tied, filtered),
    ...(misses.untied.length === 0 ? [] : [texts.untieWrong(misses.untied.length, names(misses.untied, texts))]),
    ...(misses.tied.length === 0
      ? []
      : [texts.tieWrong(misses.tied.length, names(misses.tied, texts), misses.untied.length === 0)]),
    ...(misses.untied.length + misses.tied.length === 0 ? [texts.ruleFits] : []),
  ].join(' ');
}

/** About one model. */
export function modelSentence(row: ModelRow, texts: ModelTableStrings): string {
  const { model, shares, saved, savedOfTied, savedOfUntied } = row;
  const state =
    shares === 'all'
      ? texts.ofModelTied(model.name)
      : shares === 'inputs'
        ? texts.ofModelInputs(model.name)
        : texts.ofModelUntied(model.name);
  if (saved === null || savedOfTied === null || savedOfUntied === null) return `${state} ${texts.notPossible}`;
  const [count, ofTied, ofUntied] = [countText(saved), percentText(savedOfTied), percentText(savedOfUntied)];
  const total = countText(row.total);
  const rest =
    shares === 'all' ? texts.saves(count, total, ofTied, ofUntied) : texts.wouldSaveIt(count, total, ofTied, ofUntied);
  return `${state} ${rest}`;
}
