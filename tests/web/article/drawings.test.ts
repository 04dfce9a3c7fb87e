import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { alignmentFacts } from '../../../web/article/build/alignment-facts.mjs';
import { readDriftFacts } from '../../../web/article/build/drift-facts.mjs';
import { readLanguagesFacts } from '../../../web/article/build/languages-facts.mjs';
import { readWidthFacts } from '../../../web/article/build/width-facts.mjs';
import { readScaleFacts } from '../../../web/article/build/scale-facts.mjs';
import { placeNames } from '../../../web/article/build/model-names.mjs';
import { experimentFacts } from '../../../web/article/build/experiment-facts.mjs';
import { makeDrawings, thinned } from '../../../web/article/build/drawings.mjs';
import { themeCss } from '../../../web/article/build/theme-css.mjs';
import { restingWalk, Walk } from '../../../web/article/figures/roundabout/walk.js';
import { lineChart } from '../../../web/charts/index.js';
import { lineChartViewStyles } from '../../../web/elements/shared/line-chart-view.styles.js';
import { palette } from '../../../web/elements/shared/palette.js';
import { randomNumbers } from '../../../web/elements/shared/shuffled.js';

const facts = {
  hero: {
    words: ['New', 'York'],
    text: [
      [0, 0.9],
      [0, 0],
    ],
    symmetric: [
      [0, 0.5],
      [0.5, 0],
    ],
    shared: [
      [0.4, 0.3],
      [0.3, 0.4],
    ],
  },
  toy: {
    tokens: ['New', 'York', 'City'],
    flow: [
      [0, 0.3, 0],
      [0, 0, 0.3],
      [0.4, 0, 0],
    ],
    symmetricFlow: [
      [0, 0.15, 0.2],
      [0.15, 0, 0.15],
      [0.2, 0.15, 0],
    ],
  },
  lab: {
    steps: 3,
    unigram: 4,
    symmetricLogits: 3,
    bigram: 2.5,
    arms: [
      { tying: 'tied', losses: [5, 4, 3.5] },
      { tying: 'untied', losses: [5, 3.5, 2.6] },
    ],
    seeds: [
      { tying: 'tied', gaps: [1, 1.1, 1.2], mean: 1.1 },
      { tying: 'untied', gaps: [0.01, 0.02, 0.03], mean: 0.02 },
    ],
  },
  floors: [{ name: 'words', vocabSize: 1500, unigram: 5, bigram: 2, symmetricLogits: 3, price: 1 }],
  accounting: {
    models: {
      list: [
        { name: 'Middle', tied: true, savedOfUntied: 0.2 },
        { name: 'Least', tied: true, savedOfUntied: 0.04 },
        { name: 'Most', tied: false, savedOfUntied: 0.42 },
      ],
    },
  },
  gpt: { output: { largest: 0.92, last: 0.4 } },
  lens: { tuned: { tied: [2, 1, 0], untied: [2, 0.5, 0] } },
  hidden: { tied: { ratio: 1, chance: { ratio: 11 } } },
  cards: {
    tied: { effectiveRank: 36, effectiveRankNull: 60 },
    untied: { reading: { effectiveRank: 48 }, writing: { effectiveRank: 34 } },
  },
  files: { lost: { guessing: 6, end: { both: { mean: 3 }, head: { mean: 7 }, input: { mean: 9 } } } },
  heads: {
    rows: [
      { head: 'full', counted: 1 },
      { head: 'sampled', counted: 0.25 },
    ],
  },
  law: {
    tied: { deep: { alone: 0, whole: 0.4 } },
    untied: { deep: { alone: 0.4, whole: 0.6 } },
    leak: { tied: { cosine: 1, chance: 0.3 }, untied: { cosine: 0.6 } },
  },
  languages: await readLanguagesFacts(root),
  experiment: experimentFacts(readFileSync(join(root, 'docs/experiments/tiny-shakespeare.tsv'), 'utf8')),
  widths: await readWidthFacts(root),
  scale: await readScaleFacts(root),
  drift: await readDriftFacts(root),
  alignment: alignmentFacts(readFileSync(join(root, 'docs/experiments/tables.tsv'), 'utf8')),
};
type Name =
  | 'hero'
  | 'decision'
  | 'training'
  | 'flows'
  | 'transformer'
  | 'experiment'
  | 'alignment'
  | 'lab-seeds'
  | 'floors'
  | 'models';
const drawings = makeDrawings(facts, { lineChart, randomNumbers, restingWalk, Walk }) as Record<Name, string>;
const { hero, training, flows, experiment, floors } = drawings;

