// What <tied-bigrams> measures and reports, with a real core. Its use is tested in tests/browser/bigrams.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lab } from '../../../web/core/types.js';
import { cyclesInWords } from '../../../web/elements/bigrams/cycle-list.js';
import { bigramsStrings as texts } from '../../../web/elements/bigrams/bigrams.strings.js';
import {
  hasOneToken,
  inOrder,
  measureText,
  part,
  type MeasuredText,
  type TextQuestion,
} from '../../../web/elements/bigrams/measured-text.js';
import { pairSentence } from '../../../web/elements/bigrams/pair-list.js';
import { createLab } from '../../../web/worker/lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await createLab();
});
afterAll(() => lab.dispose());

const question: TextQuestion = {
  name: 'quick',
  text: 'the queen is quiet, the quick fox quits; '.repeat(60),
  tokenizer: 'character',
  vocabSize: 100,
  nullRuns: 5,
  seed: 1,
};

async function measured(change: Partial<TextQuestion> = {}): Promise<{ told: MeasuredText[]; progress: number[] }> {
  const told: MeasuredText[] = [];
  const progress: number[] = [];
  const { signal } = new AbortController();
  await measureText(
    lab,
    { ...question, ...change },
    { signal, onOrder: (one) => told.push(one), onProgress: (fraction) => progress.push(fraction) },
  );
  return { told, progress };
}

describe('a measured text', () => {
  it('is reported order by order, with overall progress', async () => {
    const { told, progress } = await measured();
    expect(told.map(({ orders }) => Object.keys(orders))).toEqual([
      ['written'],
      ['written', 'backwards'],
      ['written', 'backwards', 'shuffled'],
    ]);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
  });

  it('is equally irreversible backwards with the same null, and near chance when shuffled', async () => {
    const { written, backwards, shuffled } = (await measured()).told.at(-1)!.orders;
    expect(backwards!.js).toBeCloseTo(written!.js, 13);
    expect(backwards!.null).toEqual(written!.null);
    expect(written!.js).toBeGreaterThan(0.4);
    expect(shuffled!.js).toBeLessThan(0.1);
    expect(shuffled!.share).toBeLessThan(0.05);
    const ids = [0, 1, 2, 3];
    expect(part(backwards!.netFlow, ids)).toEqual(part(written!.netFlow, ids).map((flow) => (flow === 0 ? 0 : -flow)));
  });

  it('lists pairs by the difference of their counts, with the more frequent direction first', async () => {
    const { names, orders } = (await measured()).told.at(-1)!;
    const { pairs } = orders.written!;
    const differences = pairs.map(({ forward, backward }) => forward - backward);
    expect(differences).toEqual([...differences].sort((a, b) => b - a));
    expect(differences.at(-1)).toBeGreaterThan(0);
    expect(pairs.map(({ from, to }) => `${names[from]!}${names[to]!}`)).toContain('qu');
    const qu = pairs.find(({ from }) => names[from] === 'q')!;
    expect(pairSentence(texts, (id) => names[id]!, qu)).toBe('q\u00a0→\u00a0u 240 times, u\u00a0→\u00a0q never');
  });

  it('prefers one direction in cycles of three, beyond chance and reversed backwards', async () => {
    const { names, orders } = (await measured({ text: { stories: 20_000 } })).told.at(-1)!;
    const { written, backwards } = orders;
    const { affinity, null: chance, strongest } = written!.cycles;
    expect(backwards!.cycles.affinity).toBeCloseTo(affinity!, 10);
    expect(affinity).toBeGreaterThan(chance.mean! + 2 * chance.standardDeviation!);
    const spelled = (ids: readonly number[]): string => [...ids, ...ids].map((id) => names[id]).join('');
    const [cycle, reverse] = [strongest[0]!, backwards!.cycles.strongest[0]!];
    expect(reverse.flow).toBe(cycle.flow);
    expect(spelled([...reverse.tokens].reverse())).toContain(cycle.tokens.map((id) => names[id]).join(''));
  });

  it('lists its tokens by frequency, also for words and generated stories', async () => {
    const { names, frequent, tokens } = (await measured({ tokenizer: 'word' })).told.at(-1)!;
    expect(names[frequent[0]!]).toBe('the');
    expect(tokens).toBeGreaterThan(400);
    const stories = (await measured({ text: { stories: 2000 } })).told.at(-1)!;
    expect(stories.tokens).toBeGreaterThanOrEqual(2000);
  });

  it('is cancelled by its signal, and leaves no corpus behind', async () => {
    const controller = new AbortController();
    const told: MeasuredText[] = [];
    const measuring = measureText(lab, question, {
      signal: controller.signal,
      onProgress: () => undefined,
      onOrder: (one) => {
        told.push(one);
        controller.abort();
      },
    });
    await expect(measuring).rejects.toMatchObject({ code: 'cancelled' });
    expect(told).toHaveLength(1);
  });
});

