import { describe, expect, it } from 'vitest';
import { gptFacts } from '../../../web/article/build/gpt-facts.mjs';

const arm = (kind: string, parameters: number, matrixShares: number[], heldOut: number) => ({
  kind,
  parameters,
  matrixShares,
  heldOut: { steps: [0, 5], losses: [6, heldOut] },
});

describe('what the page states about its small GPTs', () => {
  const facts = gptFacts({
    settings: { steps: 5, dModel: 64, nLayers: 4, batchSize: 16, contextLength: 64 },
    bounds: { unigram: 5, bigram: 2.75 },
    text: { vocabSize: 512 },
    arms: [arm('tied', 192, [0.4, 0.25, 0.125, 0.5, 0.75], 2), arm('untied', 256, [0.5, 0.5, 0.5, 0.5, 0.5], 1.5)],
  });

  it('has output shares derived from input shares, with the largest one', () => {
    expect(facts.output).toMatchObject({ step1: 0.6, last: 0.25, largest: 0.875, largestStep: 3 });
  });

  it('finds the steps between two leads of writing, if there are two and the second lasts', () => {
    const even = (shares: number[]) =>
      gptFacts({
        settings: { steps: shares.length },
        bounds: { bigram: 2.75 },
        text: { vocabSize: 512 },
        arms: [arm('tied', 192, shares, 2), arm('untied', 256, shares, 1.5)],
      }).output.even;
    // Shares of reading.
    const [low, high] = [0.25, 0.625].map((share) => Array.from({ length: 20 }, () => share)) as [number[], number[]];
    expect(even([...low, ...high, ...low])).toEqual({ from: 21, to: 40, mean: 0.375 });
    for (const other of [[...high, ...low], [...low, ...high], low, high]) expect(even(other)).toBeNull();
  });

  it('finds where one table is furthest behind', () => {
    expect(facts.furthestApart).toEqual({ step: 5, tied: 2, untied: 1.5 });
  });

  it('compares the two at the end on held-out text', () => {
    expect(facts).toMatchObject({ difference: 0.5, tied: { loss: 2 }, untied: { loss: 1.5 } });
  });
});
