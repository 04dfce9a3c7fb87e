// The rules for choosing and changing a model, and its form in attributes and links.
import { describe, expect, it } from 'vitest';
import type { TableTying } from '../../../web/core/accounting/types.js';
import { completeArchitecture } from '../../../web/core/accounting/architecture-options.js';
import { knownModels } from '../../../web/core/accounting/known-models/known-models.js';
import {
  isChanged,
  readState,
  settingNames,
  settingsOf,
  withChange,
  withImported,
  withOwn,
  withPreset,
  withTying,
  type ArchitectureState,
} from '../../../web/elements/shared/architecture/architecture-state.js';
import {
  architectureSettings,
  readSetting,
  type ArchitectureSetting,
} from '../../../web/elements/shared/architecture/fields.js';
import { modelFamilies } from '../../../web/elements/shared/architecture/presets.js';
import {
  atWidth,
  completed,
  nearestDivisor,
  possibleTyings,
} from '../../../web/elements/shared/architecture/what-follows.js';
import { kebab } from '../../../web/elements/shared/settings/setting.js';

const models = knownModels();
const preset = (id: string): ArchitectureState => {
  const state = withPreset(id, models);
  if (state === null) throw new Error(`no preset ${id}`);
  return state;
};
/** Attributes as in a page: text. */
const asText = (state: ArchitectureState, start: string): Record<string, string> =>
  Object.fromEntries(Object.entries(settingsOf(state, models, start)).map(([name, value]) => [name, String(value)]));
const ids = ['tables', ...modelFamilies, ...models.map(({ id }) => id)];

describe('attributes', () => {
  it('are named as in HTML', () => {
    expect(settingNames.map(kebab)).toEqual(
      expect.arrayContaining(['model', 'vocab-size', 'd-model', 'n-layers', 'd-feed-forward', 'tying', 'model-name']),
    );
  });

  it('restore the same state from text, for every preset, unchanged and at other sizes', () => {
    for (const id of ids) {
      const state = preset(id);
      const wider = withChange(state, { dModel: state.architecture.dModel * 2 }, models);
      for (const one of [state, withChange(state, { vocabSize: 77 }, models), wider]) {
        const { state: read, problems } = readState(asText(one, 'tables'), models, 'tables');
        expect(problems, id).toEqual([]);
        expect(read, id).toEqual(one);
      }
    }
  });

  it('hold only what differs from the preset', () => {
    expect(settingsOf(preset('gpt2'), models, 'tables')).toEqual({ model: 'gpt2' });
    expect(settingsOf(preset('gpt2'), models, 'gpt2')).toEqual({});
    const deeper = withChange(preset('gpt2'), { nLayers: 24 }, models);
    expect(settingsOf(deeper, models, 'tables')).toEqual({ model: 'gpt2', nLayers: 24 });
    expect(settingsOf(withTying(deeper, 'untied'), models, 'tables')).toMatchObject({ tying: 'untied' });
  });

  it('hold both sizes of bare tables', () => {
    expect(Object.entries(settingsOf(preset('tables'), models, 'tables'))).toEqual([
      ['vocabSize', 50_000],
      ['dModel', 4096],
    ]);
  });

  it('keep the way of tying where a configuration does not tell it, as far as the model has it', () => {
    const imported = {
      name: 'mine',
      architecture: { family: 'llama', vocabSize: 10, dModel: 8, nLayers: 2 },
      assumptions: [],
    } as const;
    const of = (tying: TableTying | null, before: ArchitectureState | null): TableTying =>
      withImported({ ...imported, assumptions: [], tying }, before).tying;
    const untied = withTying(preset('gpt2'), 'untied');
    expect([of(null, untied), of('tied', untied), of(null, null)]).toEqual(['untied', 'tied', 'tied']);
    expect(of(null, withTying(preset('t5-base'), 'tied-inputs'))).toBe('tied');
  });

  it('hold the whole model from a file', () => {
    const own = withOwn('mine', { family: 'llama', vocabSize: 10, dModel: 8, nLayers: 2, nHeads: 2 }, 'untied');
    expect(asText(own, 'tables')).toEqual({
      model: 'own',
      modelName: 'mine',
      family: 'llama',
      vocabSize: '10',
      dModel: '8',
      nLayers: '2',
      nHeads: '2',
      tying: 'untied',
    });
    expect(readState(asText(own, 'tables'), models, 'tables').state).toEqual(own);
  });

  it('describe tables with only a vocabulary and a width, and a model with layers too', () => {
    const read = (given: Record<string, string>): ArchitectureState => readState(given, models, 'tables').state;
    const sizes = { vocabSize: '50257', dModel: '768' };
    expect(read(sizes)).toMatchObject({
      model: 'tables',
      architecture: { vocabSize: 50_257, dModel: 768, nLayers: 0 },
    });
    const model = read({ ...sizes, nLayers: '12' });
    expect(model.model).toBe('plain-formula');
    expect(completeArchitecture(model.architecture).dFeedForward).toBe(3072);
    expect(read({ family: 'gemma' }).model).toBe('gemma');
  });

  it.each([
    [{ vocabSize: '-3' }, 'vocab-size', '-3', 50_000],
    [{ vocabSize: '1.5' }, 'vocab-size', '1.5', 50_000],
    [{ dModel: '' }, 'd-model', '', 4096],
    [{ dModel: '9007199254740992' }, 'd-model', '9007199254740992', 4096],
    [{ dModel: 'wide' }, 'd-model', 'wide', 4096],
    [{ nLayers: '-1' }, 'n-layers', '-1', 0],
    [{ positions: 'sinus' }, 'positions', 'sinus', undefined],
    [{ outputBias: 'perhaps' }, 'output-bias', 'perhaps', undefined],
    [{ tying: 'half' }, 'tying', 'half', 'tied'],
    [{ model: 'gpt9', dModel: '5' }, 'model', 'gpt9', 'tables'],
  ])('that are unusable, as %o, are named with the values used in their place', (given, attribute, text, used) => {
    const { state, problems } = readState(given, models, 'tables');
    expect(problems).toEqual([expect.objectContaining({ attribute, value: text, used })]);
    expect(state).toEqual(preset('tables'));
  });

  it('are read as numbers, words and flags', () => {
    expect(readSetting('nLayers', '0')).toBe(0);
    expect(readSetting('nHeads', '0')).toBeUndefined();
    expect(readSetting('outputBias', '')).toBe(true);
    expect(readSetting('outputBias', 'false')).toBe(false);
    expect(readSetting('stack', 'encoder')).toBe('encoder');
  });
});

