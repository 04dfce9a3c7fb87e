// The transformer that follows the reader: its map of sections, and its counts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { accountingFacts } from '../../../web/article/build/accounting-facts.mjs';
import { transformerDrawing } from '../../../web/article/build/transformer-drawing.mjs';
import { partsTable, transformerParts } from '../../../web/article/build/transformer-parts.mjs';
import { litAt, sectionAbout } from '../../../web/article/figures/travel/lit.js';
import { countOf, sharesOf } from '../../../web/article/figures/travel/parts.js';
import { scenes, targets } from '../../../web/article/figures/travel/scenes.js';
import { loadCore, type Core } from '../../../web/index.js';

const sections = ['sections', 'chapters'].flatMap((kind) => {
  const folder = join(root, 'web/article', kind);
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
});
const ids = sections.flatMap((html) => [...html.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id!));

describe('the map of sections', () => {
  it('has an entry for every section of the page, and for nothing that the page lacks', () => {
    expect(ids.length).toBeGreaterThan(10);
    for (const id of ids) expect(litAt[id], id).toBeDefined();
    const all = sections.join('\n');
    for (const id of Object.keys(litAt)) expect(all, id).toContain(`id="${id}"`);
  });

  it('says what is lit in at most 16 words', () => {
    for (const [id, { says, parts }] of Object.entries(litAt)) {
      expect(says.split(' ').length, id).toBeLessThanOrEqual(16);
      expect(says === '', id).toBe(parts.length === 0);
    }
  });

  it('lights what is drawn, and leads to sections of the page', () => {
    const drawn = transformerDrawing() + scenes(new Map());
    for (const [id, { parts, scene }] of Object.entries(litAt)) {
      for (const part of parts) expect(drawn, id).toContain(`data-part="${part}"`);
      if (scene !== undefined) expect(drawn, id).toMatch(new RegExp(`data-scene="([a-z ]* )?${scene}[ "]`));
    }
    for (const section of Object.values(sectionAbout)) expect(ids).toContain(section);
  });
});

describe('the counts of its parts', () => {
  let core: Core;
  let accounting: ReturnType<typeof accountingFacts>;
  const gpt2 = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 } as const;
  beforeAll(async () => {
    core = await loadCore({ modules: ['accounting'] });
    accounting = accountingFacts(core);
    return () => core.dispose();
  });

  it('add up to GPT-2 small, with one table and with two', () => {
    const parts = transformerParts(accounting);
    const own = parts.filter(({ absent }) => !absent).reduce((sum, { parameters }) => sum + (parameters ?? 0), 0);
    expect(own).toBe(core.countParameters(gpt2, 'tied').stored);
    const reads = parts.find(({ id }) => id === 'reads')!;
    expect(own + reads.parameters!).toBe(core.countParameters(gpt2, 'untied').stored);
  });

  it('are those of the published model, part by part', () => {
    const parts = Object.fromEntries(transformerParts(accounting).map(({ id, ...part }) => [id, part]));
    // [out, in] and biases of GPT-2's own files: c_attn, c_proj; c_fc, c_proj; ln_1, ln_2, ln_f; wte; wpe.
    expect(parts['attention']!.parameters).toBe(12 * (768 * 2304 + 2304 + 768 * 768 + 768));
    expect(parts['mlp']!.parameters).toBe(12 * (768 * 3072 + 3072 + 3072 * 768 + 768));
    expect(parts['norm']!.parameters).toBe(25 * 2 * 768);
    expect(parts['reads']).toMatchObject({ shape: '50,257 × 768', parameters: 50_257 * 768 });
    expect(parts['positions']).toMatchObject({ shape: '1,024 × 768', parameters: 1024 * 768 });
    expect(parts['writes']).toMatchObject({ shape: '50,257 × 768', parameters: 0 });
    expect(parts['map']).toMatchObject({ shape: '768 × 768', parameters: 768 * 768, absent: true });
  });

  it('have a name, a shape, a place to point at and a count in the table that the script reads', () => {
    const parts = transformerParts(accounting);
    const table = partsTable({ accounting });
    expect(parts.map(({ id }) => id as string).sort()).toEqual(Object.keys(targets).sort());
    for (const { id, name, shape } of parts) {
      expect(name, id).not.toBe('');
      expect(shape, id).toMatch(/\d|one/);
      expect(table).toContain(`<tr data-part="${id}"><th scope="row">${name}`);
    }
    expect(table).toContain('124,439,808');
  });

  it('are read back from that table as shares', () => {
    expect(countOf('589,824 more')).toBe(589_824);
    expect(countOf('none of its own')).toBe(0);
    const shares = sharesOf([
      { id: 'reads', parameters: '30' },
      { id: 'mlp', parameters: '70' },
      { id: 'map', parameters: '50 more' },
      { id: 'softmax', parameters: 'none' },
    ]);
    expect([...shares]).toEqual([
      ['reads', 0.3],
      ['mlp', 0.7],
      ['softmax', 0],
    ]);
  });
});