describe('a text that the core refuses', () => {
  it('has one token', async () => {
    const { signal } = new AbortController();
    const listeners = { signal, onProgress: () => undefined, onOrder: () => undefined };
    for (const tokenizer of ['character', 'word'] as const) {
      for (const text of ['a', 'aaa', ' ', 'word', 'a a', '😀😀', '😀 😁']) {
        const asked = measureText(lab, { ...question, text, tokenizer, nullRuns: 2 }, listeners);
        const refused = await asked.then(
          () => false,
          () => true,
        );
        expect(hasOneToken(text, tokenizer), `${tokenizer}: ${text}`).toBe(refused);
      }
    }
  });
});

describe('sentences about cycles', () => {
  const cycles = (affinity: number | null, mean: number | null, standardDeviation: number | null) => ({
    texts,
    cycles: { affinity, null: { mean, standardDeviation, runs: [] }, compared: 0, oneWay: 0, strongest: [] },
  });

  it('compare their preference with chance, and say if either is unknown', () => {
    expect(cyclesInWords(cycles(3.474, 0.7, 0.039), 'word', true)).toMatch(
      /^Around cycles of three words, .* by 3\.47 bits on average; in reversible texts, by 0\.70\u00a0±\u00a00\.04\.$/,
    );
    expect(cyclesInWords(cycles(3.474, 0.7, null), 'word', true)).toMatch(/in reversible texts, by 0\.70\.$/);
    expect(cyclesInWords(cycles(3.474, null, null), 'word', true)).toMatch(
      /3\.47 bits on average; there are too few pairs/,
    );
    expect(cyclesInWords(cycles(3.474, 0.7, null), 'word', false)).toMatch(/3\.47 bits on average\.$/);
    expect(cyclesInWords(cycles(null, null, null), 'character', true)).toMatch(
      /^No cycle of three characters occurs in both/,
    );
  });
});

describe('an order of tokens', () => {
  const ids = Uint32Array.from({ length: 200 }, (_, at) => at);

  it('backwards starts at the end of the text, and the text itself does not change', () => {
    expect([...inOrder(ids, 'backwards', 1)]).toEqual([...ids].reverse());
    expect(ids[0]).toBe(0);
    expect(inOrder(ids, 'written', 1)).toEqual(ids);
  });

  it('shuffled has the same tokens, and the same order for the same seed', () => {
    const shuffled = inOrder(ids, 'shuffled', 1);
    expect([...shuffled].sort((a, b) => a - b)).toEqual([...ids]);
    expect(shuffled).not.toEqual(ids);
    expect(inOrder(ids, 'shuffled', 1)).toEqual(shuffled);
    expect(inOrder(ids, 'shuffled', 2)).not.toEqual(shuffled);
  });

  it('shuffled puts every token everywhere about as often', () => {
    const three = Uint32Array.of(0, 1, 2);
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 6000; seed += 1) {
      const order = inOrder(three, 'shuffled', seed).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    // Six orders, 1,000 draws each; five standard deviations of a binomial count.
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(5 * Math.sqrt(6000 * (5 / 36)));
  });
});
