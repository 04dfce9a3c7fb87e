// The answers of the page for teachers, computed again in another way: by the core, by linear algebra, by differences, from the words of the story.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { examples, teachersAnswers } from '../../../web/article/teachers/answers.mjs';
import { renderTeachers } from '../../../web/article/teachers/render.mjs';
import { loadCore, type Core, type Matrix } from '../../../web/index.js';
import { builtInTexts } from '../../../web/texts/index.js';

const facts = JSON.parse(readFileSync(join(root, 'web/article/assets/recorded-facts.json'), 'utf8')) as never;
const source = readFileSync(join(root, 'web/article/teachers/page.html'), 'utf8');
const answers = teachersAnswers(facts);
const html = renderTeachers(source, facts);

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const matrixOf = (rows: number[][]): Matrix => ({
  rows: rows.length,
  cols: rows[0]!.length,
  data: Float32Array.from(rows.flat()),
});
const rowsOf = ({ rows, cols, data }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, row) => [...data.slice(row * cols, (row + 1) * cols)]);
const softmax = (row: number[]): number[] => {
  const logTotal = Math.log(row.reduce((sum, score) => sum + Math.exp(score - Math.max(...row)), 0)) + Math.max(...row);
  return row.map((score) => Math.exp(score - logTotal));
};
/** The long-run shares of a chain of three, by the cofactors of I - P. */
const settled = (p: number[][]): number[] => {
  const minor = (i: number) => {
    const [a, b] = [0, 1, 2].filter((other) => other !== i) as [number, number];
    return (1 - p[a]![a]!) * (1 - p[b]![b]!) - p[a]![b]! * p[b]![a]!;
  };
  const all = [0, 1, 2].map(minor);
  return all.map((one) => one / all.reduce((sum, other) => sum + other, 0));
};

