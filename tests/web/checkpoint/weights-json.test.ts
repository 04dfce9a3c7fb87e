/** Weights as JSON: what is opened, under which names, and each kind of damage with path, value and expectation. */
import { describe, expect, test } from 'vitest';
import { readJsonWeights } from '../../../web/core/checkpoint/formats/weights-json.js';
import { loadCore } from '../../../web/index.js';
import { fileOf, ramp, safetensors, utf8 } from './checkpoint-files.js';
import { openHere } from './open-here.js';

type Json = Parameters<typeof JSON.stringify>[0];
const rows = (count: number, width: number, start = 0): number[][] =>
  Array.from({ length: count }, (_, row) => Array.from({ length: width }, (_, col) => start + (row * width + col) / 4));
const [V, D] = [3, 2];
const model = {
  metadata: { uchars: ['a', 'b'], BOS: 2, n_embd: D, note: 'ours' },
  weights: { wte: rows(V, D), lm_head: rows(V, D, 9), 'layer0.attn_wq': rows(D, D), norm: [1, 2], scale: 0.5 },
};
const bytesOf = (value: Json): Uint8Array<ArrayBuffer> => utf8(JSON.stringify(value));
const open = (value: Json) => openHere(bytesOf(value));

describe('weights as JSON open', () => {
  test('with tables by their known names, and the same numbers as from safetensors', async () => {
    const checkpoint = await open(model);
    expect(checkpoint.format).toBe('json');
    expect(checkpoint.tables).toEqual({
      input: { name: 'wte', shape: [V, D], dtype: 'F32', bytes: 4 * V * D },
      output: { name: 'lm_head', shape: [V, D], dtype: 'F32', bytes: 4 * V * D },
    });
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different', conflict: null });
    expect(checkpoint.tensors.map(({ name, shape }) => [name, shape])).toEqual([
      ['wte', [V, D]],
      ['lm_head', [V, D]],
      ['layer0.attn_wq', [D, D]],
      ['norm', [2]],
      ['scale', []],
    ]);
    const same = await openHere(safetensors({ wte: { shape: [V, D], data: ramp(V * D) } }));
    expect(await checkpoint.matrix('input')).toEqual(await same.matrix('input'));
    expect(checkpoint.bytesRead).toBeLessThanOrEqual(2 * bytesOf(model).length);
  });

  test('with one table or two equal ones, like any other file', async () => {
    expect((await open({ weights: { wte: rows(V, D) } })).tying.evidence).toBe('unknown');
    const whole = { wte: rows(V, D), 'layer0.attn_wq': rows(D, D), 'layer0.mlp_fc1': rows(D, D), norm: [1, 2] };
    expect((await open({ weights: whole })).tying.evidence).toBe('missing-output');
    expect((await open({ weights: { wte: rows(V, D), lm_head: rows(V, D) } })).tying.evidence).toBe('equal-bytes');
    const alias = { metadata: { lm_head: 'wte' }, weights: { wte: rows(V, D) } };
    expect((await open(alias)).tying.evidence).toBe('alias');
  });

  test.each<[string, Json, string]>([
    ['a state dict alone', { 'wte.weight': rows(V, D), 'h.0.ln.bias': [0, 1] }, 'wte.weight'],
    ['beside settings and lists', { n: 3, stop: [1, 2], merges: [['a', 'b']], wte: rows(V, D) }, 'wte'],
    ['objects in objects', { params: { transformer: { wte: { weight: rows(V, D) } } } }, 'transformer.wte.weight'],
    ['state_dict', { epoch: 1, state_dict: { wte: rows(V, D) } }, 'wte'],
  ])('%s', async (_, json, name) => {
    expect((await open(json)).tables.input).toMatchObject({ name, shape: [V, D] });
  });

  test.each<[string, Json, readonly string[]]>([
    ['a list, and an id with a name of its own', model, ['a', 'b', 'BOS']],
    [
      'a token that is called as the key of an index',
      { chars: ['weight_map', ':', 'a'], wte: rows(V, D) },
      ['weight_map', ':', 'a'],
    ],
    ['an id of that name', { stoi: { weight_map: 0, a: 2, b: 1 }, wte: rows(V, D) }, ['weight_map', 'b', 'a']],
    ['ids by string', { stoi: { b: 0, a: 2, '<s>': 1 }, weights: { wte: rows(V, D) } }, ['b', '<s>', 'a']],
    ['an id that the list has', { config: { chars: ['a', 'b', 'c'], EOS: 2 }, wte: rows(V, D) }, ['a', 'b', 'c']],
  ])('with token strings: %s', async (_, json, tokens) => {
    const checkpoint = await open(json);
    expect(checkpoint.tokens).toEqual(tokens);
    expect(checkpoint.notes).toEqual(['Its numbers are text; sizes are given as 32-bit floats.']);
  });

  test('without invalid token strings, with a note', async () => {
    const checkpoint = await open({ chars: ['a', 7], weights: { wte: rows(V, D) } });
    expect(checkpoint.tokens).toBeNull();
    expect(checkpoint.notes[1]).toMatch(/^Token strings were not read: bytes, chars: a token is 7; expected a string/);
  });

  test('beside a vocabulary and configuration, whatever the name of the file', async () => {
    const files = [
      fileOf('config.json', bytesOf({ tie_word_embeddings: true })),
      fileOf('names-vocab.json', bytesOf(['x', 'y', 'z'])),
      fileOf('names.json', bytesOf({ wte: rows(V, D), lm_head: rows(V, D, 9) })),
    ];
    const checkpoint = await openHere(files);
    expect(checkpoint.tokens).toEqual(['x', 'y', 'z']);
    expect(checkpoint.tying.conflict).toContain('tie_word_embeddings: true');
  });

  test('even if the model cannot run, with the reason', async () => {
    const core = await loadCore({ modules: ['checkpoint'] });
    const checkpoint = await core.openCheckpoint(bytesOf(model));
    await expect(checkpoint.toTrainer()).rejects.toThrow(
      "its tensors ('wte', 'lm_head', 'layer0.attn_wq' and more) are named as those of microgpt, which normalizes the sum of its input tables and has ReLU; expected GPT-2",
    );
  });
});

