/** Laws of what one table costs by width and vocabulary: their fits, and the page that tells them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  above,
  cellsOf,
  errorsLeftOut,
  fit,
  judged,
  judgedLater,
  laterCells,
  laterPage,
  laws,
  linesOf,
  linesOfLater,
  linesOfModels,
  measuredCells,
  page,
  parametersOf,
  valueOf,
} from '../../../tools/claims/scale-law.mjs';
import { root } from '../../../tools/lib/root.mjs';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Costs of a known law at the fitted cells, with what is added by seed. */
const planted = (law: string, parameters: number[], noise = (_seed: number, _cell: number): number => 0) =>
  [16, 32, 64, 128].flatMap((d, i) =>
    [256, 1024, 4096].map((V, j) => ({
      d,
      V,
      costs: [0, 1, 2, 3, 4].map((seed) => valueOf(law, parameters, { d, V, costs: [] }) + noise(seed, 3 * i + j)),
    })),
  );

test.each([
  ['constant', [0.2]],
  ['ratio', [-0.1, 0.05]],
  ['plane', [0.5, -0.07, 0.01]],
  ['twisted', [0.5, -0.07, 0.01, 0.002]],
  ['power', [-0.5, -0.6, 0.2]],
])('costs of the law %s give its parameters, and no error at a cell that is left out', (law, parameters) => {
  const cells = planted(law, parameters);
  const found = parametersOf(law, cells);
  found.forEach(({ mean, halfWidth }: { mean: number; halfWidth: number }, i: number) => {
    expect(mean).toBeCloseTo(parameters[i]!, 7);
    expect(halfWidth).toBeLessThan(1e-7);
  });
  expect(Math.max(...errorsLeftOut(law, cells).map(Math.abs))).toBeLessThan(1e-7);
});

test('the law with the least error at cells left out is told, and is held to those beyond', () => {
  const noise = (seed: number, cell: number): number => 0.001 * (((7 * seed + 5 * cell) % 11) - 5);
  const fitted = planted('power', [-0.5, -0.6, 0.2], noise);
  const beyond = [{ d: 256, V: 1024, costs: [0, 0, 0, 0, 0].map(() => Math.exp(-0.5) * 256 ** -0.6 * 1024 ** 0.2) }];
  const { best, predicts } = judged({ one: { fitted, beyond } });
  expect([best.law, predicts]).toEqual(['power', true]);
  const elsewhere = [{ d: 256, V: 1024, costs: [0.9, 0.9, 0.9, 0.9, 0.9] }];
  expect(judged({ one: { fitted, beyond: elsewhere } }).predicts).toBe(false);
});

test('how often one of two numbers is above the other counts equal ones as a half', () => {
  expect(above([3, 4], [1, 2])).toBe(1);
  expect(above([1, 2], [2, 3])).toBe(0.125);
  expect(above([5], [5])).toBe(0.5);
});

describe.each(Object.keys(measuredCells()))('the laws of %s', (text) => {
  interface Reference {
    parameters: number[];
    leftOut: number[];
    mean: number[];
    halfWidth: number[];
  }
  const reference = JSON.parse(read('tests/reference/scale_law.json')) as Record<string, Record<string, Reference>>;

  test.each(laws)('%s has the parameters that scipy finds', (law) => {
    const cells = cellsOf(`scale-${text}`);
    const { parameters, leftOut, mean, halfWidth } = reference[text]![law]!;
    const means = cells.map(({ costs }) => costs.reduce((sum, cost) => sum + cost, 0) / costs.length);
    const close = (found: number[], wanted: number[]): void => {
      expect(found).toHaveLength(wanted.length);
      // scipy searches for the linear laws, too. Searches end where the sum of squares no longer falls, which leaves half of the digits.
      found.forEach((value, i) => expect(Math.abs(value - wanted[i]!)).toBeLessThan(law === 'power' ? 2e-5 : 1e-7));
    };
    close(fit(law, cells, means), parameters);
    close(errorsLeftOut(law, cells), leftOut);
    close(
      parametersOf(law, cells).map((one: { mean: number }) => one.mean),
      mean,
    );
    close(
      parametersOf(law, cells).map((one: { halfWidth: number }) => one.halfWidth),
      halfWidth,
    );
  });
});

test('cells that were run later are held to the law as it was fitted before, each text to its own', () => {
  const fitted = planted('plane', [0.5, -0.05, 0.01]);
  const cellAt = (d: number, V: number, off = 0) => ({
    ...{ d, V },
    costs: Array.from({ length: 5 }, () => 0.5 - 0.05 * Math.log2(d) + 0.01 * Math.log2(V) + off),
  });
  const measured = { one: { fitted, beyond: [cellAt(256, 256)] } };
  const found = judgedLater(measured, { one: { between: [cellAt(64, 512)], beyond: [cellAt(256, 4096, 0.3)] } });
  expect(found.map(({ name, count, predicts }) => [name, count, predicts])).toEqual([
    ['between', 1, true],
    ['beyond', 1, false],
    ['beyond, with the earlier', 2, false],
  ]);
  expect(found[0]!.ofLaw).toBeLessThan(1e-7);
  expect([found[1]!.ofLaw, found[2]!.ofLaw]).toEqual([expect.closeTo(0.3, 7), expect.closeTo(0.3 / Math.SQRT2, 7)]);
  const none = { one: { between: [], beyond: [] } };
  expect(judgedLater(measured, none).map(({ predicts }) => predicts)).toEqual([null, null, null]);
  expect(linesOfLater(measured, none).slice(1, 4)).toEqual([
    '  between: not run',
    '  beyond: not run',
    '  beyond, with the earlier: not run',
  ]);
});

test('the page of later cells tells what the script prints of them', () => {
  expect(readFileSync(laterPage, 'utf8')).toContain(
    `\`\`\`text\n${linesOfLater(measuredCells(), laterCells()).join('\n')}\n\`\`\``,
  );
});

test('the page tells what the script prints of what was measured', () => {
  expect(readFileSync(page, 'utf8')).toContain(`\`\`\`text\n${linesOf(measuredCells()).join('\n')}\n`);
});

test('public models are compared by what they chose: the law of wide models that cost less says that narrow ones are untied', () => {
  const fitted = planted('plane', [0.5, -0.05, 0]);
  const model = (tying: string, dModel: number) => ({ tying, architecture: { dModel, vocabSize: 50_000 } });
  const models = [model('tied', 512), model('untied', 4096), model('untied', 256)];
  expect(linesOfModels({ one: { fitted, beyond: [] } }, models)).toEqual([
    'public models, extrapolated: 1 tied, 2 untied',
    '  by the law of one: an untied model costs more than a tied one with probability 0.50; 1 costs of 0 or less',
    '  V / d is larger with probability 0.50, d with 0.50',
  ]);
});
