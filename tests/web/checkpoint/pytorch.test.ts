/** Files of torch.save in both forms: what is found in them, what of it is the model, and how little is read. */
import { afterEach, describe, expect, test } from 'vitest';
import { readPyTorch } from '../../../web/core/checkpoint/formats/pytorch/read-pytorch.js';
import { readSafetensors } from '../../../web/core/checkpoint/formats/safetensors.js';
import { loadCore } from '../../../web/index.js';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { fileOf, joined, safetensors, utf8, uint } from './checkpoint-files.js';
import { sendRange } from './file-server.js';
import { openHere } from './open-here.js';
import {
  call,
  dict,
  floatStorage,
  list,
  name,
  pickled,
  raw,
  stateDict,
  storageId,
  tensor,
  torchOld,
  torchZip,
  type Code,
  type Storage,
} from './pytorch-files.js';
import { closeServer, serve, server } from './url-support.js';

const [V, D] = [12, 4];
const E = floatStorage('0', V * D);
const U = floatStorage('1', V * D, 90);
const layer = floatStorage('2', D * D);
const norm = floatStorage('3', D);
const all = [E, U, layer, norm];
/** A layer and a final norm: with a table, a whole GPT-2. */
const rest = { 'h.0.attn.c_proj.weight': tensor(layer, [D, D]), 'ln_f.weight': tensor(norm, [D]) };
const tied = stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest, 'lm_head.weight': tensor(E, [V, D]) });
const untied = stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest, 'lm_head.weight': tensor(U, [V, D]) });
const used = [E, layer, norm];

const forms: readonly [string, (value: Code, storages: readonly Storage[]) => Uint8Array][] = [
  ['the ZIP form', torchZip],
  ['the ZIP form with 64-bit places', (value, storages) => torchZip(value, storages, { wide: true })],
  ['the ZIP form with a comment', (value, storages) => torchZip(value, storages, { comment: 'PK\x05\x06 made by hand' })],
  ['the older form', torchOld],
]; // prettier-ignore

describe.each(forms)('%s', (_, write) => {
  test('two names of one storage are one table, and nothing of it is read for that', async () => {
    const checkpoint = await openHere(write(tied, used));
    const { tying, tables, tensors, format } = checkpoint;
    expect(format).toBe('pytorch');
    expect(tying).toMatchObject({ tied: true, evidence: 'same-storage', candidates: [], conflict: null });
    expect(tying.reason).toBe("'wte.weight' and 'lm_head.weight' are two names of one storage.");
    expect(tables.output).toEqual(tables.input);
    expect(tables.input).toMatchObject({ name: 'wte.weight', shape: [V, D], dtype: 'F32', bytes: 4 * V * D });
    expect(tensors.map(({ name: called, sharedWith }) => [called, sharedWith])).toEqual([
      ['wte.weight', undefined],
      ['h.0.attn.c_proj.weight', undefined],
      ['ln_f.weight', undefined],
      ['lm_head.weight', 'wte.weight'],
    ]);
    const { data } = await checkpoint.matrix('output', { rows: Uint32Array.of(2) });
    expect([...data]).toEqual([2, 2.25, 2.5, 2.75]);
  });

  test('two storages are compared as the tables of any file are', async () => {
    const checkpoint = await openHere(write(untied, all));
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different' });
    expect((await checkpoint.matrix('output', { rows: Uint32Array.of(1) })).data[0]).toBe(91);
    const copies = stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest, 'lm_head.weight': tensor(U, [V, D]) });
    const twice = await openHere(write(copies, [E, { ...U, data: E.data }, layer, norm]));
    expect(twice.tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
    const alone = await openHere(write(stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest }), used));
    expect(alone.tying).toMatchObject({ tied: true, evidence: 'missing-output' });
  });

  test('a tensor that is saved alone is one table', async () => {
    const { tying, tables } = await openHere(fileOf('table.pt', write(tensor(E, [V, D]), [E]) as Uint8Array));
    expect(tables.input).toMatchObject({ name: 'table.pt', shape: [V, D] });
    expect(tying).toMatchObject({ tied: null, evidence: 'unknown' });
  });
});

afterEach(closeServer);

