// How the calculator uses the core's counts; here the core itself is the lab.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../../web/core/load.js';
import type { Core } from '../../../web/core/types.js';
import {
  countConfigurations,
  countState,
  partsOf,
  shownWays,
  threeTables,
} from '../../../web/elements/parameter-calculator/calculator-counts.js';
import {
  withPreset,
  withTying,
  type ArchitectureState,
} from '../../../web/elements/shared/architecture/architecture-state.js';

import { readOut } from '../../../web/elements/parameter-calculator/calculator-words.js';
import { parameterCalculatorStrings as texts } from '../../../web/elements/parameter-calculator/parameter-calculator.strings.js';
import { inPickersWords } from '../../../web/elements/shared/architecture/architecture-element.js';
import { architectureStrings } from '../../../web/elements/shared/architecture/architecture.strings.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});
const lab = {
  countParameters: (...given: Parameters<Core['countParameters']>) => Promise.resolve(core.countParameters(...given)),
};
const preset = (id: string): ArchitectureState => {
  const state = withPreset(id, core.knownModels());
  if (state === null) throw new Error(`no preset ${id}`);
  return state;
};

describe('parts of a bar', () => {
  it('add up to the stored parameters, for every known model and every tying shown', async () => {
    for (const { id } of core.knownModels()) {
      const { ways } = await countState(lab, preset(id));
      for (const { tying, count } of ways) {
        const sum = partsOf(count).reduce((total, part) => total + part.count, 0);
        expect(sum, `${id} ${tying}`).toBe(count.stored);
      }
    }
  });

  it('are named by the users of each table', () => {
    const tables = (tying: 'tied' | 'tied-decoder' | 'tied-inputs' | 'untied') =>
      partsOf(core.countParameters(threeTables, tying)).map(({ id, roles }) => `${id} ${roles.join('')}`);
    expect(tables('tied')).toEqual(['shared-table EDU']);
    expect(tables('tied-decoder')).toEqual(['encoder-table E', 'shared-table DU']);
    expect(tables('tied-inputs')).toEqual(['shared-table ED', 'output-table U']);
    expect(tables('untied')).toEqual(['encoder-table E', 'decoder-table D', 'output-table U']);
  });

  it('have separate tables of n-grams, which no role shares', () => {
    const sizes = { family: 'plain-formula', vocabSize: 100, dModel: 8, nLayers: 1 } as const;
    const parts = partsOf(core.countParameters({ ...sizes, ngramOrder: 3, ngramRows: 50 }, 'tied')).slice(0, 2);
    expect(parts).toEqual([
      { id: 'shared-table', count: 800, roles: ['E', 'U'] },
      { id: 'additional-tables', count: 800, roles: [] },
    ]);
  });
});

describe('factorized tables', () => {
  it('are one part each: the sum of their two matrices', () => {
    const sizes = { family: 'plain-formula', vocabSize: 100, dModel: 8, nLayers: 1, tableRank: 3 } as const;
    const tables = (tying: 'tied' | 'untied') =>
      partsOf(core.countParameters(sizes, tying)).filter(({ roles }) => roles[0]);
    expect(tables('tied')).toEqual([{ id: 'shared-table', count: 324, roles: ['E', 'U'] }]);
    expect(tables('untied').map(({ count }) => count)).toEqual([324, 324]);
  });
});

describe('the tying that the figure describes', () => {
  it('is the model’s way of sharing, or the usual one if it shares nothing', async () => {
    const tied = await countState(lab, preset('gpt2'));
    expect([tied.shared.tying, tied.chosen.tying]).toEqual(['tied', 'tied']);
    const untied = await countState(lab, withTying(preset('gpt2'), 'untied'));
    expect([untied.shared.tying, untied.chosen.tying]).toEqual(['tied', 'untied']);
    expect(untied.shared.count.saved).toBe(38_597_376);
  });

  it('includes a map only if the model has one', () => {
    expect(shownWays(preset('gpt2'))).toEqual(['tied', 'untied']);
    expect(shownWays(withTying(preset('gpt2'), 'tied-mlp'))).toEqual(['tied', 'tied-mlp', 'untied']);
  });
});

describe('the configurations', () => {
  it('have the totals of the formula with two norms, and the published ones of GPT-2', async () => {
    const totals = async (as: 'formula' | 'gpt-2') =>
      (await countConfigurations(lab, as)).slice(0, 4).map(({ count }) => count.stored);
    expect(await totals('formula')).toEqual([123_568_896, 353_551_360, 772_302_080, 1_555_278_400]);
    expect(await totals('gpt-2')).toEqual([124_439_808, 354_823_168, 774_030_080, 1_557_611_200]);
  });

  it('include the three tables of an encoder-decoder: 115.2M, of which sharing saves two thirds', () => {
    const { untied, stored, saved, savedOfUntied } = core.countParameters(threeTables, 'tied');
    expect([untied, stored, saved]).toEqual([115_200_000, 38_400_000, 76_800_000]);
    expect(savedOfUntied).toBeCloseTo(2 / 3, 12);
  });
});

describe('the saving as a share of models of nominal size', () => {
  const said = async (vocabSize: number, dModel: number): Promise<string> => {
    const state = preset('gpt2');
    const counted = await countState(lab, { ...state, architecture: { ...state.architecture, vocabSize, dModel } });
    const { rest, totals } = readOut(texts, counted, true);
    return rest + totals;
  };

  it('leaves out models that are smaller than the saving', async () => {
    expect(await said(50_000, 4096)).toContain('That is 20.5% of a model of 1B, 2.9% of a model of 7B and 0.3% of');
    expect(await said(1_000_000, 4096)).toMatch(/\. That is 58\.5% of a model of 7B and 5\.9% of a model of 70B\.$/);
    expect(await said(1_000_000, 32_768)).toMatch(/\. That is 46\.8% of a model of 70B\.$/);
    expect(await said(1_000_000, 131_072)).toMatch(/% of the one\.$/);
  });
});

describe('a model that is too large to count', () => {
  const refusal = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return inPickersWords((error as Error).message, architectureStrings);
    }
    throw new Error('nothing was refused');
  };
  const sizes = (vocabSize: number, dModel: number) =>
    ({ family: 'plain-formula', vocabSize, dModel, nLayers: 0 }) as const;

  it.each([
    ['because of one tensor', () => core.countParameters(sizes(2 ** 40, 2 ** 30), 'tied')],
    ['in total', () => core.countParameters(sizes(2 ** 32, 2 ** 31), 'tied')],
    ['for advice', () => core.adviseTying(sizes(2 ** 32, 2 ** 31))],
  ])('is refused in the figure’s words %s', (_, work) => {
    expect(refusal(work)).toBe(architectureStrings.uncountableModel);
  });

  it('is refused for its batch in the figure’s words, and other refusals keep theirs', () => {
    const batch = { sequences: 2 ** 52, tokens: 2 ** 52 };
    expect(refusal(() => core.countCompute(sizes(1000, 64), batch))).toBe(architectureStrings.uncountableBatch);
    expect(refusal(() => core.countParameters(sizes(0, 64)))).toMatch(/^“.*” is 0; expected/);
  });
});
