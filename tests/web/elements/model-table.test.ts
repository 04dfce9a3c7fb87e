import { describe, expect, it } from 'vitest';
import type { KnownModel, ParameterCount, TableTying } from '../../../web/core/accounting/types.js';
import { completeArchitecture } from '../../../web/core/accounting/architecture-options.js';
import { knownModels } from '../../../web/core/accounting/known-models/known-models.js';
import { loadRows, type CountingLab } from '../../../web/elements/model-table/load-rows.js';
import { familiesOf, filteredRows, modelRow, type ModelRow } from '../../../web/elements/model-table/model-rows.js';
import { modelTableStrings as texts } from '../../../web/elements/model-table/model-table.strings.js';
import { linkToModel } from '../../../web/elements/model-table/open-model.js';
import { publishedText } from '../../../web/elements/model-table/row-details.js';
import { ruleMisses, ruleOf } from '../../../web/elements/model-table/rule.js';
import { modelSentence, summarySentence } from '../../../web/elements/model-table/sentences.js';
import {
  firstRows,
  isFiltered,
  isMoved,
  start,
  tableSettings,
} from '../../../web/elements/model-table/model-table.settings.js';
import { attributesOf, refusedValues } from '../../../web/elements/shared/settings/with-settings.js';
import {
  countText,
  firstOrder,
  layersText,
  savedText,
  sortedRows,
  sortKeys,
} from '../../../web/elements/model-table/columns.js';

/** 12 d² per layer plus the tables; the browser tests use the real counts. */
function plainCount(model: KnownModel): ParameterCount {
  const architecture = completeArchitecture(model.architecture);
  const { vocabSize, dModel, nLayers, nEncoderLayers } = architecture;
  const table = vocabSize * dModel;
  const rest = 12 * dModel ** 2 * nLayers + nEncoderLayers;
  const most = architecture.stack === 'encoder-decoder' ? 3 : 2;
  const tables: Partial<Record<TableTying, number>> = { untied: most, 'tied-inputs': 2 };
  const kept = tables[model.tying] ?? 1;
  const stored = rest + kept * table;
  return {
    architecture,
    stored,
    tied: rest + table,
    untied: rest + most * table,
    tableShare: Number(kept * table) / Number(stored),
  } as ParameterCount;
}

const model = (id: string, change: Partial<KnownModel> = {}): KnownModel => ({
  id,
  name: id.toUpperCase(),
  organization: 'Somebody',
  year: 2020,
  architecture: { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 },
  tying: 'tied',
  published: null,
  sources: { sizes: 'a', tying: 'b' },
  ...change,
});
const row = (id: string, change: Partial<KnownModel> = {}): ModelRow => {
  const one = model(id, change);
  return modelRow(one, plainCount(one));
};
const names = (rows: readonly ModelRow[]): string[] => rows.map((one) => one.model.id);

const small = row('small');
const large = row('large', {
  year: 2024,
  tying: 'untied',
  architecture: { family: 'llama', vocabSize: 32_000, dModel: 8192, nLayers: 80 },
});
const apart = row('apart', { tying: 'untied', organization: 'Elsewhere' });
const three = row('three', {
  tying: 'tied-inputs',
  architecture: { family: 't5', vocabSize: 32_128, dModel: 512, nLayers: 6 },
});
const rows = [small, large, apart, three];

describe('a row of the table', () => {
  it('shows savings by tying as a fraction of the tied and of the untied model, whichever the model is', () => {
    expect(small.table).toBe(38_597_376);
    expect(small.saved).toBe(38_597_376);
    expect(apart.saved).toBe(small.saved);
    // The 23.8% of seed 003, and the same table as a fraction of the tied model.
    expect(small.savedOfUntied).toBeCloseTo(38_597_376 / 162_129_408, 9);
    expect(small.savedOfTied).toBeCloseTo(38_597_376 / 123_532_032, 9);
    expect(apart.savedOfUntied).toBe(small.savedOfUntied);
    expect(apart.total - small.total).toBe(38_597_376);
  });

  it('counts the layers of both stacks, and the tables saved: two by three-way tying, one if two tables are shared', () => {
    const table = 32_128 * 512;
    const allThree = row('all', { tying: 'tied', architecture: three.model.architecture });
    expect(three.layers).toBe(12);
    expect(three.shares).toBe('inputs');
    expect(allThree.saved).toBe(2 * table);
    expect(allThree.savedOfUntied).toBeCloseTo(Number(2 * table) / Number(allThree.untied), 9);
    expect(three.saved).toBe(table);
    expect(three.savedOfUntied).toBeCloseTo(Number(table) / Number(three.total), 9);
  });

  it('has no fraction if input and output have different vocabularies', () => {
    const different = modelRow(model('x'), { ...plainCount(model('x')), tied: null });
    expect([different.saved, different.savedOfTied, different.savedOfUntied]).toEqual([null, null, null]);
    expect(savedText(different, different.savedOfTied, texts)).toBe('–');
    expect(modelSentence(different, texts)).toContain('different vocabularies');
  });
});