describe('views of one storage', () => {
  const opened = (wte: Code, head: Code, storages: readonly Storage[]) =>
    openHere(torchZip(stateDict({ 'wte.weight': wte, 'lm_head.weight': head }), storages));

  test('the transpose under the name of a map to tokens is the same table', async () => {
    const value = stateDict({ 'embed.W_E': tensor(E, [V, D]), 'unembed.W_U': tensor(E, [D, V], { strides: [1, D] }) });
    const checkpoint = await openHere(torchZip(value, [E]));
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    const turned = await checkpoint.matrix('unembed.W_U');
    expect([turned.rows, turned.cols, turned.data[1]]).toEqual([D, V, 1]);
  });

  test('a matrix stored by columns is read by rows', async () => {
    const turned = tensor(E, [V, D], { strides: [1, V] });
    const checkpoint = await opened(turned, tensor(U, [V, D]), all.slice(0, 2));
    expect(checkpoint.tables.input).toMatchObject({ shape: [V, D] });
    const { data } = await checkpoint.matrix('input', { rows: Uint32Array.of(1) });
    expect([...data]).toEqual([0.25, 0.25 + V / 4, 0.25 + (2 * V) / 4, 0.25 + (3 * V) / 4]);
    const { rows, cols, data: others } = await checkpoint.matrix('output');
    expect([rows, cols, others[1]]).toEqual([V, D, 90.25]);
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different' });
  });

  test('an output that is the transpose of another matrix has a row for each token', async () => {
    const value = stateDict({ 'embed.W_E': tensor(E, [V, D]), 'unembed.W_U': tensor(U, [D, V], { strides: [1, D] }) });
    const { rows, cols, data } = await (await openHere(torchZip(value, [E, U]))).matrix('output');
    expect([rows, cols, data[1]]).toEqual([V, D, 90.25]);
  });

  test('a square matrix and its transpose are not one table', async () => {
    const square = floatStorage('0', D * D);
    const other = tensor(square, [D, D], { strides: [1, D] });
    expect((await opened(tensor(square, [D, D]), other, [square])).tying).toMatchObject({ tied: null });
  });

  test('parts of one storage that do not overlap are two tables', async () => {
    const both = floatStorage('0', 2 * V * D);
    const { tying } = await opened(tensor(both, [V, D]), tensor(both, [V, D], { offset: V * D }), [both]);
    expect(tying).toMatchObject({ tied: false, evidence: 'different' });
  });

  test('the first rows of the same storage are not known to be all of the table', async () => {
    const { tying } = await opened(tensor(E, [V, D]), tensor(E, [V - 2, D]), [E]);
    expect(tying).toMatchObject({ tied: null, evidence: 'unknown' });
    expect(tying.reason).toMatch(/are equal|equal for/);
  });

  test('columns of a wider matrix are read as a table of their own', async () => {
    const wide = floatStorage('0', 2 * V * D);
    const part = (offset: number, turned = false): Code =>
      turned
        ? tensor(wide, [D, V], { offset, strides: [1, 2 * D] })
        : tensor(wide, [V, D], { offset, strides: [2 * D, 1] });
    const two = await opened(part(0), part(D), [wide]);
    expect(two.tying).toMatchObject({ tied: false, evidence: 'different' });
    expect([...(await two.matrix('output', { rows: { from: 1, to: 2 } })).data]).toEqual([3, 3.25, 3.5, 3.75]);
    expect((await opened(part(D), part(D), [wide])).tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    const turned = stateDict({ 'embed.W_E': part(D), 'unembed.W_U': part(D, true) });
    expect((await openHere(torchZip(turned, [wide]))).tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    const copy = floatStorage('1', V * D);
    const rows = Array.from({ length: V }, (_, row) => wide.data.subarray(8 * D * row, 8 * D * row + 4 * D));
    const equal = await opened(part(0), tensor(copy, [V, D]), [wide, { ...copy, data: joined(...rows) }]);
    expect(equal.tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  });

  test('one row that stands for all is said to be that', async () => {
    const row = floatStorage('0', D);
    const checkpoint = await opened(tensor(row, [V, D], { strides: [0, 1] }), tensor(U, [V, D]), [row, U]);
    expect(checkpoint.tying.tied).toBeNull();
    await expect(checkpoint.matrix('input')).rejects.toThrow(
      /'wte\.weight' has numbers stored once for several rows or columns \(strides 0, 1\), which cannot be decoded/,
    );
  });

  test('another name with the storage of a table needs no account', async () => {
    const value = stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest, 'some.thing': tensor(E, [V, D]) });
    expect((await openHere(torchZip(value, used))).tying).toMatchObject({ tied: true, evidence: 'missing-output' });
    const other = stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest, 'some.thing': tensor(U, [V, D]) });
    expect((await openHere(torchZip(other, all))).tying).toMatchObject({ tied: null, candidates: ['some.thing'] });
  });
});

