import { beforeAll, describe, expect, it } from 'vitest';
import type { KnownModel } from '../../../web/core/accounting/types.js';
import { knownModels } from '../../../web/core/accounting/known-models/known-models.js';
import {
  readState,
  settingsOf,
  withChange,
  withOwn,
  withPreset,
  withTying,
  type ArchitectureState,
} from '../../../web/elements/shared/architecture/architecture-state.js';
import { architectureStrings as texts } from '../../../web/elements/shared/architecture/architecture.strings.js';
import { modelName } from '../../../web/elements/shared/architecture/model-name.js';

let models: readonly KnownModel[];
beforeAll(() => {
  models = knownModels();
});

const preset = (id: string): ArchitectureState => withPreset(id, models)!;
const name = (state: ArchitectureState): string => modelName(state, models, texts);

describe('a published model', () => {
  it('loses its name on any edit, and regains it when the edit is undone', () => {
    const small = preset('gpt2');
    expect(name(small)).toBe('GPT-2 small');
    for (const change of [{ dModel: 4096 }, { vocabSize: 50_258 }, { nLayers: 13 }, { outputBias: true }]) {
      expect(name(withChange(small, change, models))).toBe('Edited from GPT-2 small');
    }
    expect(name(withTying(small, 'untied'))).toBe('Edited from GPT-2 small');
    const wide = withChange(small, { dModel: 1024 }, models);
    expect(name(withChange(wide, { dModel: 768 }, models))).toBe('GPT-2 small');
  });

  it('counts as edited in a link as well', () => {
    const edited = withChange(preset('gpt2'), { dModel: 1024 }, models);
    const { state } = readState(settingsOf(edited, models, 'gpt-2'), models, 'gpt-2');
    expect(name(state)).toBe('Edited from GPT-2 small');
  });
});

describe('a name that is valid for any size', () => {
  it('stays when sizes change, and changes with the architecture', () => {
    const family = preset('gpt-2');
    expect(name(withChange(family, { dModel: 4096, nLayers: 3 }, models))).toBe('GPT-2');
    expect(name(withChange(family, { positions: 'rotary' }, models))).toBe('Edited from GPT-2');
    const tables = preset('tables');
    expect(name(withChange(tables, { dModel: 12 }, models))).toBe('The tables alone');
  });
});

describe('a model from a file', () => {
  const architecture = { family: 'gpt-2', vocabSize: 1000, dModel: 64, nLayers: 2 } as const;

  it('counts as edited if its sizes differ from those of the file, in a link as well', () => {
    const own = withOwn('tiny', architecture, 'tied');
    expect(name(own)).toBe('tiny');
    const edited = withChange(own, { nLayers: 3 }, models);
    expect(name(edited)).toBe('Edited from tiny');
    const { state } = readState(settingsOf(edited, models, 'gpt-2'), models, 'gpt-2');
    expect(name(state)).toBe('Edited from tiny');
    expect(name(readState(settingsOf(own, models, 'gpt-2'), models, 'gpt-2').state)).toBe('tiny');
  });
});