describe('pictures of the chapters', () => {
  const { pull, heads, word } = Object.fromEntries(
    ['pull', 'heads', 'word'].map((id) => [id, (drawings as Record<string, string>)[`chapter-${id}`] ?? '']),
  ) as Record<'pull' | 'heads' | 'word', string>;

  it('are drawn from what the chapters state', () => {
    const sizes = (svg: string, side: 'width' | 'height') =>
      [...svg.matchAll(new RegExp(` ${side}="([\\d.]+)"`, 'g'))].map(([, size]) => Number(size));
    // Two rows, each of writing and reading.
    const [early = 0, , late = 0] = sizes(pull, 'width');
    expect(early / late).toBeCloseTo(0.92 / 0.4, 1);
    const [full = 0, sampled = 0] = sizes(heads, 'height');
    expect(sampled / full).toBeCloseTo(0.25, 1);
    // At 45 degrees, as far across as up.
    const [, across, up] = /class="line tied" d="M38 62L([\d.]+) ([\d.]+)"/.exec(word) ?? [];
    expect(Number(across) - 38).toBeCloseTo(62 - Number(up), 1);
  });
});

describe('drawings made at build time', () => {
  it('have names for screen readers and no style attributes', () => {
    for (const [name, drawing] of Object.entries(drawings)) {
      // Pictures of chapters stand beside the sentence that says what they show.
      expect(drawing).toContain(name.startsWith('chapter-') ? 'aria-hidden="true"' : 'role="img" aria-label="');
      expect(drawing).not.toContain('style=');
    }
  });

  it('fill one cell for the text, two with its mirror image, and also the diagonal for a shared table', () => {
    const panels = hero.split('class="panel ').slice(1);
    expect(panels.map((panel) => panel.match(/class="heat"/g)?.length)).toEqual([1, 2, 4]);
  });

  it('outline the pair and its mirror cell in each panel, and give the probability of a repeat', () => {
    expect(hero.match(/class="outline"/g)).toHaveLength(6);
    expect(hero).toMatch(/<i>New<\/i> after <i>New<\/i> <b>40%<\/b>/);
  });

  it('show every run of every variant as a dot, and the mean of each as a bar', () => {
    const runs = readFileSync(join(root, 'docs/experiments/tiny-shakespeare.tsv'), 'utf8').match(/^reference\t/gm);
    const [key = '', ...rows] = experiment.split('<div class="strip">');
    expect(rows.join('').match(/<circle/g)).toHaveLength(runs?.length ?? 0);
    expect(rows).toHaveLength(8);
    for (const row of rows) expect(row.match(/class="bar/g)).toHaveLength(1);
    expect(key).toContain('one run');
  });

  it('place runs by their share of the axis, the best variant first', () => {
    // 3.723278 on an axis from 3.68 to 4.03.
    expect(experiment).toContain('cx="12.4%"');
    const means = [...experiment.matchAll(/class="strip-value">([\d.]+)</g)].map(([, mean]) => mean);
    expect(means).toEqual(['3.724', '3.786', '3.842', '3.869', '3.878', '3.902', '3.908', '3.984']);
    expect(drawings['lab-seeds'].match(/<circle class="dot tied"/g)).toHaveLength(3);
  });

  it('show every run of every pair of tables as a dot, and the chance level', () => {
    const [key = '', ...rows] = drawings.alignment.split('<div class="strip">');
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      expect(row.match(/class="dot/g)).toHaveLength(3);
      expect(row.match(/class="ring/g)).toHaveLength(1);
      expect(row.match(/class="bar/g)).toHaveLength(1);
    }
    expect(key).toContain('by chance');
  });

  it('draw three floors and the price between two of them', () => {
    const [, row = ''] = floors.split('<div class="strip">');
    expect(row).toMatch(/1,500 words.*class="span".*class="dot.*class="ring.*class="bar.*1\.00/s);
  });

  it('draw every published model as a dot at its savings by tying, with tied and untied models in separate rows', () => {
    const rows = drawings.models.split('<div class="strip named ').slice(1);
    expect(rows.map((row) => row.match(/<circle class="dot (tied|untied)"/g)?.length)).toEqual([2, 1]);
    expect(rows[0]).toMatch(/>Tie<.*cx="40.4%".*strip-value">2</s);
    expect(rows[1]).toMatch(/>Do not tie<.*cx="82.7%".*strip-value">1</s);
  });

  it('draw flows with the width of their share in both directions, and describe them in words', () => {
    const widths = [...flows.matchAll(/stroke-width="([\d.]+)"/g)].map(([, width]) => Number(width));
    expect(widths).toHaveLength(12);
    expect(widths.slice(0, 2)).toEqual([13.8, 1]);
    expect(flows).toContain('Symmetric scores: New to York 15%');
  });

  it('draw every model as a curve and every floor as a line', () => {
    expect(training.match(/class="key curve /g)).toHaveLength(2);
    expect(training.match(/class="curve /g)).toHaveLength(2);
    expect(training.match(/class="floor"/g)).toHaveLength(3);
  });
});

describe('dashes', () => {
  it('of the static charts match those of the live charts', () => {
    const dashes = (css: string, prefix: string): unknown[] =>
      ['tied', 'untied', 'tied-linear', 'tied-mlp'].map(
        (arm) => new RegExp(`${prefix}${arm} \\{[^}]*?stroke-dasharray: ([\\d ]+);`).exec(css)?.[1] ?? 'none',
      );
    const live = dashes(lineChartViewStyles.cssText, '\\.role-');
    expect(live.filter((dash) => dash === 'none')).toHaveLength(1);
    expect(new Set(live).size).toBe(live.length);
    expect(dashes(readFileSync(join(root, 'web/article/styles/figures.css'), 'utf8'), '\\.chart \\.curve\\.')).toEqual(
      live,
    );
  });
});

describe('the page’s colors', () => {
  it('are those of the elements, with the light ones as fallback without light-dark()', () => {
    const css = themeCss(palette);
    expect(css).toContain(`--tied-color-tied-text: ${palette.tiedText[0]};`);
    expect(css).toContain(`--tied-color-tied-text: light-dark(${palette.tiedText[0]}, ${palette.tiedText[1]});`);
  });
});

describe('the points of a curve', () => {
  const pointsOf = (path: string): [number, number][] =>
    path
      .slice(1)
      .split('L')
      .map((point) => point.split(/[ ,]/).map(Number) as [number, number]);

  it('are left out where the line stays within its own width without them', () => {
    const curve = Array.from({ length: 400 }, (_, x) => [x, 100 + 80 * Math.exp(-x / 60)] as const);
    const path = `M${curve.map(([x, y]) => `${x},${y.toFixed(2)}`).join('L')}`;
    const kept = pointsOf(thinned(path));
    expect(kept.length).toBeLessThan(20);
    expect([kept[0]![0], kept.at(-1)![0]]).toEqual([0, 399]);
    for (const [x, y] of curve) {
      const after = kept.findIndex(([one]) => one >= x);
      const [x1, y1] = kept[after]!;
      const [x0, y0] = kept[Math.max(0, after - 1)]!;
      const at = x1 === x0 ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
      // One pixel by tolerance, up to one by rounding a steep line.
      expect(Math.abs(at - y), `x ${x}`).toBeLessThan(2.5);
    }
  });

  it('stay where a line has a spike', () => {
    expect(pointsOf(thinned('M0,10L50,10L51,40L52,10L100,10'))).toEqual([
      [0, 10],
      [50, 10],
      [51, 40],
      [52, 10],
      [100, 10],
    ]);
  });
});

describe('the drawing of what one table costs', () => {
  it('has a row for each width, a dot for each pair of runs and an interval where there are three', () => {
    const rows = drawings.decision.split('<div class="strip">').slice(1);
    expect(rows).toHaveLength(facts.widths.all.length);
    const all = facts.widths.all as { width: number; costs: number[]; interval: object | null }[];
    all.forEach(({ width, costs, interval }, at) => {
      expect(rows[at]).toContain(`width ${String(width)}`);
      expect(rows[at]!.match(/class="dot tied"/g)).toHaveLength(costs.length);
      expect(rows[at]!.includes('class="span"')).toBe(interval !== null);
    });
  });
});

describe('names of published models', () => {
  // As crowded as the real list: many at small shares, few at large ones.
  const models = Array.from({ length: 33 }, (_, i) => ({
    name: `Model ${String(i)} of 7B`,
    at: 0.02 + 0.9 * (i / 32) ** 2.2,
  }));
  const placed = placeNames(models);

  it('name both ends, and more in wider rows', () => {
    expect(placed.map(({ name }) => name)).toEqual(expect.arrayContaining(['Model 0 of 7B', 'Model 32 of 7B']));
    const shown = (...classes: string[]): number =>
      placed.filter(({ className }) => classes.includes(className)).length;
    expect(shown('')).toBeGreaterThan(2);
    expect(shown('', 'from-740')).toBeGreaterThan(shown(''));
    expect(placed.length).toBeGreaterThan(shown('', 'from-740'));
    expect(new Set(placed.map(({ name }) => name)).size).toBe(placed.length);
  });

  it('do not overlap on their line at the widths that they are placed for', () => {
    const rooms: [number, string[]][] = [
      [285, ['']],
      [470, ['', 'from-740']],
      [760, ['', 'from-740', 'from-1180']],
    ];
    for (const [width, classes] of rooms) {
      const shown = placed.filter(({ className }) => classes.includes(className));
      const spans = shown.map(({ name, at, lane }) => {
        const long = 7.1 * name.length;
        const from = at * width - (at < 0.2 ? 4 : at > 0.82 ? long - 4 : long / 2);
        return { lane, from, to: from + long };
      });
      spans.forEach((one, i) => {
        for (const other of spans.slice(i + 1)) {
          if (one.lane === other.lane) expect(one.from >= other.to || other.from >= one.to).toBe(true);
        }
      });
    }
  });
});
