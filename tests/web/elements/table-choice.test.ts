// Which matrices <tied-checkpoint> offers first if the file does not say.
import { expect, it } from 'vitest';
import { likelyTables } from '../../../web/elements/checkpoint/table-choice.js';

const matrix = (name: string, shape: number[] | null) => ({ name, shape, dtype: 'F32', bytes: 4 });

it.each<[string, (number[] | null)[], { input: number; output: number | null }]>([
  ['another of the same shape', [[65, 128], [9, 9], [65, 128]], { input: 0, output: 2 }], // prettier-ignore
  ['one that is turned', [[65, 128], [128, 65], [9, 9]], { input: 0, output: 1 }], // prettier-ignore
  ['the same one, if none fits', [[65, 128], [128, 64]], { input: 0, output: null }], // prettier-ignore
  ['the same one, if no shape is known', [null, null], { input: 0, output: null }],
])('for the output: %s', (_, shapes, expected) => {
  expect(likelyTables(shapes.map((shape, at) => matrix(`m${at}`, shape)))).toEqual(expected);
});