describe('order', () => {
  it('sorts by every column, in both directions', () => {
    for (const key of sortKeys) {
      const up = names(sortedRows(rows, key, 'ascending'));
      expect([...up].sort(), key).toEqual([...names(rows)].sort());
    }
    expect(names(sortedRows(rows, 'total', 'ascending'))[0]).toBe('three');
    expect(names(sortedRows(rows, 'total', 'descending'))[0]).toBe('large');
    expect(names(sortedRows(rows, 'tying', 'ascending'))).toEqual(['small', 'three', 'apart', 'large']);
    expect(names(sortedRows(rows, 'name', 'descending'))).toEqual(['three', 'small', 'large', 'apart']);
  });

  it('orders equal rows by name in both directions, and numbers in names as numbers', () => {
    expect(names(sortedRows([row('b'), row('a')], 'year', 'descending'))).toEqual(['a', 'b']);
    expect(names(sortedRows([row('m27'), row('m9')], 'name', 'ascending'))).toEqual(['m9', 'm27']);
  });

  it('puts rows without a value last, in both directions', () => {
    const none = modelRow(model('none'), { ...plainCount(model('none')), tied: null });
    for (const order of ['ascending', 'descending'] as const) {
      expect(names(sortedRows([none, small, large], 'saved-of-tied', order)).at(-1)).toBe('none');
    }
  });

  it('starts names from the beginning and numbers from the largest', () => {
    expect(firstOrder('name')).toBe('ascending');
    expect(firstOrder('total')).toBe('descending');
  });
});

describe('choice', () => {
  const all = { tying: 'all', family: '', search: '' } as const;
  it('treats a model whose output has its own table as untied', () => {
    expect(names(filteredRows(rows, { ...all, tying: 'tied' }))).toEqual(['small']);
    expect(names(filteredRows(rows, { ...all, tying: 'untied' }))).toEqual(['large', 'apart', 'three']);
  });

  it('matches words of the name, the maker and the year, all at once and in any case', () => {
    expect(names(filteredRows(rows, { ...all, search: 'elseWHERE' }))).toEqual(['apart']);
    expect(names(filteredRows(rows, { ...all, search: ' somebody  2024 ' }))).toEqual(['large']);
    expect(filteredRows(rows, { ...all, search: 'nobody' })).toEqual([]);
  });

  it('offers the families that occur, the most frequent first', () => {
    expect(familiesOf(rows)).toEqual(['gpt-2', 'llama', 't5']);
    expect(names(filteredRows(rows, { ...all, family: 'llama' }))).toEqual(['large']);
  });
});

describe('settings', () => {
  it('are refused if unusable', () => {
    expect(refusedValues(tableSettings, start)).toEqual([]);
    const wrong = { chart: 'pie', sort: 'colour', order: 'up', tying: 'half', family: 'bert', search: null, model: 1 };
    const refused = refusedValues(tableSettings, wrong);
    expect(refused.map(({ name }) => name).sort()).toEqual(['chart', 'model', 'order', 'search', 'sort', 'tying']);
    expect(refused.find(({ name }) => name === 'sort')?.used).toBe('saved-of-untied');
  });

  it('are in a link if they differ from the defaults, except for the order, which always is', () => {
    expect(attributesOf(tableSettings, start)).toEqual({ sort: 'saved-of-untied', order: 'descending' });
    expect(attributesOf(tableSettings, { ...start, tying: 'tied', search: 'a b', model: 'gpt2' })).toEqual({
      sort: 'saved-of-untied',
      order: 'descending',
      tying: 'tied',
      search: 'a b',
      model: 'gpt2',
    });
  });

  it('report whether anything was filtered or moved', () => {
    expect([isFiltered(start), isMoved(start)]).toEqual([false, false]);
    expect([isFiltered({ ...start, search: ' ' }), isFiltered({ ...start, family: 'bert' })]).toEqual([false, true]);
    expect([isFiltered({ ...start, order: 'ascending' }), isMoved({ ...start, order: 'ascending' })]).toEqual([
      false,
      true,
    ]);
    expect(firstRows(320)).toBeLessThan(firstRows(980));
  });
});