describe('a matrix without a name', () => {
  test.each([
    ['of fractions', '[[0.5, -1], [2e-3, 3], [4, 5]]', [0.5, -1, Math.fround(0.002), 3, 4, 5]],
    ['of whole numbers', '\ufeff[\r\n[1, 2],\r\n[3, 4],\r\n[-5, 6]\r\n]\r\n', [1, 2, 3, 4, -5, 6]],
  ])('%s is one table, as in a NumPy file', async (_, text, numbers) => {
    const checkpoint = await openHere([
      fileOf('table.json', utf8(text)),
      fileOf('vocab.json', bytesOf(['x', 'y', 'z'])),
    ]);
    expect(checkpoint.format).toBe('json');
    expect(checkpoint.tensors).toEqual([{ name: 'table.json', shape: [3, 2], dtype: 'F32', bytes: 24 }]);
    expect(checkpoint.tables).toEqual({ input: checkpoint.tensors[0], output: null });
    expect(checkpoint.tying).toMatchObject({ tied: null, evidence: 'unknown', conflict: null });
    expect(checkpoint.tokens).toEqual(['x', 'y', 'z']);
    expect([...(await checkpoint.matrix('input')).data]).toEqual(numbers);
  });

  test.each<[string, string, string, RegExp]>([
    ['a short row', '[[1.5,2],[3]]', 'bad-file', /^table\.json: \[1\] has 1 elements; expected 2 elements/],
    ['NaN', '[[1.5,2],[3,NaN]]', 'bad-file', /^table\.json: \[1\]\[1\] is NaN; expected a finite number/],
    ['null', '[[null,2]]', 'bad-file', /^table\.json: \[0\]\[0\] is null; expected a number/],
    ['a third dimension', '[[[1,2]]]', 'shape-mismatch', /has the shape \[1, 1, 2\]; expected \[tokens, width\]/],
  ])('with %s is refused, naming the place', async (_, text, code, message) => {
    const opened = openHere(fileOf('table.json', utf8(text)));
    await expect(opened).rejects.toMatchObject({ code });
    await expect(opened).rejects.toThrow(message);
  });
});

