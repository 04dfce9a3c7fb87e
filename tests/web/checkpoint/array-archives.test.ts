/** Archives of NumPy arrays: what is read of them, which of their matrices are the tables, and what is refused with which words. */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { readNpz } from '../../../web/core/checkpoint/formats/npz.js';
import { fileOf, joined, npy, ramp, uint, utf8 } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { zip, type ZipFile } from './pytorch-files.js';

const header = (descr: string, shape: string, order = 'False'): string =>
  `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
const floats = (rows: number, cols: number, start = 0): Uint8Array =>
  npy(header('<f4', `(${rows}, ${cols})`), ramp(rows * cols, start));
const array = (name: string, data: Uint8Array): ZipFile => ({ name: `${name}.npy`, data });
const deflated = ({ name, data }: ZipFile): ZipFile => ({
  ...{ name, method: 8, size: data.length, data: new Uint8Array(deflateRawSync(data)) },
});
const two = [array('input', floats(4, 2)), array('output', floats(4, 2, 9))];
const names = (texts: readonly string[], width: number): Uint8Array =>
  npy(
    header(`<U${width}`, `(${texts.length},)`),
    joined(
      ...texts.flatMap((text) => Array.from({ length: width }, (_, i) => uint([...text][i]?.codePointAt(0) ?? 0, 4))),
    ),
  );

async function refused(bytes: Uint8Array): Promise<string> {
  const error: unknown = await openHere(bytes).then(
    () => new Error('it was opened'),
    (problem: unknown) => problem,
  );
  expect(error).toMatchObject({ name: 'TiedError' });
  expect((error as Error).message).toMatch(/; expected /);
  return (error as Error).message;
}

describe('an archive of arrays', () => {
  test.each([
    ['stored', zip(two)],
    ['with sizes of 64 bits', zip(two, { wide: true })],
    ['deflated', zip(two.map(deflated))],
    ['deflated, with sizes of 64 bits', zip(two.map(deflated), { wide: true })],
  ])('%s: two arrays that are named for the two roles', async (_, bytes) => {
    const checkpoint = await openHere(bytes);
    expect(checkpoint).toMatchObject({ format: 'npz', notes: [] });
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different' });
    expect(checkpoint.tables.output?.name).toBe('output');
    expect([...(await checkpoint.matrix('output', { rows: Uint32Array.of(3) })).data]).toEqual([10.5, 10.75]);
  });

  test.each([
    ['W_E', 'W_U'],
    ['syn0', 'syn1neg'],
    ['embedding', 'unembedding'],
    ['wte.weight', 'lm_head.weight'],
  ])('%s and %s', async (input, output) => {
    const { tables, tying } = await openHere(zip([array(output, floats(4, 2)), array(input, floats(4, 2))]));
    expect([tables.input?.name, tying.tied]).toEqual([input, true]);
  });

  test('names that say nothing: the caller chooses', async () => {
    const bytes = zip([array('arr_0', floats(4, 2)), array('arr_1', floats(4, 2))]);
    expect(await refused(bytes)).toMatch(/'arr_0', 'arr_1'; expected tables: \{ input, output \} with their names/);
    const { tying } = await openHere(bytes, { tables: { input: 'arr_0', output: 'arr_1' } });
    expect(tying.evidence).toBe('equal-bytes');
  });

  test('small arrays are read together, and large ones by their headers', async () => {
    const small = Array.from({ length: 1000 }, (_, at) => array(`small.${at}.weight`, floats(2, 2, at)));
    const large = ['input', 'output'].map((name) => array(name, floats(5000, 2)));
    const source = new BytesSource(zip([...small, ...large]), 'model.npz');
    const read = vi.spyOn(source, 'read');
    const { tensors } = await readNpz(source);
    expect([...tensors.keys()]).toEqual([...small, ...large].map(({ name }) => name.replace('.npy', '')));
    const { from } = tensors.get('small.999.weight')!;
    expect(new Float32Array((await source.read(from, 16)).slice().buffer)[0]).toBe(999);
    // The directory, the small arrays with the first large one, the other one, and what the test reads.
    expect(read).toHaveBeenCalledTimes(5);
    expect(source.bytesRead).toBeLessThan(source.size - 70_000 + 2 ** 17);
  });

  test('one matrix is a table without a name, beside the names of its rows', async () => {
    const files = [array('vectors', floats(3, 2)), array('words', names(['a', '日本', '𝄞'], 2)), array('step', npy(header('<i8', '()'), new Uint8Array(8)))]; // prettier-ignore
    const checkpoint = await openHere(zip(files.map(deflated)));
    expect(checkpoint.tokens).toEqual(['a', '日本', '𝄞']);
    expect(checkpoint.tying).toMatchObject({ tied: null, evidence: 'unknown' });
    const second = fileOf('out.npz', zip([array('vectors', floats(3, 2, 1))]));
    const tables = { input: 'in.npz', output: 'out.npz' };
    expect((await openHere([fileOf('in.npz', zip(files)), second], { tables })).tying.tied).toBe(false);
  });

  test('columns, half precision, doubles, and BF16 without a type', async () => {
    const bytes = zip([
      array('input', npy(header('<f8', '(2, 3)', 'True'), new Uint8Array(Float64Array.of(1, 4, 2, 5, 3, 6).buffer))),
      array('output', npy(header('|V2', '(2, 3)'), joined(...[1, 2, 3, 4, 5, 6].map((x) => new Uint8Array(Float32Array.of(x).buffer, 2))))),
    ]); // prettier-ignore
    const checkpoint = await openHere(bytes);
    expect(checkpoint.tensors.map(({ dtype, shape }) => [dtype, shape])).toEqual([['F64', [2, 3]], ['BF16', [2, 3]]]); // prettier-ignore
    expect([...(await checkpoint.matrix('input')).data]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'equal-values' });
    expect(checkpoint.notes).toEqual([
      "'output': NumPy stores numbers of two bytes without a type (V2); they are read as BF16.",
    ]);
  });

  test('types that are not read are listed in words', async () => {
    const files = [...two, array('o', npy(header('|O', '(1,)'), utf8('x')))];
    const { tensors } = await openHere(zip(files));
    expect(tensors.slice(2).map(({ dtype }) => dtype)).toEqual(['stored as objects of Python']);
  });

  test('big-endian numbers are those of little-endian ones, by rows, by columns and in an array of its own', async () => {
    const values = Array.from({ length: 12 }, (_, i) => i / 8 - 1);
    for (const [descr, each] of [
      ['f4', 4],
      ['f8', 8],
    ] as const) {
      const data = (isBig: boolean): Uint8Array<ArrayBuffer> => {
        const view = new DataView(new ArrayBuffer(12 * each));
        values.forEach((value, i) => (each === 8 ? view.setFloat64(8 * i, value, !isBig) : view.setFloat32(4 * i, value, !isBig))); // prettier-ignore
        return new Uint8Array(view.buffer);
      };
      for (const order of ['False', 'True']) {
        const of = (sign: string): Uint8Array<ArrayBuffer> =>
          npy(`{'descr': '${sign}${descr}', 'fortran_order': ${order}, 'shape': (4, 3), }`, data(sign === '>'));
        const both = await openHere(zip([array('input', of('>')), array('output', of('<'))]));
        expect(both.tying).toMatchObject({ tied: true, evidence: expect.stringMatching(/^equal-/) as string });
        const expected = (await both.matrix('output')).data;
        expect((await both.matrix('input')).data).toEqual(expected);
        const alone = await openHere(fileOf('a.npy', of('>')));
        expect((await alone.matrix('input', { rows: Uint32Array.of(2) })).data).toEqual(expected.subarray(6, 9));
        const window = await alone.tensorWindow('input', { rows: { from: 1, to: 3 }, cols: { from: 1, to: 2 } });
        expect([...window.data]).toEqual([expected[4], expected[7]]);
      }
    }
  });

  test.each<[string, readonly ZipFile[], RegExp]>([
    ['no arrays', [{ name: 'a.npy.txt', data: utf8('x') }], /has 0 arrays/],
    ['a shape that is not there', [array('input', npy(header('<f4', '(9, 9)'), ramp(4)))], /has 16 bytes after its header; expected 324/],
    ['a shape without limit', [array('input', npy(header('<f4', '(999999999999999, 999999999999999)'), ramp(4)))], /has 16 bytes after its header/],
    ['a header that is none', [array('input', utf8('no array at all'))], /it starts with other bytes/],
    ['a header that is cut off', [array('input', floats(2, 2).subarray(0, 20))], /ends after 20 bytes, within its header/],
    ['an unknown compression', [{ ...two[0]!, method: 14, size: 999 }], /is compressed by method 14/],
    ['an encrypted array', [{ ...two[0]!, flags: 0x809 }], /is encrypted/],
    ['damaged bytes', [{ ...deflated(two[0]!), data: deflated(two[0]!).data.map((byte, i) => (i < 4 ? 255 : byte)) }], /cannot be inflated/],
    ['more bytes than it says', [{ ...deflated(two[0]!), size: 100 }], /has 4 bytes|has more than 100 bytes|within its header|after its header/],
    ['fewer bytes than it says', [{ ...deflated(two[0]!), size: 9999 }], /ends after \d+ bytes; expected 9999|after its header/],
    ['a size that nothing inflates to', [{ ...deflated(two[0]!), size: 2 ** 31 }], /would have 2147483648 bytes, and is compressed to \d+/],
  ])('refuses %s', async (_, files, message) => {
    expect(await refused(zip(files))).toMatch(message);
  }); // prettier-ignore

  test('a size that is wrong by less than the header', async () => {
    const whole = deflated(array('input', floats(4, 2)));
    const data = new Uint8Array(deflateRawSync(joined(floats(4, 2), Uint8Array.of(1))));
    await expect(openHere(zip([{ ...whole, data }])).then((one) => one.matrix('input'))).rejects.toThrow(
      /has more than \d+ bytes; expected as many as the directory says/,
    );
  });
});

describe('files that only their own program reads', () => {
  const pickle = (name: string): Uint8Array => joined(Uint8Array.of(0x80, 4, 0x95, 0, 0, 0x8c, 26), utf8(`gensim.models.${name}`)); // prettier-ignore
  test.each<[string, string, Uint8Array, RegExp]>([
    ['KeyedVectors', 'a.kv', pickle('keyedvectors'), /KeyedVectors\.load\('a\.kv'\)\.save_word2vec_format\('a\.bin', binary=True\)$/],
    ['Word2Vec', 'a.model', pickle('word2vec'), /m = Word2Vec\.load\('a\.model'\);\nnumpy\.savez\('a\.npz', input=m\.wv\.vectors, output=m\.syn1neg,/],
    ['FastText', 'a.model', pickle('fasttext FastText'), /save_facebook_model\(FastText\.load\('a\.model'\), 'a\.bin'\)$/],
    ['HDF5', 'a.weights.h5', joined(Uint8Array.of(0x89), utf8('HDF\r\n\x1a\n')), /h5py\.File\('a\.weights\.h5'\).*\nnumpy\.savez\('a\.npz', /],
    ['Keras', 'a.keras', zip([{ name: 'metadata.json', data: utf8('{"keras_version":"3"}') }]), /ZipFile\('a\.keras'\)\.open\('model\.weights\.h5'\)/],
    ['TensorFlow Lite', 'a.tflite', joined(uint(28, 4), utf8('TFL3'), new Uint8Array(40)), /it is a model of TensorFlow Lite.*; expected the model that it was made from/],
    ['TorchScript', 'a.pt', joined(utf8('PK\x03\x04'), new Uint8Array(26), utf8('a/data/0FB'), new Uint8Array(9)), /it is a program of TorchScript.*; expected the state_dict/],
    ['Parquet', 'a.parquet', joined(utf8('PAR1'), new Uint8Array(40)), /it is a Parquet file/],
    ['Arrow', 'a.arrow', joined(utf8('ARROW1'), new Uint8Array(40)), /it is a file of Arrow/],
    ['UTF-16', 'a.txt', joined(Uint8Array.of(255, 254), ...[...'the 1 2'].map((c) => Uint8Array.of(c.charCodeAt(0), 0))), /it is a text in UTF-16; expected the same text in UTF-8/],
    ['a distributed checkpoint', '__0_0.distcp', Uint8Array.of(0x80, 4, 0x95, 1, 2, 3), /by its name it is a part of a distributed checkpoint of PyTorch; expected .*dcp_to_torch/],
    ['Flax', 'flax_model.msgpack', joined(Uint8Array.of(0x81, 0xa6), utf8('params'), Uint8Array.of(0x80)), /by its name it is .* as Flax writes them; expected its arrays/],
    ['TensorFlow', 'variables.data-00000-of-00001', Uint8Array.from({ length: 64 }, (_, i) => (i * 37) % 256), /by its name it is a part of a checkpoint of TensorFlow/],
    ['Core ML', 'a.mlmodel', Uint8Array.of(8, 5, 0x12, 200, 1, 10), /by its name it is a model of Core ML/],
    ['a name that would end the text', "a'+f()+'.h5", joined(Uint8Array.of(0x89), utf8('HDF\r\n\x1a\n')), /h5py\.File\('file'\)/],
  ])('%s', async (_, name, bytes, message) => {
    const refusal: unknown = await openHere(fileOf(name, bytes)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'TiedError', code: 'unsupported' });
    expect((refusal as Error).message).toMatch(message);
  }); // prettier-ignore

  test('what the bytes say counts more than a name', async () => {
    const pointer = utf8('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n');
    await expect(openHere(fileOf('flax_model.msgpack', pointer))).rejects.toThrow(/Git LFS/);
  });
});
