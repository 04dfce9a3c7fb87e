// One position worked through by hand: against closed forms written out here, PyTorch, the core, and the programs that the figure prints.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { expectsPython, pythonWith } from '../../../tools/setup/judges.mjs';
import { checkWithCore } from '../../../web/article/figures/worked-position/check.js';
import { codeOf } from '../../../web/article/figures/worked-position/code.js';
import {
  firstPosition,
  hiddenOf,
  largest,
  similarities,
  tenthAt,
  width,
  withRead,
  withTenth,
  work,
  type Position,
} from '../../../web/article/figures/worked-position/position.js';
import { createLab } from '../../../web/index.js';

interface Reference {
  readonly table: number[];
  readonly layers: number[];
  readonly read: number;
  readonly target: number;
  readonly hidden: number[];
  readonly logits: number[];
  readonly probabilities: number[];
  readonly loss: number;
  readonly back: number[];
  readonly reading: number[];
  readonly writing: number[];
  readonly total: number[];
}

const { positions } = JSON.parse(
  readFileSync(join(root, 'tests/reference/worked_position_reference.json'), 'utf8'),
) as { positions: Reference[] };
const { words } = firstPosition;
const positionOf = ({ table, layers, read, target }: Reference): Position => ({ words, table, layers, read, target });

const largestDifference = (one: readonly number[], other: readonly number[]): number => {
  expect(one).toHaveLength(other.length);
  return Math.max(...one.map((value, at) => Math.abs(value - other[at]!)));
};

/** Names and numbers that a program printed, one list per line. */
const printed = (text: string): Record<string, number[]> =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', ...numbers] = line.split(' ');
        return [name, numbers.map(Number)];
      }),
  );

/** What a program has to print for a position. */
const expected = (position: Position): Record<string, readonly number[]> => {
  const { hidden, logits, probabilities, loss, writing, reading, total } = work(position);
  return { h: hidden, logits, probabilities, loss: [loss], writing, reading, total };
};

/** Single precision, for numbers below 10 that are sums of at most 8 products. */
const single = 3e-6;

describe('a position worked through by hand', () => {
  test('is what PyTorch differentiates, role by role, for the toy and for drawn tables', () => {
    expect(positions[0]).toMatchObject({
      table: firstPosition.table,
      layers: firstPosition.layers,
      read: 0,
      target: 1,
    });
    expect(positions.length).toBeGreaterThan(5);
    for (const reference of positions) {
      const worked = work(positionOf(reference));
      // The file has twelve decimals.
      for (const name of ['hidden', 'logits', 'probabilities', 'back', 'reading', 'writing', 'total'] as const) {
        expect(largestDifference(worked[name], reference[name]), name).toBeLessThan(1e-11);
      }
      expect(Math.abs(worked.loss - reference.loss)).toBeLessThan(1e-11);
    }
  });

  test('has the gradient that small changes of the loss confirm, for every element of the one table', () => {
    // Written out again, from numbers, without the functions of the figure.
    const lossOf = (table: readonly number[]): number => {
      const h = [0, 1, 2, 3].map((i) => table[firstPosition.read * 4 + i]! + firstPosition.layers[i]! / 10);
      const z = words.map((_, v) => h.reduce((sum, one, i) => sum + one * table[v * 4 + i]!, 0));
      return Math.log(z.reduce((sum, one) => sum + Math.exp(one), 0)) - z[firstPosition.target]!;
    };
    const table = firstPosition.table.map((tenth) => tenth / 10);
    const step = 1e-5;
    const { total, loss } = work(firstPosition);
    expect(Math.abs(loss - lossOf(table))).toBeLessThan(1e-14);
    total.forEach((element, at) => {
      const moved = (by: number): number => lossOf(table.map((one, i) => (i === at ? one + by : one)));
      // The error of a central difference is of the order of its step squared.
      expect(Math.abs(element - (moved(step) - moved(-step)) / (2 * step)), String(at)).toBeLessThan(1e-9);
    });
  });

  test('writing pulls at all rows, reading at the row that was read, and the sum is of both', () => {
    const { writing, reading, total, residuals, probabilities, wanted, oneHot } = work(firstPosition);
    const rows = (matrix: readonly number[]): number =>
      words.filter((_, v) => matrix.slice(v * width, (v + 1) * width).some((one) => one !== 0)).length;
    expect([rows(writing), rows(reading), rows(total)]).toEqual([7, 1, 7]);
    expect(reading.slice(0, width).every((one) => one !== 0)).toBe(true);
    expect(
      largestDifference(
        total,
        writing.map((one, at) => one + reading[at]!),
      ),
    ).toBe(0);
    expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 14);
    expect(residuals.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 14);
    expect(wanted).toEqual([0, 1, 0, 0, 0, 0, 0]);
    expect(oneHot).toEqual([1, 0, 0, 0, 0, 0, 0]);
    // The row of the word that follows is the only one that is pulled towards h.
    expect(residuals.map(Math.sign)).toEqual([1, -1, 1, 1, 1, 1, 1]);
  });

  test('is exact up to the logits: products of tenths are whole hundredths', () => {
    expect(work(firstPosition).logits).toEqual([-0.74, 2.05, 0.54, -1.59, 0.34, 1.57, 0.07]);
  });
});

