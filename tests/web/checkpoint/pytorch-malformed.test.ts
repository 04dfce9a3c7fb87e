/** Damaged and hostile files of torch.save: each is refused with what was found and what was expected, and nothing in it runs. */
import { describe, expect, test } from 'vitest';
import { joined, uint, utf8 } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import {
  call,
  dict,
  floatStorage,
  list,
  name,
  persistent,
  pickled,
  raw,
  stateDict,
  storageId,
  tensor,
  torchOld,
  torchZip,
  withState,
  zip,
  zipFiles,
  type Py,
} from './pytorch-files.js';

const [V, D] = [8, 4];
const E = floatStorage('0', V * D);
const value = stateDict({ 'wte.weight': tensor(E, [V, D]) });
const files = zipFiles(value, [E]);
const whole = torchZip(value, [E]);
const old = torchOld(value, [E]);

/** Opens; the message without its code. */
const refused = async (bytes: Uint8Array): Promise<string> => {
  const error: unknown = await openHere(bytes).then(
    () => new Error('it was opened'),
    (problem: unknown) => problem,
  );
  expect(error).toMatchObject({ name: 'TiedError', code: 'bad-file' });
  const { message } = error as Error;
  expect(message).toMatch(/^bytes: .*; expected /s);
  expect(message.length).toBeLessThan(700);
  return message;
};
const ofPickle = (bytes: Uint8Array): Promise<string> => refused(torchZip(bytes, [E]));
const ofCode = (code: Py): Promise<string> => ofPickle(pickled(code));
const replaced = (bytes: Uint8Array, at: number, ...by: number[]): Uint8Array => {
  const changed = bytes.slice();
  changed.set(by, (at + changed.length) % changed.length);
  return changed;
};
const instead = (at: string, data: Uint8Array): Uint8Array =>
  zip(files.map((file) => (file.name.endsWith(at) ? { ...file, data } : file)));

describe('the archive', () => {
  const end = whole.length - 22;
  const directory = new DataView(whole.buffer).getUint32(end + 16, true);
  test.each<[string, Uint8Array, RegExp]>([
    ['cut off in its directory', whole.subarray(0, -30), /no directory at its end; expected all of it: it may be cut off/],
    ['cut off in its first file', whole.subarray(0, 100), /no directory at its end/],
    ['with a directory that begins after it', replaced(whole, end + 16, 0xff, 0xff, 0xff, 0x7f), /is not within the file; expected it before/],
    ['with more entries than its directory has room for', replaced(whole, end + 10, 0xff, 0xff), /its directory of 65535 entries and \d+ bytes/],
    ['with a damaged entry', replaced(whole, directory, 0), /entry 0 of its directory is damaged; expected 4 entries/],
    ['with an entry that ends after the data', replaced(whole, directory + 42, 0xff, 0xff, 0xff), /'archive\/data\.pkl' ends after byte \d+, where the directory begins/],
    ['with one name twice', zip([...files, files[0]!]), /'archive\/data\.pkl' is in its directory twice/],
    ['without a pickle', zip(files.slice(1).concat({ name: 'other.pkl', data: utf8('') })), /a ZIP archive with 0 pickles of torch\.save/],
    ['in a folder whose name is not UTF-8', replaced(whole, directory + 46, 0xff), /the name of its folder is not UTF-8; expected UTF-8/],
    ['with two folders', zip([...files, { ...files[0]!, name: 'b/data.pkl' }]), /with 2 pickles of torch\.save \(data\.pkl\); expected one/],
    ['with a compressed pickle', zip(files.map((file, i) => (i === 0 ? { ...file, method: 8 } : file))), /'archive\/data\.pkl' is compressed; expected it stored as it is/],
    ['with an encrypted pickle', zip(files.map((file, i) => (i === 0 ? { ...file, flags: 1 } : file))), /'archive\/data\.pkl' is encrypted/],
    ['with another header than its directory says', replaced(whole, 0x1c, 0xff, 0xff), /'archive\/data\.pkl' has no header at byte 0; expected one that says the same/],
    ['of big-endian numbers', instead('byteorder', utf8('big')), /its numbers are big-endian; expected little-endian/],
    ['without a storage', zip(files.filter((file) => !file.name.includes('/data/'))), /it has no storage '0', which its pickle names/],
    ['with a shorter storage', instead('/data/0', new Uint8Array(8)), /storage '0' has 8 bytes; expected 128, as its pickle says/],
    ['of TorchScript', zip([...files, { name: 'archive/code/__torch__.py', data: utf8('') }]), /it is a program of TorchScript \(torch\.jit\.save\); expected the weights/],
    ['of TorchScript without code', zip([...files, { name: 'archive/constants.pkl', data: utf8('') }]), /TorchScript/],
    ['in the form of PyTorch 0.1', joined(utf8('sys_info'.padEnd(257, '\0')), utf8('ustar'), new Uint8Array(300)), /it is a tar archive, the form of PyTorch 0\.1; expected a file of torch\.save from version 0\.4 on/],
  ])('%s is refused', async (_, bytes, message) => {
    expect(await refused(bytes)).toMatch(message);
  }); // prettier-ignore

  test('cut off anywhere is refused', async () => {
    for (let length = 5; length < whole.length; length += 7) await refused(whole.subarray(0, length));
    for (let length = 5; length < old.length; length += 7) await refused(old.subarray(0, length));
  });

  test('64-bit places that no file has are refused', async () => {
    const wide = torchZip(value, [E], { wide: true });
    const locator = wide.length - 42;
    expect(await refused(joined(wide.subarray(0, locator + 8), uint(2n ** 63n, 8), wide.subarray(locator + 16)))).toMatch(/its 64-bit directory would begin after the end/); // prettier-ignore
    expect(await refused(replaced(wide, locator - 56, 0))).toMatch(/its 64-bit directory is damaged/);
  });
});

