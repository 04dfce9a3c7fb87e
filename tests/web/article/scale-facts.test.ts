// What the article says about the cost of one table by width and vocabulary.
import { expect, it } from 'vitest';
import { laterCells, measuredCells } from '../../../tools/claims/scale-law.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { readScaleFacts, scaleFacts } from '../../../web/article/build/scale-facts.mjs';
import { scaleStrips } from '../../../web/article/build/seed-drawings.mjs';
import { checks } from '../../../web/article/build/sentence-checks.mjs';

interface Facts {
  cells: { width: number; vocabSize: number; fitted: boolean; plays: { bySeed: number[] } }[];
  seeds: number;
  models: number;
  costs: { holds: number; of: number };
  byWidth: { plays: number[]; novels: number[] };
  law: {
    name: string;
    beyond: { cells: number; predicts: boolean };
    between: { cells: number; predicts: boolean };
    odd: { width: number; vocabSize: number };
  };
}

const facts = (await readScaleFacts(root)) as Facts;
const sentences = checks.filter(({ says }) =>
  /in a wider model|with more tokens, where|was to hold in every pair|straight line in the log/.test(says),
);

it('the numbers are those of all cells of both texts, and support the sentences', () => {
  expect(facts.cells).toHaveLength(29);
  expect(facts.cells.filter(({ fitted }) => fitted)).toHaveLength(12);
  expect(facts.seeds).toBe(5);
  expect(facts.models).toBe(580);
  expect(facts.costs.of).toBe(58);
  expect(facts.law).toMatchObject({
    beyond: { cells: 9, predicts: false },
    between: { cells: 8, predicts: false },
    odd: { width: 64, vocabSize: 512 },
  });
  expect(sentences.map(({ holds }) => holds({ scale: facts }))).toEqual([true, true, true, true]);
});

it('means by width are over the vocabularies that all widths have', () => {
  // Width 256 was not run with 8,192 tokens.
  const vocabularies = [256, 512, 1024, 2048, 4096];
  const costs = facts.cells
    .filter(({ width, vocabSize }) => width === 128 && vocabularies.includes(vocabSize))
    .map(({ plays }) => plays.bySeed.reduce((sum, cost) => sum + cost) / facts.seeds);
  expect(costs).toHaveLength(5);
  expect(facts.byWidth.plays).toHaveLength(5);
  expect(facts.byWidth.plays[3]).toBeCloseTo(costs.reduce((sum, cost) => sum + cost) / 5, 12);
});

it('the drawing has a mark for each pair of runs, and its axis holds all of them', () => {
  const drawn = scaleStrips({ scale: facts });
  expect(drawn.match(/class="dot tied"/g)).toHaveLength(29 * 5 + 1);
  expect(drawn.match(/class="ring tied"/g)).toHaveLength(29 * 5 + 1);
  // Where one table costs nothing.
  expect(drawn.match(/y1="0" y2="100%"/g)).toHaveLength(29);
  for (const [, x] of drawn.matchAll(/cx="([-\d.]+)%"/g)) {
    expect(Number(x)).toBeGreaterThan(0);
    expect(Number(x)).toBeLessThan(100);
  }
});

it('a cell that one text lacks is named', () => {
  const { plays, novels } = measuredCells() as Record<'plays' | 'novels', { fitted: object[]; beyond: object[] }>;
  const shape = { training: { steps: 1, batchSize: 1 }, model: { contextLength: 1, nLayers: 1 }, seeds: [1] };
  expect(() =>
    scaleFacts({ plays, novels: { ...novels, fitted: novels.fitted.slice(1) } }, [], shape, laterCells()),
  ).toThrow('claims/outcomes/scale-novels*.json have no width 16 with 256 tokens');
});