describe('another width', () => {
  it('gives a possible model, from every preset at every width', () => {
    for (const id of ids) {
      for (const dModel of [1, 7, 16, 100, 769, 1000, 1024, 4097, 32_768]) {
        const { architecture } = withChange(preset(id), { dModel }, models);
        expect(() => completeArchitecture(architecture), `${id} at ${String(dModel)}`).not.toThrow();
      }
    }
  });

  it('preserves proportions, and returning to the old width restores them', () => {
    for (const id of ids) {
      const state = preset(id);
      const there = withChange(state, { dModel: 1000 }, models);
      const further = withChange(there, { dModel: 33 }, models);
      expect(withChange(further, { dModel: state.architecture.dModel }, models), id).toEqual(state);
    }
    const own = withOwn('x', { family: 'gpt-2', vocabSize: 9, dModel: 768, nLayers: 1, nHeads: 12 }, 'tied');
    const there = withChange(withChange(own, { dModel: 1000 }, models), { dModel: 77 }, models);
    expect(withChange(there, { dModel: 768 }, models)).toEqual(own);
  });

  it('leaves values set by the reader unchanged', () => {
    const set = withChange(preset('gpt2'), { dFeedForward: 5000 }, models);
    expect(withChange(set, { dModel: 1536 }, models).architecture.dFeedForward).toBe(5000);
  });

  it('preserves the width of a head if the model has one, and the grouping of queries', () => {
    const base = {
      family: 'llama',
      vocabSize: 9,
      dModel: 1024,
      nLayers: 1,
      nHeads: 16,
      nKeyValueHeads: 4,
      dHead: 128,
      dFeedForward: 3072,
    } as const;
    expect(atWidth(base, 2048)).toMatchObject({ nHeads: 32, nKeyValueHeads: 8, dHead: 128, dFeedForward: 6144 });
    expect(atWidth(base, 1)).toMatchObject({ nHeads: 4, nKeyValueHeads: 1, dFeedForward: 3 });
  });

  it('finds the nearest divisor', () => {
    for (const [whole, wished, found] of [
      [1000, 16, 20],
      [768, 12, 12],
      [7, 3, 1],
      [7, 5, 7],
      [1, 1, 1],
      [Number.MAX_SAFE_INTEGER, 3, 1],
    ] as const) {
      expect(nearestDivisor(whole, wished), `${String(whole)} near ${String(wished)}`).toBe(found);
    }
  });
});