describe('types', () => {
  const kinds: readonly [string, string, number][] = [
    ['DoubleStorage', 'F64', 8],
    ['FloatStorage', 'F32', 4],
    ['HalfStorage', 'F16', 2],
    ['BFloat16Storage', 'BF16', 2],
    ['LongStorage', 'I64', 8],
    ['IntStorage', 'I32', 4],
    ['ShortStorage', 'I16', 2],
    ['CharStorage', 'I8', 1],
    ['ByteStorage', 'U8', 1],
    ['BoolStorage', 'BOOL', 1],
    ['ComplexFloatStorage', 'C64', 8],
    ['ComplexDoubleStorage', 'complex128', 16],
  ];
  test.each(kinds)('%s is %s', async (kind, dtype, bytes) => {
    const storage = { key: 'a', kind, elements: 6, data: new Uint8Array(6 * bytes) };
    for (const write of [torchZip, torchOld]) {
      const value = stateDict({ wte: tensor(E, [V, D]), x: tensor(storage, [3, 2]) });
      const found = (await openHere(write(value, [E, storage]))).tensors[1];
      expect(found).toMatchObject({ name: 'x', shape: [3, 2], dtype, bytes: 6 * bytes });
    }
  });

  test('of bytes, of which a view names its type', async () => {
    const bytes = { key: '0', kind: 'UntypedStorage', elements: V * D, data: new Uint8Array(V * D).fill(0x38) };
    const args = [storageId(bytes), D, [V - 1, D], [D, 1], false, call(name('collections', 'OrderedDict'))] as const;
    const view = call(name('torch._utils', '_rebuild_tensor_v3'), ...args, name('torch', 'float8_e4m3fn'));
    const checkpoint = await openHere(torchZip(dict({ wte: view }), [bytes]));
    expect(checkpoint.tensors[0]).toMatchObject({ shape: [V - 1, D], dtype: 'F8_E4M3', bytes: (V - 1) * D });
    expect((await checkpoint.matrix('input')).data.every((value) => value === 1)).toBe(true);
  });

  test('a parameter, and a tensor of a class', async () => {
    const plain = tensor(E, [V, D]);
    const parameter = call(name('torch._utils', '_rebuild_parameter'), plain, true, call(name('collections', 'OrderedDict'))); // prettier-ignore
    const args = [storageId(U), 0, [V, D], [D, 1], false, call(name('collections', 'OrderedDict'))];
    const ofClass = call(name('torch._tensor', '_rebuild_from_type_v2'), name('torch._utils', '_rebuild_tensor_v2'), name('torch', 'Tensor'), args, dict({})); // prettier-ignore
    const { tensors } = await openHere(torchZip(dict({ wte: parameter, lm_head: ofClass }), [E, U]));
    expect(tensors.map(({ shape }) => shape)).toEqual([[V, D], [V, D]]); // prettier-ignore
  });

  test('a part of a storage in the older form', async () => {
    const value = stateDict({
      'wte.weight': tensor(E, [V - 2, D], { more: [['v', 2 * D, (V - 2) * D]] }),
      'lm_head.weight': tensor(E, [V - 2, D], { more: [null], offset: 2 * D }),
    });
    expect((await openHere(torchOld(value, [E]))).tying).toMatchObject({ tied: true, evidence: 'same-storage' });
  });
});