describe('the rule of thumb', () => {
  it('is compared with the makers’ choices, clearest mistakes first', () => {
    expect(ruleOf(small)).toMatchObject({ says: 'tie', agrees: true });
    expect(ruleOf(apart)).toMatchObject({ says: 'tie', agrees: false });
    expect(ruleOf(large)).toMatchObject({ says: 'do-not-tie', agrees: true });
    const tiny = row('tiny', {
      tying: 'untied',
      architecture: { family: 'gpt-2', vocabSize: 50_257, dModel: 64, nLayers: 2 },
    });
    const bold = row('bold', { architecture: { family: 'llama', vocabSize: 32_000, dModel: 8192, nLayers: 80 } });
    const misses = ruleMisses([apart, tiny, bold, small]);
    expect(names(misses.untied)).toEqual(['tiny', 'apart']);
    expect(names(misses.tied)).toEqual(['bold']);
  });

  it('leaves some choices open, which then count as neither right nor wrong', () => {
    const open = row('open', { architecture: { family: 'gpt-2', vocabSize: 50_257, dModel: 1280, nLayers: 36 } });
    expect(ruleOf(open)).toMatchObject({ says: 'optional', agrees: null });
  });

  it('is not held to models with layers of other kinds, which it does not count', () => {
    const other = row('other', {
      tying: 'untied',
      architecture: {
        family: 'listed',
        vocabSize: 50_257,
        dModel: 64,
        nLayers: 2,
        tensors: [{ name: 'final_norm', shape: [64], group: 'norms' }],
      },
    });
    expect(ruleOf(other)).toMatchObject({ says: 'tie', agrees: null });
    expect(ruleMisses([other]).untied).toEqual([]);
  });
});

describe('sentences', () => {
  it('state who ties, and where the rule and the makers differ', () => {
    expect(summarySentence([small, apart, large], false, texts)).toBe(
      'One of the three models is tied. The rule of 5 and 15% would tie one whose makers did not: APART.',
    );
    expect(summarySentence([small], true, texts)).toContain('The one model chosen is tied.');
    expect(summarySentence([apart, apart], true, texts)).toContain('Neither of the two models chosen is tied.');
    expect(summarySentence([small, small], false, texts)).toContain('Both models are tied.');
    expect(summarySentence([small, apart], false, texts)).toContain('One of the two models is tied.');
    expect(summarySentence([apart, apart, apart], false, texts)).toContain('None of the three models are tied.');
    expect(summarySentence([small], true, texts)).toContain(texts.ruleFits);
    expect(summarySentence([], true, texts)).toBe(texts.nothingMatches);
    const bold = row('bold', { architecture: { family: 'llama', vocabSize: 32_000, dModel: 8192, nLayers: 80 } });
    expect(summarySentence([bold], false, texts)).toContain(
      'The rule of 5 and 15% would untie one that is tied: BOLD.',
    );
  });

  it('give both percentages, each with its own model', () => {
    expect(modelSentence(small, texts)).toBe(
      'SMALL is tied. Tying saves it 38.6M parameters: 31.2% of the 123.5M that it has, 23.8% of what it would have untied.',
    );
    expect(modelSentence(apart, texts)).toBe(
      'APART is not tied. Tying would save it 38.6M parameters: 23.8% of the 162.1M that it has, 31.2% of what it would have tied.',
    );
  });

  it('compare our total with the published one', () => {
    const source = 'their card';
    const at = (total: number): ModelRow => row('p', { published: { total, source } });
    expect(publishedText(at(123_532_032), texts)).toContain('our count is the same number');
    expect(publishedText(at(123_000_000), texts)).toContain('our count is +0.43% off');
    expect(publishedText(small, texts)).toBe(texts.notPublished);
  });
});

describe('cells', () => {
  it('round counts to three or four digits', () => {
    expect(countText(38_597_376)).toBe('38.6M');
    expect(countText(1_235_814_400)).toBe('1.24B');
    expect(countText(70_553_706_496)).toBe('70.6B');
  });

  it('put in brackets what tying would save, and show both stacks', () => {
    expect(savedText(small, small.savedOfUntied, texts)).toBe('23.8%');
    expect(savedText(apart, apart.savedOfUntied, texts)).toBe('(23.8%)');
    expect(layersText(three)).toBe('6 + 6');
    expect(layersText(small)).toBe('12');
  });

  it('put a model into the author’s link', () => {
    expect(linkToModel('page.html?model={model}#calculator', 'a b')).toBe('page.html?model=a%20b#calculator');
  });
});

describe('loading', () => {
  it('calls a lab once for the models and once per count, and retries after a failure', async () => {
    let asked = 0;
    let counted = 0;
    let broken = true;
    const lab = {
      knownModels: () => {
        asked += 1;
        return broken ? Promise.reject(new Error('not now')) : Promise.resolve(knownModels());
      },
      countParameters: (_architecture: unknown, tying: TableTying) => {
        counted += 1;
        return Promise.resolve(plainCount(model('any', { tying })));
      },
    } as unknown as CountingLab;
    await expect(loadRows(lab)).rejects.toThrow('not now');
    broken = false;
    const loaded = await loadRows(lab);
    expect(await loadRows(lab)).toBe(loaded);
    expect(asked).toBe(2);
    expect(counted).toBe(knownModels().length);
    expect(loaded.map((one) => one.model.id)).toEqual(knownModels().map(({ id }) => id));
  });
});
