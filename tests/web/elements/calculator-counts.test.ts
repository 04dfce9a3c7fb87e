// What the calculator makes of the core's counts; the core itself is the lab here.
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
  it('sum to what is stored, for every known model and every way that is shown', async () => {
    for (const { id } of core.knownModels()) {
      const { ways } = await countState(lab, preset(id));
      for (const { tying, count } of ways) {
        const sum = partsOf(count).reduce((total, part) => total + part.count, 0);
        expect(sum, `${id} ${tying}`).toBe(count.stored);
      }
    }
  });

  it('are named by who uses each table', () => {
    const tables = (tying: 'tied' | 'tied-decoder' | 'tied-inputs' | 'untied') =>
      partsOf(core.countParameters(threeTables, tying)).map(({ id, roles }) => `${id} ${roles.join('')}`);
    expect(tables('tied')).toEqual(['shared-table EDU']);
    expect(tables('tied-decoder')).toEqual(['encoder-table E', 'shared-table DU']);
    expect(tables('tied-inputs')).toEqual(['shared-table ED', 'output-table U']);
    expect(tables('untied')).toEqual(['encoder-table E', 'decoder-table D', 'output-table U']);
  });

  it('has tables of n-grams apart, which no role shares', () => {
    const sizes = { family: 'plain-formula', vocabSize: 100, dModel: 8, nLayers: 1 } as const;
    const parts = partsOf(core.countParameters({ ...sizes, ngramOrder: 3, ngramRows: 50 }, 'tied')).slice(0, 2);
    expect(parts).toEqual([
      { id: 'shared-table', count: 800, roles: ['E', 'U'] },
      { id: 'ngram-tables', count: 800, roles: [] },
    ]);
  });
});

describe('factorised tables', () => {
  it('are one part each, the sum of their two matrices', () => {
    const sizes = { family: 'plain-formula', vocabSize: 100, dModel: 8, nLayers: 1, tableRank: 3 } as const;
    const tables = (tying: 'tied' | 'untied') =>
      partsOf(core.countParameters(sizes, tying)).filter(({ roles }) => roles[0]);
    expect(tables('tied')).toEqual([{ id: 'shared-table', count: 324, roles: ['E', 'U'] }]);
    expect(tables('untied').map(({ count }) => count)).toEqual([324, 324]);
  });
});

describe('what the figure speaks of', () => {
  it('is the model’s way of sharing, or the usual one if it shares nothing', async () => {
    const tied = await countState(lab, preset('gpt2'));
    expect([tied.shared.tying, tied.chosen.tying]).toEqual(['tied', 'tied']);
    const untied = await countState(lab, withTying(preset('gpt2'), 'untied'));
    expect([untied.shared.tying, untied.chosen.tying]).toEqual(['tied', 'untied']);
    expect(untied.shared.count.saved).toBe(38_597_376);
  });

  it('shows a map only where the model has it', () => {
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

  it('has three tables of an encoder-decoder: 115.2M, of which sharing saves two thirds', () => {
    const { untied, stored, saved, savedOfUntied } = core.countParameters(threeTables, 'tied');
    expect([untied, stored, saved]).toEqual([115_200_000, 38_400_000, 76_800_000]);
    expect(savedOfUntied).toBeCloseTo(2 / 3, 12);
  });
});
