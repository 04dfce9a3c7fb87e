// @vitest-environment happy-dom
// What <tied-parameter-map> counts, draws and says.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Core } from '../../../web/core/types.js';
import { drawingOf, drawnName } from '../../../web/elements/parameter-map/drawing.js';
import {
  loadRows,
  ownRow,
  readOnlyShare,
  shownRows,
  tablesShare,
  type CountingLab,
  type MapRow,
} from '../../../web/elements/parameter-map/model-rows.js';
import { sentenceOf } from '../../../web/elements/parameter-map/parameter-map.js';
import { parameterMapStrings as texts } from '../../../web/elements/parameter-map/parameter-map.strings.js';
import { loadCore } from '../../../web/index.js';

let core: Core;
let lab: CountingLab;
let rows: readonly MapRow[];
beforeAll(async () => {
  core = await loadCore();
  lab = {
    knownModels: () => Promise.resolve(core.knownModels()),
    countParameters: (...given: Parameters<Core['countParameters']>) => Promise.resolve(core.countParameters(...given)),
  } as CountingLab;
  rows = await loadRows(lab);
});
const row = (id: string): MapRow => rows.find((one) => one.id === id)!;
const view = { order: 'year', search: '', all: false } as const;

describe('the rows', () => {
  it('divide every known model without a rest', () => {
    expect(rows.length).toBe(core.knownModels().length);
    for (const { roles, total, id } of rows) {
      expect(roles.readsAndWrites + roles.reads + roles.writes + roles.computes, id).toBe(total);
    }
  });

  it('have the tables that published sizes say', () => {
    // 50,257 × 768; 128,256 × 4,096 twice; 320,001,536 n-grams of width 160 beside 248,320 × 2,560; 35 layers of 256 for 262,144 tokens.
    expect(row('gpt2').roles).toMatchObject({ readsAndWrites: 38_597_376, reads: 0, writes: 0 });
    expect(row('llama-3.1-8b').roles).toMatchObject({ readsAndWrites: 0, reads: 525_336_576, writes: 525_336_576 });
    expect(row('qwen3.8-flash-next').roles).toMatchObject({ reads: 51_200_245_760 + 635_699_200, writes: 635_699_200 });
    expect(row('gemma-4-e2b').roles).toMatchObject({ readsAndWrites: 402_653_184, reads: 2_348_810_240 });
    // 27 % and half, as published.
    expect(readOnlyShare(row('qwen3.8-flash-next'))).toBeCloseTo(0.293, 3);
    expect(tablesShare(row('gemma-4-e2b'))).toBeGreaterThan(0.55);
  });

  it('are a selection, all, or those that match every word; in three orders', () => {
    const some = shownRows(rows, view);
    expect(some.length).toBeGreaterThan(12);
    expect(some.length).toBeLessThan(20);
    expect(some[0]!.id).toBe('gpt2');
    expect(shownRows(rows, { ...view, all: true }).length).toBe(rows.length);
    expect(shownRows(rows, { ...view, search: ' GOOGLE 2026' }).map(({ id }) => id)).toEqual([
      ...['gemma-4-e2b', 'gemma-4-e4b', 'gemma-4-31b', 'gemma-4-26b-a4b', 'diffusiongemma-26b-a4b'],
    ]);
    const shares = shownRows(rows, { ...view, order: 'tables' }).map(tablesShare);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    const sizes = shownRows(rows, { ...view, order: 'size' }).map(({ total }) => total);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  });
});

describe("the reader's own config.json", () => {
  const config = {
    ...{ model_type: 'deepseek_v3', vocab_size: 1000, hidden_size: 64, intermediate_size: 96, num_hidden_layers: 2 },
    ...{ num_attention_heads: 8, q_lora_rank: 20, kv_lora_rank: 24, qk_rope_head_dim: 8, qk_nope_head_dim: 16 },
    ...{
      v_head_dim: 12,
      n_routed_experts: 6,
      n_shared_experts: 1,
      moe_intermediate_size: 40,
      first_k_dense_replace: 1,
    },
    ...{ num_experts_per_tok: 2, _name_or_path: 'me/small' },
  };

  it('lands among the others whatever the filter says, and the sentence tells its place', async () => {
    const own = await ownRow(lab, core.importConfig(config));
    expect(own.roles).toMatchObject({ readsAndWrites: 0, reads: 64_000, writes: 64_000 });
    const shown = shownRows([...rows, own], { ...view, search: 'gpt2' });
    expect(shown).toContain(own);
    const all = shownRows([...rows, own], { ...view, order: 'tables' });
    const place = all.indexOf(own) + 1;
    expect(sentenceOf(all, own, texts)).toMatch(
      new RegExp(`^Tables are \\d+% of me/small: place ${place} of the ${all.length} models shown\\. In `),
    );
  });

  it('counts two tables if the file does not tell', async () => {
    const imported = { ...core.importConfig(config), tying: null };
    expect((await ownRow(lab, imported)).roles.writes).toBe(64_000);
  });
});

describe('the drawing', () => {
  it('describes and lists each bar with the same numbers, at any width and on both scales', () => {
    for (const width of [320, 640, 1200]) {
      for (const scale of ['share', 'count'] as const) {
        const { label, table } = drawingOf([row('gpt2'), row('gpt-oss-20b')], { texts, width, scale });
        expect(label).toMatch(
          /^GPT-2 small, 124\.4M parameters: 31% reads and writes tokens, 69% computes\. gpt-oss 20b, /,
        );
        expect(table.rows[0]).toEqual(['GPT-2 small', '2019', '124,439,808', '38,597,376', '0', '0', '85,842,432']);
      }
    }
  });

  it('cuts a name that would run into the total, and no known name where there is space', () => {
    for (const one of rows) expect(drawnName(one, texts, 640)).toBe(one.name);
    const long = drawnName({ ...row('gpt2'), name: 'a name '.repeat(30) }, texts, 288);
    expect(long.length).toBe(30);
    expect(long).toMatch(/^a name .*…$/);
  });

  it('says which of the models shown has most and least in tables', () => {
    const sentence = sentenceOf([row('gpt2'), row('qwen3.8-flash-next')], null, texts);
    expect(sentence).toMatch(
      /^In GPT-2 small, 31% of 124\.4M parameters are tables of tokens\. The largest share of tables that only read has Qwen3\.8-Flash-Next, 29%/,
    );
    expect(sentence).toMatch(/In Qwen3\.8-Flash-Next, tables are 30%\.$/);
  });
});