describe('damage to weights as JSON', () => {
  const put = (json: string): string => `{"weights":{"wte":${json}}}`;
  test.each<[string, string, RegExp]>([
    ['a short row', put('[[1,2],[3]]'), /: weights\.wte\[1\] has 1 elements; expected 2 elements, as the first/],
    ['a long row', put('[[1,2],[3,4,5]]'), /: weights\.wte\[1\] has 3 elements; expected 2/],
    ['a number for a row', put('[[1,2],3]'), /: weights\.wte\[1\] is 3; expected 2 elements/],
    ['a row for a number', put('[[1,2],[3,[4]]]'), /: weights\.wte\[1\]\[1\] is \[4\]; expected a number that/],
    ['null', put('[[1,2],[null,4]]'), /: weights\.wte\[1\]\[0\] is null; expected a number/],
    ['null first', put('[[null,2]]'), /: weights\.wte\[0\]\[0\] is null; expected a number/],
    ['a boolean', put('[[1,true]]'), /: weights\.wte\[0\]\[1\] is true; expected a number/],
    ['a string', put('[[1,2],["3",4]]'), /: weights\.wte\[1\]\[0\] is '3'; expected a number/],
    ['an object', put('[[1,2],[{},4]]'), /: weights\.wte\[1\]\[0\] is an object; expected a number/],
    ['NaN', put('[[1,2],[NaN,4]]'), /: weights\.wte\[1\]\[0\] is NaN; expected a finite number/],
    ['minus infinity', put('[[1,-Infinity]]'), /: weights\.wte\[0\]\[1\] is -Infinity; expected a finite number/],
    [
      'more than a double',
      put('[[1,1e999]]'),
      /: weights\.wte\[0\]\[1\] is Infinity; expected a number that a 32-bit float/,
    ],
    [
      'more than a float',
      put('[[1,1e39]]'),
      /: weights\.wte\[0\]\[1\] is 1e\+39; expected a number that a 32-bit float/,
    ],
    ['a text among the weights', '{"weights":{"wte":[[1]],"n":"x"}}', /: weights\.n is 'x'; expected a number/],
    ['one name twice', '{"weights":{"wte":[[1]],"wte":[[2]]}}', /the key 'wte' occurs twice/],
    ['one name by two ways', '{"weights":{"a.b":[[1]],"a":{"b":[[2]]}}}', /two of its fields have the name 'a\.b'/],
    [
      'an end too early',
      put('[[1,2],[3').slice(0, -2),
      /cannot be parsed at weights\.wte\[1\] \(it has the end at character 27; expected , or \]\)/,
    ],
    ['a comma too many', put('[[1,2,]]'), /cannot be parsed at weights\.wte\[0\]\[2\] \(.*expected a value\)/],
    ['40 brackets', put(`${'['.repeat(40)}1.5${']'.repeat(40)}`), /nested too deep; expected at most 32/],
    // First-row lengths whose product would be 10^10 elements.
    [
      'rows that promise more',
      put(`[[${'1,'.repeat(99_999)}1],${'[1],'.repeat(99_999)}[1]]`),
      /wte\[1\] has 1 elements; expected 100000/,
    ],
    ['a name of no table', '{"weights":{"x":[[1,2]]}}', /the largest matrices are 'x'; expected tables/],
    ['strings in a table beside others', '{"wte":[["1.5","2"]]}', /: wte\[0\]\[0\] is '1\.5'; expected a number/],
  ])('%s is named', async (_, text, message) => {
    const opened = openHere(fileOf('names.json', utf8(text)));
    await expect(opened).rejects.toMatchObject({ code: 'bad-file' });
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toThrow(/^names\.json: /);
  });

  test.each([
    ['a list of numbers', '[1,2]'],
    ['pairs of strings', '[["a","b"]]'],
    ['a list of empty rows', '[[],[]]'],
    ['an empty list', '[]'],
    ['a text', '"wte"'],
    ['one row', '{"weights":{"wte":[1,2]}}'],
    ['a configuration', '{"eos_token_id":[1,2],"model_type":"x"}'],
    ['a vocabulary', '{"model":{"vocab":{"a":0},"merges":[["a","b"]]}}'],
  ])('%s is not weights as JSON', (_, text) => {
    expect(readJsonWeights(text, 'a.json')).toBeNull();
  });

  test('the size of a file is checked before it is read', async () => {
    const head = new Blob([bytesOf(model), ' '.repeat(65_536)]);
    const asked: number[] = [];
    const large = Object.assign(new Blob([bytesOf(model)]), {
      slice: (from: number, to: number): Blob => {
        asked.push(to);
        return head.slice(from, to);
      },
    });
    Object.defineProperty(large, 'size', { value: 200_000_001 });
    await expect(openHere(large)).rejects.toThrow('it has 200000001 bytes; expected at most 200000000');
    expect(asked).toEqual([65_536]);
  });
});