describe('changes', () => {
  test('a new element of h is what the layers add; a new element of the row that is read moves h with it', () => {
    const changed = withTenth(firstPosition, { row: 'h', col: 2 }, 5);
    expect(hiddenOf(changed)).toEqual([15, 4, 5, 10]);
    expect(changed.table).toEqual(firstPosition.table);
    const row = withTenth(firstPosition, { row: 0, col: 1 }, 8);
    expect(tenthAt(row, { row: 0, col: 1 })).toBe(8);
    expect(hiddenOf(row)).toEqual([15, 14, -4, 10]);
    expect(row.layers).toEqual(firstPosition.layers);
    const other = withTenth(firstPosition, { row: 5, col: 1 }, 8);
    expect(hiddenOf(other)).toEqual(hiddenOf(firstPosition));
  });

  test('stay within limits, in whole tenths', () => {
    for (const place of [
      { row: 'h', col: 0 },
      { row: 0, col: 0 },
      { row: 3, col: 0 },
    ] as const) {
      for (const [asked, kept] of [
        [99, largest],
        [-99, -largest],
        [3.4, 3],
      ] as const) {
        const changed = withTenth(firstPosition, place, asked);
        expect(tenthAt(changed, place)).toBe(kept);
        for (const tenths of [hiddenOf(changed), changed.table]) {
          expect(Math.max(...tenths.map(Math.abs))).toBeLessThanOrEqual(largest);
        }
      }
    }
  });

  test('another word that is read leaves h, and so all that is written, and moves what reading pulls at', () => {
    const changed = withRead(firstPosition, 3);
    const [before, after] = [work(firstPosition), work(changed)];
    expect(after.hidden).toEqual(before.hidden);
    expect(after.writing).toEqual(before.writing);
    expect(after.back).toEqual(before.back);
    expect(after.reading.slice(12, 16)).toEqual(before.back);
  });
});

test('similarities are symmetric, with h as the last row: its dot products are the logits', () => {
  const size = words.length + 1;
  for (const kind of ['dot', 'cosine'] as const) {
    const found = similarities(firstPosition, kind);
    expect(found).toHaveLength(size * size);
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) expect(found[i * size + j]).toBe(found[j * size + i]);
  }
  expect(similarities(firstPosition, 'dot').slice(-size, -1)).toEqual(work(firstPosition).logits);
  const cosines = similarities(firstPosition, 'cosine');
  for (let i = 0; i < size; i++) expect(cosines[i * size + i]).toBeCloseTo(1, 12);
  // h against cat, from their numbers.
  expect(cosines.at(-size + 1)).toBeCloseTo(2.05 / Math.sqrt(3.57 * 1.19), 12);
  const zero = { ...firstPosition, layers: firstPosition.table.slice(0, 4).map((one) => -one) };
  expect(similarities(zero, 'cosine').at(-1)).toBeNaN();
});

test('the core computes the same numbers, all 103 of them', async () => {
  const lab = await createLab();
  try {
    for (const reference of positions) {
      const { numbers, largest: difference } = await checkWithCore(lab, positionOf(reference));
      expect(numbers).toBe(4 + 7 + 7 + 1 + 3 * 28);
      expect(difference).toBeLessThan(single);
      // In single precision, so some are not equal to the last bit.
      expect(difference).toBeGreaterThan(0);
    }
  } finally {
    lab.dispose();
  }
});

/** PyTorch takes seconds to load, on a busy machine a minute. */
describe('the programs that the figure prints', { timeout: 300_000 }, () => {
  const changed = withTenth(withRead({ ...firstPosition, target: 5 }, 4), { row: 2, col: 3 }, -15);

  test.each([
    ['at first', firstPosition],
    ['after changes', changed],
  ])('in JavaScript, %s: the built package prints the numbers of the figure', (_, position) => {
    const ended = spawnSync(process.execPath, ['--input-type=module'], {
      cwd: root,
      input: codeOf('javascript', position),
      encoding: 'utf8',
    });
    expect(ended.stderr).toBe('');
    const found = printed(ended.stdout);
    for (const [name, values] of Object.entries(expected(position))) {
      expect(largestDifference(found[name]!, values), name).toBeLessThan(single);
    }
  });

  test.each(['javascript', 'pytorch'] as const)('in %s: twenty lines, the table included', (language) => {
    for (const position of [firstPosition, changed]) {
      const lines = codeOf(language, position).trimEnd().split('\n');
      expect(lines).toHaveLength(20);
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(120);
    }
  });

  const installed = pythonWith('pytorch');
  test.runIf('python' in installed || expectsPython())(
    'in PyTorch: prints the numbers of the figure, from a table with two names and one storage',
    ({ skip }) => {
      if (!('python' in installed)) return skip(`skipped: ${installed.without}`);
      for (const position of [firstPosition, changed]) {
        const ended = spawnSync(installed.python, ['-'], { input: codeOf('pytorch', position), encoding: 'utf8' });
        expect(ended.stderr).toBe('');
        const found = printed(ended.stdout);
        for (const [name, values] of Object.entries(expected(position))) {
          expect(largestDifference(found[name]!, values), name).toBeLessThan(single);
        }
      }
      // Its check of the tying can fail.
      const copied = codeOf('pytorch', firstPosition).replace(
        'lm_head.weight = embedding.weight ',
        'lm_head.weight = nn.Parameter(embedding.weight.clone()) ',
      );
      const refused = spawnSync(installed.python, ['-'], { input: copied, encoding: 'utf8' });
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain('AssertionError');
    },
  );
});