describe('what of a file is the model', () => {
  const moments = (storage: Storage): Code => dict({ state: dict([[0, dict({ exp_avg: tensor(storage, [V, D]) })]]), param_groups: list(dict({ lr: 0.1 })) }); // prettier-ignore
  const open = (value: Code, storages: readonly Storage[] = all) => openHere(torchZip(value, storages));
  const names = async (value: Code) => (await open(value)).tensors.map((one) => one.name);
  const own = ['wte.weight', 'h.0.attn.c_proj.weight', 'ln_f.weight', 'lm_head.weight'];

  test.each<[string, Code]>([
    ['nanoGPT', dict({ model: tied, optimizer: moments(U), model_args: dict({ n_layer: 1 }), iter_num: 3, best_val_loss: tensor(norm, []) })], // prettier-ignore
    ['Lightning', dict({ epoch: 1, state_dict: tied, optimizer_states: list(moments(U)), lr_schedulers: list(), callbacks: dict({ ema: dict({ w: tensor(U, [V, D]) }) }), hyper_parameters: call(name('argparse', 'Namespace')) })], // prettier-ignore
    ['DeepSpeed', dict({ module: tied, optimizer: null, ds_config: dict({ a: 1 }) })],
    ['an average beside it', dict({ ema: untied, model: tied })],
    ['an average beside it, under another name', dict({ state_dict_ema: untied, state_dict: tied })],
    ['two wrappers', dict({ state_dict: dict({ model: tied }), extra: list(1, 2) })],
    ['the state of an optimizer under any name', dict({ model: tied, adam: moments(U) })],
    ['an average alone', dict({ model_ema: tied })],
    ['a list', list(tied, moments(U))],
    ['states of random numbers', dict({ model: tied, rng: list(tensor(U, [V, D])), cuda_rng_state: tensor(norm, [D]) })], // prettier-ignore
  ])('%s', async (_, value) => {
    const checkpoint = await open(value);
    expect(checkpoint.tensors.map((one) => one.name)).toEqual(own);
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
  });

  test('what was left out is said', async () => {
    const { notes } = await open(dict({ model: tied, ema: untied, optimizer: moments(U) }));
    expect(notes).toEqual([
      "It was saved with 'optimizer', which training needs and which is no part of the model.",
      "It was saved with 'ema', an average of the model, which was not looked at.",
    ]);
    expect((await open(dict({ ema_model: tied }))).notes).toEqual(["Its model is 'ema_model', an average of several steps."]); // prettier-ignore
  });

  test('an average in a module of the model is left out', async () => {
    const averaged = { 'model_ema.wte.weight': tensor(U, [V, D]), 'model_ema.decay': tensor(norm, []) };
    const value = stateDict({ 'model.wte.weight': tensor(E, [V, D]), 'lm_head.weight': tensor(E, [V, D]), ...averaged });
    expect(await names(value)).toEqual(['model.wte.weight', 'lm_head.weight']);
  }); // prettier-ignore

  test('nothing else is left out: it may be the table that seems to be missing', async () => {
    const body = stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest });
    const value = dict({ model: body, head: dict({ weight: tensor(U, [V, D]) }) });
    expect(await names(value)).toEqual(['model.wte.weight', 'model.h.0.attn.c_proj.weight', 'model.ln_f.weight', 'head.weight']); // prettier-ignore
    expect((await open(value)).tying).toMatchObject({ tied: false, evidence: 'different' });
  });

  test('modules within modules are joined by dots', async () => {
    const value = dict({ model: dict({ language_model: dict({ embedding: dict({ word_embeddings: dict({ weight: tensor(E, [V, D]) }) }), encoder: dict({ 'layers.0.weight': tensor(layer, [D, D]) }) }) }) }); // prettier-ignore
    expect(await names(value)).toEqual(['embedding.word_embeddings.weight', 'encoder.layers.0.weight']); // prettier-ignore
  });

  test.each<[string, Code, RegExp]>([
    ['an optimizer alone', dict({ optimizer: moments(E) }), /the state of an optimizer and no model; expected the weights/],
    ['the state of an optimizer', moments(E), /the state of an optimizer and no model/],
    ['no tensors', dict({ epoch: 1 }), /it holds no tensors; expected the weights of a model/],
    ['a number', raw('K', 7), /it holds no tensors/],
    ['an array of NumPy', dict({ wte: call(name('numpy.core.multiarray', '_reconstruct'), name('numpy', 'ndarray'), [0], 'b') }), /'wte' is an array of NumPy without numbers; expected its shape, its type and its bytes/],
    ['a sparse tensor', dict({ wte: call(name('torch._utils', '_rebuild_sparse_tensor'), 1, 2) }), /'wte' is made by torch\._utils\._rebuild_sparse_tensor/],
    ['a tensor without numbers', dict({ wte: call(name('torch._utils', '_rebuild_meta_tensor_no_storage'), 1) }), /'wte' is made by torch\._utils\._rebuild_meta/],
    ['one name twice', dict({ 'a.b': tensor(E, [V, D]), a: dict({ b: tensor(E, [V, D]) }) }), /'a\.b' occurs twice/],
    ['two models', dict({ thinker: tied, talker: untied }), /several tensors may be the input table/],
  ])('%s is refused', async (_, value, message) => {
    await expect(open(value)).rejects.toThrow(message);
  }); // prettier-ignore
});

