// @vitest-environment node
import { beforeAll, describe, expect, it } from 'vitest';
import type { Architecture, TyingContext } from '../../../web/core/accounting/types.js';
import { contextSettings, tyingContext } from '../../../web/elements/advisor/advisor.settings.js';
import { advisorStrings as texts } from '../../../web/elements/advisor/advisor.strings.js';
import { weighing } from '../../../web/elements/advisor/balance.js';
import { attributesOf, initialValues } from '../../../web/elements/shared/settings/with-settings.js';
import { shownNumbers } from '../../../web/elements/advisor/reason-numbers.js';
import { loadCore, type Core } from '../../../web/index.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const startContext = initialValues(contextSettings);
const gpt2: Architecture = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 };
const apart: Architecture = { ...gpt2, outputVocabSize: 1000 };

describe('the arguments for the core', () => {
  it('are only defaults if the reader set nothing', () => {
    expect(tyingContext(gpt2, startContext)).toEqual({
      startsFrom: 'scratch',
      precision: 'float32',
      optimizer: 'adamw',
    });
    expect(attributesOf(contextSettings, startContext)).toEqual({});
  });

  it('leave out a tied model if there is none, so the core has nothing to refuse', () => {
    const context = { ...startContext, startsFrom: 'tied', lossDifference: 0.1, parameterBudget: 1e9 } as const;
    expect(tyingContext(gpt2, context)).toMatchObject({ startsFrom: 'tied', lossDifference: 0.1 });
    const asked = tyingContext(apart, context);
    expect(asked).toMatchObject({ startsFrom: 'scratch', parameterBudget: 1e9 });
    expect(asked).not.toHaveProperty('lossDifference');
    expect(() => core.adviseTying(apart, asked)).not.toThrow();
  });

  it('are written to attributes only if they differ from the defaults', () => {
    const context = { ...startContext, startsFrom: 'untied', lossDifference: -0.02 } as const;
    expect(attributesOf(contextSettings, context)).toEqual({ 'starts-from': 'untied', 'loss-difference': '-0.02' });
  });
});

describe('the numbers beside a reason', () => {
  const cases: [Architecture, TyingContext][] = [
    [gpt2, {}],
    [gpt2, { startsFrom: 'untied', parameterBudget: 130_000_000, lossDifference: 0.05 }],
    [apart, { parameterBudget: 1e9 }],
    [{ family: 't5', vocabSize: 32_128, dModel: 512, nLayers: 6 }, { startsFrom: 'tied' }],
    [{ family: 't5', vocabSize: 32_128, outputVocabSize: 500, dModel: 512, nLayers: 6 }, {}],
    [{ family: 'tied-embeddings', vocabSize: 512, dModel: 64, nLayers: 4 }, {}],
    [{ family: 'bert', vocabSize: 30_522, dModel: 768, nLayers: 12 }, { optimizer: 'sgd' }],
  ];

  it('include all of its numbers, each with a name', () => {
    for (const [architecture, context] of cases) {
      for (const reason of core.adviseTying(architecture, context).reasons) {
        const shown = shownNumbers(reason, texts);
        expect(shown.map(({ id }) => id)).toEqual(Object.keys(reason.numbers));
        for (const { id } of shown) expect(Object.keys(texts.numbers)).toContain(id);
      }
    }
  });

  it('are written in full for counts, and a fraction is drawn from its exact value', () => {
    const [reason] = core.adviseTying(gpt2).reasons;
    const shown = Object.fromEntries(shownNumbers(reason!, texts).map((number) => [number.id, number]));
    expect(shown['saved']?.text).toBe('38,597,376');
    expect(shown['ofUntied']).toMatchObject({ text: '23.7%', share: 38_597_376 / 163_037_184 });
  });
});

it('give each fact one row on the balance', () => {
  expect(weighing(core.adviseTying(gpt2)).map(({ kind }) => kind)).toEqual([
    'saved-share',
    'precedent',
    'measured-loss',
  ]);
});
