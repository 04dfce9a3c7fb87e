// What the article says about tables in files: that of a model whose table is lost, and of packed ones.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { filesFacts } from '../../../web/article/build/files-facts.mjs';
import { checks } from '../../../web/article/build/sentence-checks.mjs';
import { lostPlot, sentenceOf as lostSentence } from '../../../web/article/figures/in-files/lost-table.js';
import { bitsPlot, sentenceOf as bitsSentence } from '../../../web/article/figures/in-files/table-bits.js';

interface Outcome {
  values: { value: string; points: { seeds: number[]; values: number[]; mean: number }[] }[];
}
const outcome = (name: string): Outcome =>
  JSON.parse(readFileSync(join(root, `claims/outcomes/${name}.json`), 'utf8')) as Outcome;
const [lostHead, tableBits, ofPlays] = [outcome('lost-head'), outcome('table-bits-stories'), outcome('table-bits')];
const facts = filesFacts(lostHead, tableBits, ofPlays);
const sentences = checks.filter(({ says }) =>
  /passes that of guessing|writes about as badly|shared one table for half|so tying saves|few bits still|it depends on the run|three bits cost/.test(
    says,
  ),
);
const holding = (files: unknown): boolean[] => sentences.map(({ holds }) => holds({ files }));

it('the numbers are those of the outcomes, and support the sentences', () => {
  const { lost, bits } = facts;
  expect(lost.guessing).toBeCloseTo(Math.log(512), 12);
  expect(lost.end.head.mean).toBe(
    lostHead.values.find(({ value }) => value === 'lost-table(untied, lost=unembedding, step=600)')!.points[0]!.mean,
  );
  expect(lost.rows.map(({ step }) => step)).toEqual([0, 50, 100, 200, 300, 400, 500, 600]);
  const { tied, untied, saved } = bits.of['Q4KM']!;
  // 512 rows of 256: of blocks of 256, Q6_K has 210 bytes and Q4_K 144.
  expect([tied.kilobytes, untied.kilobytes]).toEqual([expect.closeTo(107.52, 9), expect.closeTo(181.248, 9)]);
  expect(saved).toBeCloseTo(1 - 107.52 / 181.248, 12);
  expect(tied.costs).toHaveLength(bits.seeds);
  expect(sentences.length).toBeGreaterThan(4);
  expect(holding(facts)).toEqual(sentences.map(() => true));
});

it('one seed that contradicts a sentence refutes it, and a missing value is named', () => {
  const better = outcome('lost-head');
  better.values.find(({ value }) => value === 'lost-table(untied, lost=unembedding, step=600)')!.points[0]!.values[2] =
    3;
  expect(holding(filesFacts(better, tableBits, ofPlays))).toContain(false);
  const certain = outcome('table-bits');
  certain.values
    .find(({ value }) => value === 'packed-loss(untied, packing=Q2_K).bitsPerByte')!
    .points[0]!.values.fill(3);
  expect(holding(filesFacts(lostHead, tableBits, certain))).toContain(false);
  expect(() => filesFacts({ values: [] }, tableBits, ofPlays)).toThrow(
    'claims/outcomes/lost-head.json has no loss(untied, step=600)',
  );
  expect(() => filesFacts(lostHead, { values: [] }, ofPlays)).toThrow(
    'claims/outcomes/table-bits-stories.json has no ',
  );
});

describe('the figure of a lost table', () => {
  const rows = facts.lost.rows.map(({ step, both, head, input }) => {
    return { step, both: both.mean, writing: head.mean, reading: input.mean };
  });
  const { guessing } = facts.lost;

  it('says what is left, beside guessing', () => {
    expect(lostSentence(rows, 'nothing', guessing)).toBe(
      'After 600 steps the model with its two tables has a loss of 3.08 nats. Now lose one of them.',
    );
    expect(lostSentence(rows, 'writing', guessing)).toBe(
      'Without the table that writes, the one that reads does both, and the loss is 7.46 nats: worse than guessing (6.24).',
    );
    expect(lostSentence(rows, 'reading', guessing)).toContain(
      'Without the table that reads, the one that writes does both',
    );
    expect(lostSentence([{ step: 9, both: 3, writing: 4, reading: 5 }], 'reading', 6)).toMatch(
      /5\.00 nats: better than guessing \(6\.00\)\.$/,
    );
  });

  it('draws the chosen losses, and describes those', () => {
    const { label } = lostPlot(rows, 'writing', { width: 600, guessing });
    expect(label).toMatch(/^Loss of the model with no writing table\. Step 0: 6\.24\. .* Step 600: 7\.46\.$/);
    expect(lostPlot(rows, 'nothing', { width: 300, guessing }).label).toMatch(/Step 600: 3\.08\.$/);
  });
});

describe('the figure of packed tables', () => {
  const rows = facts.bits.rows
    .filter(({ program }) => program === 'llama.cpp')
    .map(({ packing, tied, untied, saved }) => {
      return {
        packing,
        saved: 100 * saved,
        tied: [tied.kilobytes, tied.loss.mean] as const,
        untied: [untied.kilobytes, untied.loss.mean] as const,
      };
    });

  it('says what tying saves, and whether two tables are ahead in all files', () => {
    expect(bitsSentence(rows, 'llama.cpp')).toMatch(
      /^In files of llama\.cpp, tying saves 29% to 50% of the tables’ bytes\./,
    );
    const level = [{ packing: 'one', tied: [10, 2] as const, untied: [20, 2.5] as const, saved: 50 }];
    expect(bitsSentence(level, 'MLX')).toBe(
      'In files of MLX, tying saves 50% of the tables’ bytes. Not in all of them do two tables predict better; at one, 2.500 bits per byte against 2.000.',
    );
  });

  it('describes both models of every file', () => {
    expect(bitsPlot(rows, 600).label).toMatch(
      /Q4_K_M: one table 108 kilobytes, [\d.]+ bits per byte; two 181, [\d.]+\./,
    );
  });
});
