// @vitest-environment happy-dom
// Values of an experiment by seed, as the figure and the report show them.
import { render } from 'lit';
import { expect, it } from 'vitest';
import { experimentStrings as texts } from '../../../web/elements/experiment/experiment.strings.js';
import { seedTable, type SeedDifference } from '../../../web/elements/experiment/seed-table.js';

const difference = { values: [0.5], mean: 0.5, halfWidth: null, standardDeviation: null };
const cell = (value: number | null | undefined): string => (typeof value === 'number' ? String(value) : '–');

function rowsOf(differences: readonly SeedDifference[], deviation?: string): string[][] {
  const columns = [
    { name: 'tied', values: [1, 3] },
    { name: 'untied', values: [null, 2.5] },
    { name: 'chance', values: [null, null] },
  ];
  const named = deviation === undefined ? {} : { deviation };
  const place = document.createElement('div');
  render(
    seedTable({ texts, seeds: [7, 8], columns, differences, cell, ...named, frame: { caption: 'by seed' } }),
    place,
  );
  return Array.from(place.querySelectorAll('tr'), (row) =>
    Array.from(row.querySelectorAll('th, td'), ({ textContent }) => textContent.trim()),
  );
}

it('has the means of the seeds that have a value, and none where no seed has one', () => {
  expect(rowsOf([])).toEqual([
    ['', 'tied', 'untied', 'chance'],
    ['Seed 7', '1', '–', '–'],
    ['Seed 8', '3', '2.5', '–'],
    ['Mean', '2', '2.5', '–'],
  ]);
});

it('has each difference beside its own seed, with its mean and what is known of its spread', () => {
  const rows = rowsOf([{ name: 'untied − tied', seeds: [8], difference }], 'Standard deviation');
  expect(rows.map((row) => [row[0], row[4]])).toEqual([
    ['', 'untied − tied'],
    ['Seed 7', '–'],
    ['Seed 8', '0.5'],
    ['Mean', '0.5'],
    ['Standard deviation', '–'],
    ['Half of the 95% interval', '–'],
  ]);
  const none = rowsOf([{ name: 'difference', seeds: [], difference: null }]);
  expect(none.map((row) => row[4])).toEqual(['difference', '–', '–', '–', '–']);
});