describe('how much is read', () => {
  const large = floatStorage('large', 512 * 512);
  const value = stateDict({ 'wte.weight': tensor(E, [V, D]), x: tensor(large, [512, 512]), 'lm_head.weight': tensor(U, [V, D]) }); // prettier-ignore

  test.each([['ZIP', torchZip] as const, ['older', torchOld] as const])(
    'of the %s form: directory and pickle, and the storages of the tables',
    async (_, write) => {
      const source = new BytesSource(write(value, [E, large, U]), 'a.pt');
      const head = await source.read(0, 65_536);
      const { tensors } = await readPyTorch(source, head, 'a.pt');
      expect(source.bytesRead).toBeLessThan(70_000 + 65_536);
      const before = source.bytesRead;
      const { source: storage, from, bytes } = tensors.get('lm_head.weight')!;
      expect(await storage.read(from, bytes)).toEqual(U.data);
      expect(source.bytesRead - before).toBeLessThan(bytes + 31);
    },
  );

  test('of a URL: its beginning, its end, and a row of the table with the header before it', async () => {
    const file = torchZip(
      stateDict({ 'wte.weight': tensor(E, [V, D]), x: tensor(large, [512, 512]), 'lm_head.weight': tensor(E, [V, D]) }),
      [large, E],
    );
    const url = await serve(sendRange(file));
    const checkpoint = await openHere(url);
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect(server!.seen.map(({ range }) => range)).toEqual([
      'bytes=0-65535',
      expect.stringMatching(new RegExp(`^bytes=\\d+-${file.length - 1}$`)) as string,
    ]);
    const before = server!.asked();
    const { data } = await checkpoint.matrix('output', { rows: Uint32Array.of(3) });
    expect([...data]).toEqual([3, 3.25, 3.5, 3.75]);
    expect(server!.asked() - before).toBe(30 + 4 * D);
    expect(server!.asked()).toBeLessThan(file.length / 4);
  });

  test('a pickle that is longer than the first bytes is read on, and once', async () => {
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`layers.${i}.weight`, tensor(layer, [D, D])])); // prettier-ignore
    const bytes = torchOld(stateDict({ 'wte.weight': tensor(E, [V, D]), ...many }), [E, layer]);
    const source = new BytesSource(bytes, 'a.pt');
    const { tensors } = await readPyTorch(source, await source.read(0, 65_536), 'a.pt');
    expect(tensors.size).toBe(9001);
    expect(source.bytesRead).toBeLessThanOrEqual(bytes.length);
  });
});

describe('files of an index', () => {
  const part = (n: number, value: Code, storages: readonly Storage[]) =>
    fileOf(`pytorch_model-0000${n}-of-00002.bin`, torchZip(value, storages));
  const first = part(1, stateDict({ 'wte.weight': tensor(E, [V, D]), 'lm_head.weight': tensor(E, [V, D]) }), [E]);
  const second = part(2, stateDict(rest), [layer, norm]);
  const index = (map: Record<string, string>) =>
    fileOf('pytorch_model.bin.index.json', utf8(JSON.stringify({ metadata: { total_size: 1 }, weight_map: map })));
  const [one, two] = ['pytorch_model-00001-of-00002.bin', 'pytorch_model-00002-of-00002.bin'] as const;
  const whole = { 'wte.weight': one, 'lm_head.weight': one, 'h.0.attn.c_proj.weight': two, 'ln_f.weight': two };

  test('are read as those of safetensors are', async () => {
    const checkpoint = await openHere([index(whole), first, second]);
    expect(checkpoint.format).toBe('pytorch');
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect(checkpoint.notes).toEqual(['Only files with a table were opened; 1 other was not.']);
    const wrong = index({ ...whole, 'ln_f.weight': one });
    await expect(openHere([wrong, first, second])).rejects.toThrow("has 'ln_f.weight', but it does not");
    await expect(openHere([index(whole), second])).rejects.toThrow(`it names '${one}', which is missing`);
    const other = fileOf(one, safetensors({}));
    await expect(openHere([index(whole), other, second])).rejects.toMatchObject({ code: 'bad-file' });
  });

  test('one of them alone is a part', async () => {
    const { notes, tying } = await openHere([part(1, stateDict({ 'wte.weight': tensor(E, [V, D]), ...rest }), used)]);
    expect(notes[0]).toBe('This is one of 2 files, opened without their index: the others may have a table too.');
    expect(tying).toMatchObject({ tied: null, evidence: 'not-a-language-model' });
  });
});