describe('the result of a change', () => {
  it('has a way of tying that the model supports', () => {
    const three = withTying(preset('t5'), 'tied-inputs');
    expect(withChange(three, { stack: 'decoder' }, models).tying).toBe('tied');
    expect(withChange(preset('gpt2'), { outputVocabSize: 5 }, models).tying).toBe('untied');
    expect(possibleTyings(preset('t5').architecture)).toContain('tied-decoder');
    expect(possibleTyings({ ...preset('t5').architecture, outputVocabSize: 5 })).toEqual(['tied-decoder', 'untied']);
  });

  it('remains a possible model through changes of experts, stacks and heads', () => {
    const changes = [
      { nExperts: 0 },
      { nExperts: 1 },
      { nExperts: 64 },
      { nLayers: 0 },
      { nLayers: 1 },
      { stack: 'encoder-decoder' },
      { stack: 'decoder' },
      { stack: 'encoder' },
      { nHeads: 1 },
    ] as const;
    for (const id of ids) {
      for (const first of changes) {
        for (const second of changes) {
          const state = withChange(withChange(preset(id), first, models), second, models);
          expect(
            () => completeArchitecture(state.architecture),
            `${id} ${JSON.stringify([first, second])}`,
          ).not.toThrow();
        }
      }
    }
  });

  it('factorizes tables with a rank of at most the width and without maps before them', () => {
    const wide = withTying(withChange(preset('gpt2'), { tableRank: 128 }, models), 'tied-linear');
    const narrow = withChange(wide, { dModel: 64, nHeads: 1 }, models);
    expect(narrow.architecture.tableRank).toBe(64);
    expect(possibleTyings(narrow.architecture)).toEqual(['tied', 'untied']);
    expect(narrow.tying).toBe('tied');
    expect(possibleTyings(withChange(narrow, { tableRank: 0 }, models).architecture)).toContain('tied-linear');
  });

  it('reads n-grams of at least two tokens, from tables with as many rows as tokens by default', () => {
    const of = (state: ReturnType<typeof preset>, ngramOrder: number) => withChange(state, { ngramOrder }, models);
    const sizes = ({ architecture: { ngramOrder, ngramRows } }: ReturnType<typeof preset>) => [ngramOrder, ngramRows];
    const gpt2 = preset('gpt2');
    // One step up and one down again.
    expect(sizes(of(gpt2, 1))).toEqual([2, 50_257]);
    expect(sizes(of(of(gpt2, 2), 1))).toEqual([0, 0]);
    const own = withChange(of(gpt2, 3), { ngramRows: 9 }, models);
    expect(sizes(of(own, 4))).toEqual([4, 9]);
    for (const order of [0, 1, 2, 8]) expect(() => completeArchitecture(of(own, order).architecture)).not.toThrow();
  });

  it('leaves out value embeddings that its widths or a second stack no longer allow', () => {
    const tied = withChange(preset('gpt2'), { valueEmbeddings: 'tied' }, models);
    const left = (change: Parameters<typeof withChange>[1]) =>
      withChange(tied, change, models).architecture.valueEmbeddings;
    expect(left({ nLayers: 3 })).toBe('tied');
    expect(left({ dModel: 640 })).toBe('tied');
    expect(left({ nKeyValueHeads: 1 })).toBe('none');
    expect(left({ tableRank: 9 })).toBe('none');
    const own = withChange(tied, { valueEmbeddings: 'own' }, models);
    expect(withChange(own, { nKeyValueHeads: 1 }, models).architecture.valueEmbeddings).toBe('own');
    expect(withChange(own, { stack: 'encoder-decoder' }, models).architecture.valueEmbeddings).toBe('none');
  });

  it('reports whether it differs from the preset', () => {
    for (const id of ids) {
      const state = preset(id);
      expect(isChanged(state, models), id).toBe(false);
      expect(isChanged(withChange(state, { vocabSize: 78 }, models), models), id).toBe(
        state.architecture.family !== 'listed',
      );
    }
    expect(isChanged(withTying(preset('gpt2'), 'untied'), models)).toBe(true);
  });
});

describe('fields that apply', () => {
  const applies = (id: string, name: ArchitectureSetting): boolean => {
    const { architecture, model, tying } = preset(id);
    return architectureSettings[name].applies({ ...completed(architecture), model, tying });
  };

  it.each([
    ['tables', 'nLayers', false],
    ['tables', 'stack', false],
    ['plain-formula', 'nHeads', false],
    ['plain-formula', 'positions', false],
    ['gpt2', 'nHeads', true],
    ['gpt2', 'nActiveExperts', false],
    ['mixture-of-experts', 'nActiveExperts', true],
    ['gpt2', 'nEncoderLayers', false],
    ['t5', 'nEncoderLayers', true],
    ['t5', 'relativeBuckets', true],
    ['gpt2', 'contextLength', true],
    ['llama', 'contextLength', false],
  ] as const)('are those of the model: of %s, %s is %s', (id, name, expected) => {
    expect(applies(id, name)).toBe(expected);
  });
});