describe('the older form', () => {
  test.each<[string, Uint8Array, RegExp]>([
    ['of another program', torchOld(value, [E], { magic: 0x1950_a86a_20f9_469c_fc6dn }), /a pickle that does not begin as those of torch\.save do/],
    ['of another version', torchOld(value, [E], { version: 1002 }), /it is of another version of the older form; expected 1001/],
    ['of big-endian numbers', torchOld(value, [E], { little: false }), /not said to be little-endian/],
    ['with a storage that is not named', torchOld(value, [E], { keys: ['0', '1'] }), /its list of storages has one that its pickle does not name, or one twice/],
    ['with a storage listed twice', torchOld(value, [E], { keys: ['0', '0'] }), /or one twice; expected each once/],
    ['with a storage that is not listed', torchOld(value, [E], { keys: [] }), /it has no storage '0', which its pickle names/],
    ['with a storage cut off', old.subarray(0, -1), /storage '0' ends at byte \d+, after the file of \d+ bytes; expected all of it/],
    ['with a pickle that never ends', pickled(0x1950_a86a_20f9_469c_fc6cn), /its pickle has no end/],
    ['with parts outside of a storage', torchOld(dict({ a: tensor(E, [V, D], { more: [['v', 1, V * D]] }) }), [E]), /has a part of storage '0' that is not within it/],
  ])('%s is refused', async (_, bytes, message) => {
    expect(await refused(bytes)).toMatch(message);
  }); // prettier-ignore

  test('a storage with another number of elements is refused when it is read', async () => {
    const wrong = replaced(old, -(4 * V * D) - 8, 7);
    const checkpoint = await openHere(wrong);
    await expect(checkpoint.matrix('input')).rejects.toThrow("storage '0' has 7 elements; expected 32, as its pickle says"); // prettier-ignore
  });
});