describe('the answers', () => {
  it('of exercises 1 to 3 are those of the core’s direct path, and of the long run of its chain', () => {
    const scores = rowsOf(core.directPath({ embedding: matrixOf(examples.table) }));
    const { table } = answers;
    expect(table.newNew).toBeCloseTo(scores[0]![0]!, 6);
    expect(table.newYork).toBeCloseTo(scores[0]![1]!, 6);
    expect(table.newCity).toBeCloseTo(scores[0]![2]!, 6);
    const chain = scores.map(softmax);
    expect(table.yorkAfterNew).toBeCloseTo(chain[0]![1]!, 6);
    expect(table.newAfterYork).toBeCloseTo(chain[1]![0]!, 6);
    const shares = settled(chain);
    expect(table.newShare).toBeCloseTo(shares[0]!, 6);
    expect(table.yorkShare).toBeCloseTo(shares[1]!, 6);
    expect(table.forth).toBeCloseTo(shares[0]! * chain[0]![1]!, 6);
    expect(table.back).toBeCloseTo(table.forth, 12);
  });

  it('of exercise 4 are those of the core, and obey the law', () => {
    const chain = rowsOf(core.directPath({ embedding: matrixOf(examples.line) })).map(softmax);
    const { line } = answers;
    expect(line.newAfterNew).toBeCloseTo(chain[0]![0]!, 6);
    expect(line.yorkAfterNew).toBeCloseTo(chain[0]![1]!, 6);
    expect(line.newAfterYork).toBeCloseTo(chain[1]![0]!, 6);
    expect(line.yorkAfterYork).toBeCloseTo(chain[1]![1]!, 6);
    // What the sentences say.
    expect(line.yorkAfterNew).toBeGreaterThan(0.95);
    expect(line.yorkAfterYork).toBeGreaterThan(0.999);
    expect(line.product).toBeLessThan(line.limit / 1000);
    expect(settled(chain)[0]! * chain[0]![1]!).toBeLessThan(1e-6);
  });

  it('of exercise 5 are reached by words that come independently of each other, and counted again from the story’s words', () => {
    const { shares } = examples;
    const independent = shares.map(() => shares);
    const repeats = settled(independent).reduce((sum, share, at) => sum + share * independent[at]![at]!, 0);
    expect(answers.repeats.least).toBeCloseTo(repeats, 12);
    const text = builtInTexts.find(({ id }) => id === 'a-year-in-new-york')!;
    return text.load().then((story) => {
      const tokenizer = core.trainTokenizer(story, { kind: 'word', vocabSize: 500 });
      const ids = [...tokenizer.encode(story)];
      const the = tokenizer.tokens.indexOf('the');
      const times = new Map<number, number>();
      for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
      const squares = [...times.values()].reduce((sum, count) => sum + (count / ids.length) ** 2, 0);
      // A text has one pair less than tokens, so the last token may count or not.
      expect(answers.repeats.the).toBeCloseTo(times.get(the)! / ids.length, 4);
      expect(answers.repeats.all).toBeCloseTo(squares, 4);
      const repeated = ids.filter((id, at) => at > 0 && ids[at - 1] === id);
      expect(answers.repeats.story).toBeCloseTo(repeated.length / (ids.length - 1), 4);
      expect(repeated).not.toContain(the);
    });
  });

  it('of exercise 6 are the core’s entropies of the chain’s pairs, at its long-run shares', () => {
    const shares = settled(examples.chain);
    const { chain } = answers;
    expect([chain.first, chain.second, chain.third]).toEqual(shares.map((share) => expect.closeTo(share, 9) as number));
    const counts = matrixOf(
      examples.chain.map((row, from) => row.map((share) => Math.round(1e6 * shares[from]! * share))),
    );
    // Whole counts are off by a millionth at most.
    const { bigram, unigram } = core.bigramBounds(counts);
    expect(chain.best).toBeCloseTo(bigram, 5);
    expect(chain.ignorant).toBeCloseTo(unigram, 5);
  });

  it('of exercises 7 to 9 are the core’s counts', () => {
    const { gpt2, layers, head } = answers;
    const counted = core.countParameters(
      { family: 'gpt-2', vocabSize: gpt2.vocabSize, dModel: gpt2.dModel, nLayers: 12 },
      'tied',
    );
    expect(gpt2.entries).toBe(gpt2.vocabSize * gpt2.dModel);
    expect(gpt2.stored).toBe(counted.stored);
    expect(gpt2.ofTied).toBeCloseTo(gpt2.entries / counted.stored, 12);
    expect(gpt2.ofUntied).toBeCloseTo(gpt2.ofTied / (1 + gpt2.ofTied), 12);
    const share = (size: { vocabSize: number; dModel: number }, nLayers: number) =>
      core.countParameters({ family: 'plain-formula', ...size, nLayers }, 'tied').savedOfStored;
    for (const [size, nLayers] of [
      [{ vocabSize: gpt2.vocabSize, dModel: gpt2.dModel }, layers.narrow],
      [examples.wide, layers.wide],
    ] as const) {
      expect(share(size, nLayers)).toBeLessThan(examples.worthSaving);
      expect(share(size, nLayers - 1)).toBeGreaterThanOrEqual(examples.worthSaving);
    }
    expect(head.forward).toBe(head.tokens * examples.wide.vocabSize * examples.wide.dModel);
    expect(head.backward).toBe(2 * head.forward);
  });

  it('of exercise 10 are the slopes of the loss', () => {
    const { hidden, predicted, target } = examples;
    // Any table that gives these probabilities: logits are their logarithms.
    const loss = (row: number, column: number, by: number): number => {
      const logits = predicted.map((share, at) => Math.log(share) + (at === row ? by * hidden[column]! : 0));
      return -Math.log(softmax(logits)[target]!);
    };
    expect(answers.gradient.loss).toBeCloseTo(loss(0, 0, 0), 12);
    const step = 1e-5;
    answers.gradient.rows.forEach((values: number[], row: number) =>
      values.forEach((slope, column) => {
        // A central difference is off by the square of its step.
        expect(slope).toBeCloseTo((loss(row, column, step) - loss(row, column, -step)) / (2 * step), 7);
      }),
    );
    for (const column of [0, 1]) {
      const sum = (answers.gradient.rows as number[][]).reduce((total, values) => total + values[column]!, 0);
      expect(sum).toBeCloseTo(0, 12);
    }
  });
});

describe('the page', () => {
  it('has a plan of fifty minutes, and ten exercises with an answer each', () => {
    const minutes = [...html.matchAll(/<tr>\s*<td>(\d+)<\/td>/g)].map(([, one]) => Number(one));
    expect(minutes.reduce((sum, one) => sum + one, 0)).toBe(50);
    expect(html.match(/<section class="exercise"/g)).toHaveLength(10);
    expect(html.match(/<summary>Answer<\/summary>/g)).toHaveLength(10);
    expect(html.match(/class="figure-link"/g)).toHaveLength(10);
  });

  it('links to sections, figures and pages that exist', () => {
    const folders = ['sections', 'chapters'].map((name) => join(root, 'web/article', name));
    const article = folders
      .flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')))
      .join('\n');
    const pages = readdirSync(folders[1]!);
    const links = [...html.matchAll(/href="(\.\.\/[^"]*)"/g)]
      .map(([, link]) => link!)
      .filter((link) => !/\.(css|svg)$/.test(link));
    expect(links.length).toBeGreaterThan(15);
    for (const link of links) {
      const [path = '', hash = ''] = link.slice(3).split('#');
      if (path !== '') expect(pages, link).toContain(path);
      const state = /^tied=([\w-]+)/.exec(hash)?.[1];
      if (state !== undefined) expect(article, link).toContain(`link-state="${state}"`);
      else if (hash !== '' && hash !== 'content') expect(article, link).toContain(`id="${hash}"`);
    }
  });

  it('complies with the strict policy, and stops the build for a number that is missing', () => {
    expect(html).not.toMatch(/\sstyle=|<script>|\son[a-z]+=|https?:/);
    expect(() => renderTeachers('{{percent line.none}}', facts)).toThrow(/"line\.none"/);
  });
});
