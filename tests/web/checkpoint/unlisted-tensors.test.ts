/** Indexes that list fewer tensors than their files have: no table is missing before all files have been opened. */
import { afterEach, describe, expect, test } from 'vitest';
import { fileOf, safetensors, utf8 } from './checkpoint-files.js';
import { sendRange } from './file-server.js';
import { openHere } from './open-here.js';
import { closeServer, serve, server } from './url-support.js';
import { embed, head, llama, matrix, table, D } from './verdict-files.js';

afterEach(closeServer);

const INDEX = 'model.safetensors.index.json';
const LAYERS = llama();
const files = (third: object = {}) => ({
  'model-1.safetensors': safetensors(embed),
  'model-2.safetensors': safetensors(LAYERS),
  'model-3.safetensors': safetensors({ 'model.layers.0.mlp.up_proj.weight': matrix(D, D), ...third }),
});
const index = (more: Record<string, string> = {}): Uint8Array<ArrayBuffer> =>
  utf8(
    JSON.stringify({
      weight_map: {
        'model.embed_tokens.weight': 'model-1.safetensors',
        ...Object.fromEntries(Object.keys(LAYERS).map((name) => [name, 'model-2.safetensors'])),
        'model.layers.0.mlp.up_proj.weight': 'model-3.safetensors',
        ...more,
      },
    }),
  );
const open = (parts: Record<string, Uint8Array<ArrayBuffer>>, listed = index()) =>
  openHere([fileOf(INDEX, listed), ...Object.entries(parts).map(([name, bytes]) => fileOf(name, bytes))]);

describe('a model whose index lists one table', () => {
  test('is tied if no file has another one, and then all of them have been opened', async () => {
    const { tying, notes, tensors } = await open(files());
    expect(tying).toMatchObject({ tied: true, evidence: 'missing-output' });
    expect(notes).toEqual([]);
    expect(tensors).toHaveLength(1 + Object.keys(LAYERS).length + 1);
  });

  test.each([
    ['is untied with another table that it does not list', 1, false, 'different'],
    ['is tied with an equal one', 0, true, 'equal-bytes'],
  ] as const)('%s', async (_, start, tied, evidence) => {
    const { tying, notes, tables } = await open(files(head(start)));
    expect(tying).toMatchObject({ tied, evidence });
    expect(tables.output?.name).toBe('lm_head.weight');
    expect(notes).toEqual(["Its files have 'lm_head.weight', which the index does not list, as part of the model."]);
  });

  test('is untied with another table that it does not list, where config.json says so, too', async () => {
    const config = fileOf('config.json', utf8('{"model_type":"llama","tie_word_embeddings":false}'));
    const named = Object.entries(files(head(1))).map(([name, bytes]) => fileOf(name, bytes));
    const { tying, tables } = await openHere([fileOf(INDEX, index()), ...named, config]);
    expect(tying).toMatchObject({ tied: false, evidence: 'different', conflict: null });
    expect(tables.output?.name).toBe('lm_head.weight');
  });

  test('has no verdict with a matrix that it does not list and nobody knows', async () => {
    const { tying } = await open(files({ 'readout.weight': table(1) }));
    expect(tying).toMatchObject({ tied: null, candidates: ['readout.weight'] });
  });

  test('has no verdict without all files, and says which is missing', async () => {
    const { 'model-3.safetensors': third, ...parts } = files();
    const { tying, notes, tensors } = await open(parts);
    expect(third).toBeDefined();
    expect(tensors.map(({ name }) => name)).toEqual(['model.embed_tokens.weight']);
    expect(tying).toMatchObject({ tied: null, evidence: 'unknown', conflict: null });
    expect(tying.reason).toMatch(
      /^The output table may be in a file that could not be opened \(.*it names 'model-3\.safetensors', which is missing.*\); naming 'model\.embed_tokens\.weight' for both/,
    );
    expect(notes).toEqual(['Only files with a table were opened; 2 others were not.']);
  });

  test('has no verdict if a file lacks what the index lists there', async () => {
    const listed = index({ 'model.layers.1.mlp.up_proj.weight': 'model-3.safetensors' });
    const { tying } = await open(files(), listed);
    expect(tying.tied).toBeNull();
    expect(tying.reason).toContain("it says that model-3.safetensors has 'model.layers.1.mlp.up_proj.weight', but");
  });

  test('has no verdict if two files have one tensor', async () => {
    const twice = { ...files(head(1)), 'model-2.safetensors': safetensors({ ...LAYERS, ...head(1) }) };
    const { tying } = await open(twice);
    expect(tying.tied).toBeNull();
    expect(tying.reason).toContain("it has 'lm_head.weight', which another file has too");
  });

  test('lies at a URL: of the other files, only headers are read', async () => {
    const parts = {
      ...files(head(1)),
      'model-2.safetensors': safetensors({
        'model.layers.0.mlp.down_proj.weight': { shape: [60, 1000], data: new Uint8Array(240_000) },
        ...LAYERS,
      }),
    };
    const all = new Map<string, Uint8Array>([...Object.entries(parts), [INDEX, index()]]);
    const url = await serve((request, response, number) => {
      const bytes = all.get(request.url!.slice(1));
      if (bytes === undefined) response.writeHead(404).end();
      else sendRange(bytes)(request, response, number);
    });
    const checkpoint = await openHere(url.replace('model.safetensors', INDEX));
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different' });
    expect(checkpoint.notes[0]).toMatch(/'model\.layers\.0\.mlp\.down_proj\.weight', 'lm_head\.weight', which the/);
    expect(server!.asked()).toBeLessThan(400_000);
    expect(checkpoint.bytesRead).toBeLessThan(100_000);
  });
});