test('files of protocol 4, and of Python 2', async () => {
  const frame = raw(0x95, new Uint8Array(8));
  const short = (text: string) => raw(0x8c, text.length, text, 0x94);
  const named = raw(short('torch').bytes, short('FloatStorage').bytes, 0x93, 0x94);
  const id = raw('(', short('storage').bytes, named.bytes, short('0').bytes, short('cpu').bytes, 'K', V * D, 't', 'Q');
  const function4 = raw(short('torch._utils').bytes, short('_rebuild_tensor_v2').bytes, 0x93);
  const view = call(function4, id, 0, [V, D], [D, 1], false, null);
  const value = raw(frame.bytes, '}', short('wte').bytes, view.bytes, 's');
  expect((await openHere(torchZip(pickled(value, 4), [E]))).tensors[0]).toMatchObject({ name: 'wte', shape: [V, D] });
  const old = raw('}', 'U', 3, 'wte', tensor(E, [V, D]).bytes, 's');
  expect((await openHere(torchOld(old, [E]))).tensors[0]).toMatchObject({ name: 'wte', shape: [V, D] });
  const pairs = call(name('collections', 'OrderedDict'), list(list('wte', tensor(E, [V, D]))));
  expect((await openHere(torchOld(pairs, [E]))).tensors[0]).toMatchObject({ name: 'wte', shape: [V, D] });
});

test('values are asked for again by any number that they were given, in order or not', async () => {
  const four = (number: number) => [0x72, uint(number, 4)] as const;
  const again = (number: number) => [0x6a, uint(number, 4)] as const;
  const text = (value: string) => raw('X', uint(value.length, 4), value).bytes;
  const table = tensor(E, [V, D]).bytes;
  // Three names: the second is numbered far ahead, the first anew, and MEMOIZE goes on after both.
  const value = raw(
    ...['}', '(', text('wte'), ...four(70_000), table, ...four(0), text('b'), ...four(0), 'N', text('lm_head'), 0x94],
    ...['N', 'u', '(', ...again(70_000), 'N', ...again(0), 'N', ...again(2), table, 'u'],
  );
  const tensors = (await openHere(torchZip(value, [E]))).tensors.map(({ name }) => name);
  expect(tensors.sort()).toEqual(['lm_head', 'wte']);
});

describe('a model that runs', () => {
  test('has the logits that it has in safetensors, with two names of its table', async () => {
    const core = await loadCore({ modules: ['checkpoint', 'models'] });
    const tokenIds = Uint32Array.from({ length: 40 }, (_, i) => (i * 7) % V);
    const architecture = { dModel: 8, nLayers: 2, nHeads: 2, contextLength: 8, norm: 'layer-norm', biases: 'all' } as const; // prettier-ignore
    const model = { kind: 'transformer', vocabSize: V, tying: 'tied', ...architecture } as const;
    const trainer = core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 2, seed: 1 }, tokenIds });
    const files = trainer.toTransformers();
    const file = new Uint8Array(files['model.safetensors']!);
    const stored = (await readSafetensors(new BytesSource(file))).tensors;
    const storages: Storage[] = [];
    const views = [...stored].map(([called, { shape, from, bytes }], at) => {
      const storage = { key: String(at), kind: 'FloatStorage', elements: bytes / 4, data: file.slice(from, from + bytes) };
      storages.push(storage);
      return [called, tensor(storage, shape)] as const;
    }); // prettier-ignore
    const [table] = views.filter(([called]) => called === 'transformer.wte.weight');
    const value = stateDict({ ...Object.fromEntries(views), 'lm_head.weight': table![1] });
    for (const bytes of [torchZip(value, storages), torchOld(value, storages)]) {
      const given = [fileOf('pytorch_model.bin', bytes), fileOf('config.json', new Uint8Array(files['config.json']!))];
      const checkpoint = await core.openCheckpoint(given);
      expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'same-storage', conflict: null });
      expect(checkpoint.obstacle()).toBeNull();
      const again = await checkpoint.toTrainer();
      expect(again.logits(tokenIds.subarray(0, 8)).data).toEqual(trainer.logits(tokenIds.subarray(0, 8)).data);
      const { data } = await checkpoint.identityCard();
      expect(data.saving).toMatchObject({ tied: true, storedTwice: false, bytes: 4 * V * 8 });
      expect(data.asymmetry).toMatchObject({ asymmetry: 0 });
    }
    core.dispose();
  });
});