describe('a hostile pickle', () => {
  /** What Python would run, in the words of a pickle: a class with __reduce__, and other ways. */
  const run = (module: string, called: string): Py => call(name(module, called), 'touch gone');
  test.each([
    ['os', 'system'],
    ['posix', 'system'],
    ['nt', 'system'],
    ['builtins', 'eval'],
    ['builtins', 'exec'],
    ['builtins', '__import__'],
    ['builtins', 'getattr'],
    ['__builtin__', 'eval'],
    ['subprocess', 'Popen'],
    ['runpy', '_run_code'],
    ['importlib', 'import_module'],
    ['torch', 'load'],
    ['torch.storage', '_load_from_bytes'],
    ['torch.hub', 'load'],
    ['torch.jit', 'load'],
    ['torch._utils', '__import__'],
    ['torch', '__class__'],
    ['torch', 'constructor'],
    ['torch.storage', 'hasOwnProperty'],
    ['numpy', 'load'],
    ['numpy.testing._private.utils', 'runstring'],
    ['collections', 'namedtuple'],
    ['typing', 'get_type_hints.__globals__'],
    ['pathlib', 'Path.unlink'],
    ['omegaconf..', 'os.system'],
    ['__main__', 'GPT'],
    ['transformers.training_args', 'TrainingArguments'],
    ['', ''],
  ])('that names %s.%s is refused by that name, wherever it is', async (module, called) => {
    const places: readonly Py[] = [
      run(module, called),
      dict({ a: run(module, called) }),
      stateDict({ 'wte.weight': tensor(E, [V, D]), x: name(module, called) }),
      withState(value, run(module, called)),
      persistent(['storage', name(module, called), '0', 'cpu', 4]),
      raw(name(module, called).bytes, ')', 0x81),
      raw(0x8c, utf8(module).length, module, 0x8c, utf8(called).length, called, 0x93),
    ];
    for (const place of places)
      expect(await ofCode(place)).toContain(`names ${module}.${called}, which may run code in Python and is never run here`); // prettier-ignore
    expect(await refused(torchOld(dict({ a: run(module, called) }), []))).toContain(`names ${module}.${called}`);
  });

  test.each<[string, Py, RegExp]>([
    ['INST', raw('(', 'ios\nsystem\n'), /has the instruction INST at byte 3/],
    ['OBJ', raw('(', 'o'), /has the instruction OBJ/],
    ['EXT1', raw(0x82, 1), /has the instruction EXT1/],
    ['NEWOBJ_EX', raw(0x92), /NEWOBJ_EX/],
    ['DUP', raw('N', '2'), /DUP/],
    ['PERSID', raw('Pabc\n'), /PERSID/],
    ['a text of protocol 0', raw("S'a'\n"), /STRING/],
    ['NEXT_BUFFER', raw(0x97), /NEXT_BUFFER/],
    ['a byte of no protocol', raw(0xff), /has the byte 0xff in place of an instruction at byte 2/],
  ])('the instruction %s is refused', async (_, code, message) => {
    const found = await ofCode(code);
    expect(found).toMatch(message);
    expect(found).toMatch(/expected those that torch\.save writes$/);
  });

  test.each<[string, Py, RegExp]>([
    ['takes from an empty stack', raw('b'), /takes a value that is not there at byte 2/],
    ['takes what is before an open list', raw('N', '(', 'a'), /takes a value that is not there/],
    ['ends a list that it has not begun', raw('t'), /ends a list that it has not begun/],
    ['leaves values', raw('N', 'N'), /has values left over at its end/],
    ['asks for what it has not remembered', raw('h', 9), /asks for value 9, which it has not remembered/],
    ['adds to a number', raw('K', 1, 'K', 2, 'a'), /adds to something that is no list/],
    ['sets keys of a tuple', raw(')', 'K', 1, 'K', 2, 's'), /sets keys of something that is no dictionary/],
    ['has a key without a value', raw('}', '(', 'N', 'u'), /has a key without a value/],
    ['calls a number', raw('K', 1, ')', 'R'), /calls something that is not a name at byte 5/],
    ['calls with a number', raw(name('torch', 'Size').bytes, 'K', 1, 'R'), /calls something that is not a name/],
    [
      'calls a type',
      call(name('torch', 'float32')),
      /calls torch\.float32; expected a class or function that makes data/,
    ],
    ['names a class by a number', raw('K', 1, 'K', 2, 0x93), /names a class by something that is no text/],
    ['has text that is not UTF-8', raw('X', uint(1, 4), 0xff), /has a text at byte 7 that is not UTF-8/],
    ['has a name without an end', raw('c', 'x'.repeat(600)), /has more than 512 bytes in a name/],
    ['has a text of 4 GB', raw('X', uint(0xffff_ffff, 4)), /its pickle has no end/],
    [
      'has a key of 10 MB',
      raw('}', 'X', uint(10_000_001, 4), new Uint8Array(10_000_001).fill(97), 'N', 's'),
      /has more than 10000000 bytes in a text/,
    ],
    ['is of protocol 9', raw(0x80, 9, 'N'), /is of protocol 9; expected protocol 2 to 5/],
    ['has a text that is cut off', raw('X', uint(99, 4)), /its pickle has no end/],
  ])('that %s is refused', async (_, code, message) => {
    expect(await ofCode(code)).toMatch(message);
  });

  test.each<[string, Py, RegExp]>([
    ['a storage of a negative size', persistent(['storage', name('torch', 'FloatStorage'), '0', 'cpu', -1]), /refers to something that is no storage/],
    ['a storage with a number as its key', persistent(['storage', name('torch', 'FloatStorage'), 0, 'cpu', 1]), /refers to something that is no storage/],
    ['a storage without a key', persistent(['storage', name('torch', 'FloatStorage'), '', 'cpu', 1]), /has a storage without a usable key/],
    ['a storage of two sizes', list(tensor(E, [V, D]), tensor({ ...E, elements: 8 }, [2, D])), /says of storage '0' once 32 of F32, and once 8 of F32/],
    ['a module with its source', persistent(['module', 1, 'a.py', 'import os']), /holds a whole module with its source code/],
    ['a tensor of texts', call(name('torch._utils', '_rebuild_tensor_v2'), 'a', 'b', 'c', 'd'), /gives torch\._utils\._rebuild_tensor_v2 other arguments than PyTorch/],
    ['a tensor of negative strides', tensor(E, [V, D], { strides: [-D, 1] }), /other arguments than PyTorch/],
    ['a tensor of fewer strides', tensor(E, [V, D], { strides: [1] }), /other arguments than PyTorch/],
    ['a tensor of 100 dimensions', tensor(E, new Array<number>(100).fill(1)), /has a tensor of 100 dimensions; expected at most 64/],
    ['a tensor of bytes without a type', call(name('torch._utils', '_rebuild_tensor_v3'), storageId(E), 0, [1], [1], false, null), /without the type of its numbers/],
    ['a class within itself', call(name('torch._tensor', '_rebuild_from_type_v2'), name('torch._tensor', '_rebuild_from_type_v2'), null, [], null), /other arguments than PyTorch/],
    ['a parameter of nothing', call(name('torch._utils', '_rebuild_parameter')), /other arguments than PyTorch/],
  ])('%s is refused', async (_, code, message) => {
    expect(await ofCode(code)).toMatch(message);
  }); // prettier-ignore

  test.each<[string, Py]>([
    ['more rows than its storage', tensor(E, [V + 1, D])],
    ['an offset', tensor(E, [V, D], { offset: 1 })],
    ['a stride', tensor(E, [V, D], { strides: [D + 1, 1] })],
    ['2^53 elements', tensor(E, [2 ** 27, 2 ** 26])],
    ['a first element of 2^60', tensor(E, [0, D], { offset: 2 ** 52 })],
  ])('a tensor that ends after its storage, by %s, is refused by its name', async (_, view) => {
    expect(await ofCode(stateDict({ 'wte.weight': view }))).toMatch(/'wte\.weight' of shape \[.*ends after its storage of 32 elements; expected a part of it/); // prettier-ignore
  });
});

describe('memory is bounded', () => {
  const repeated = (count: number, ...code: readonly (number | Uint8Array | string)[]): Uint8Array =>
    raw(...Array.from({ length: count }, () => code).flat()).bytes;

  test.each<[string, Py, RegExp]>([
    ['values at once', raw(new Uint8Array(2 ** 20 + 2).fill(0x4e)), /has more than 1048576 values at once/],
    ['open lists', raw(new Uint8Array(2 ** 16 + 2).fill(0x28)), /has more than 65536 open lists/],
    ['objects', raw(']', new Uint8Array(12_000_002).map((_, i) => (i % 2 === 0 ? 0x5d : 0x61))), /has more than 6000000 objects/],
  ])('too many %s are refused', async (_, code, message) => {
    expect(await ofCode(code)).toMatch(message);
  }); // prettier-ignore

  test('a list that contains itself, and lists that contain each other ever more often', async () => {
    expect(await ofCode(raw(']', 'q', 0, 'h', 0, 'a'))).toMatch(/nested more than 32 deep/);
    const self = raw('}', 'q', 0, '(', 'X', uint(1, 4), 'a', 'h', 0, 'X', uint(1, 4), 'b', tensor(E, [V, D]).bytes, 'u');
    expect(await ofCode(self)).toMatch(/nested more than 32 deep/);
    // Each of 25 lists has the one before it twice: 2^25 tensors.
    const leaf = joined(tensor(E, [V, D]).bytes, raw('q', 0).bytes);
    const lists = Array.from({ length: 25 }, (_, i) => raw(']', '(', 'h', i, 'h', i, 'e', 'q', i + 1, 'a').bytes);
    expect(await ofCode(raw(']', leaf, 'a', ...lists))).toMatch(/it has more than \d+ (?:tensors|values); expected fewer/); // prettier-ignore
  }, 60_000); // prettier-ignore

  test('what many names share is looked at once', async () => {
    const wide = raw('}', 'q', 0, '(', 'K\u0001N'.repeat(100_000), 'u');
    expect(await ofCode(raw(']', '(', wide.bytes, 'h\0'.repeat(100_000), 'e'))).toMatch(/it has more than \d+ values; expected fewer/); // prettier-ignore
    const copied = call(name('collections', 'OrderedDict'), raw('}', '(', 'K\u0001N'.repeat(200_000), 'u'));
    expect(await ofCode(copied)).toMatch(/it holds no tensors/);
  });

  test('deep nesting is refused without deep calls', async () => {
    const count = 50_000;
    const deep = joined(repeated(count, ']'), tensor(E, [V, D]).bytes, repeated(count, 'a'));
    expect(await ofCode(raw(deep))).toMatch(/nested more than 32 deep/);
    const tuples = joined(tensor(E, [V, D]).bytes, repeated(count, 0x85));
    expect(await ofCode(raw(tuples))).toMatch(/nested more than 32 deep/);
  });

  test('a name that grows with its depth', async () => {
    const long = 'x'.repeat(900);
    expect(await ofCode(dict({ [long]: dict({ [long]: tensor(E, [V, D]) }) }))).toMatch(/is a name of 1801 characters; expected at most 1024/); // prettier-ignore
  });
});
