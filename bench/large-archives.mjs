// Models of very many tensors as torch.save, numpy.savez and ONNX write them, for large-directories.mjs. All numbers are zero.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes to which parts are added. */
class Parts {
  #bytes = Buffer.alloc(256);
  length = 0;

  get bytes() {
    return this.#bytes.subarray(0, this.length);
  }

  #room(length) {
    while (this.length + length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * this.#bytes.length);
    this.length += length;
    return this.length - length;
  }

  text(text) {
    const at = this.#room(text.length);
    this.#bytes.write(text, at, 'latin1');
    return this;
  }

  add(bytes) {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** Little-endian, in 1, 2, 4 or 8 bytes. */
  whole(value, bytes) {
    const at = this.#room(bytes);
    if (bytes === 8) this.#bytes.writeBigUInt64LE(BigInt(value), at);
    else this.#bytes.writeUIntLE(value, at, bytes);
    return this;
  }

  /** As protocol buffers write numbers: seven bits in each byte. */
  variable(value) {
    for (; value > 127; value = Math.floor(value / 128)) this.whole((value % 128) + 128, 1);
    return this.whole(value, 1);
  }
}

const elementsOf = (shape) => shape.reduce((product, size) => product * size, 1);

// ---------------------------------------------------------------- ZIP

/** Entries that are stored, each with its contents and then zeros up to its size; those of which there are none take no space on the disk. */
class Zip {
  #file;
  #at = 0;
  #count = 0;
  #directory = new Parts();

  constructor(file) {
    this.#file = openSync(file, 'w');
  }

  add(name, contents, size = contents.length) {
    const common = (of) => of.whole(0, 8).whole(0, 4).whole(size, 4).whole(size, 4).whole(name.length, 2);
    const local = common(new Parts().whole(0x0403_4b50, 4).whole(20, 2)).whole(0, 2).text(name).add(contents);
    const isFar = this.#at >= 0xffff_ffff;
    const entry = common(this.#directory.whole(0x0201_4b50, 4).whole(20, 2).whole(20, 2));
    entry.whole(isFar ? 12 : 0, 2).whole(0, 8).whole(0, 2).whole(isFar ? 0xffff_ffff : this.#at, 4).text(name); // prettier-ignore
    if (isFar) entry.whole(1, 2).whole(8, 2).whole(this.#at, 8);
    writeSync(this.#file, local.bytes, 0, local.length, this.#at);
    this.#at += local.length + size - contents.length;
    this.#count++;
  }

  /** In the 64-bit form, as there may be more than 65,535. */
  close() {
    const [at, count, bytes] = [this.#at, this.#count, this.#directory.length];
    const end = this.#directory.whole(0x0606_4b50, 4).whole(44, 8).whole(45, 2).whole(45, 2).whole(0, 8);
    end.whole(count, 8).whole(count, 8).whole(bytes, 8).whole(at, 8);
    end
      .whole(0x0706_4b50, 4)
      .whole(0, 4)
      .whole(at + bytes, 8)
      .whole(1, 4);
    end.whole(0x0605_4b50, 4).whole(0, 4).whole(0xffff, 2).whole(0xffff, 2).whole(0xffff_ffff, 4).whole(0xffff_ffff, 4).whole(0, 2); // prettier-ignore
    writeSync(this.#file, end.bytes, 0, end.length, at);
    closeSync(this.#file);
  }
}

export function npz(file, tensors) {
  const zip = new Zip(file);
  for (const [name, shape] of tensors) {
    const text = `{'descr': '<f2', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
    const header = new Parts()
      .add([0x93])
      .text('NUMPY')
      .add([1, 0])
      .whole(118, 2)
      .text(`${text.padEnd(117)}\n`);
    zip.add(`${name}.npy`, header.bytes, header.length + 2 * elementsOf(shape));
  }
  zip.close();
}

// ---------------------------------------------------------------- PyTorch

/** In protocol 2: whatever can be recalled is numbered, and texts that Python interns are recalled. */
class Pickle {
  parts = new Parts().add([0x80, 2]);
  #numbers = new Map();
  #next = 0;

  op(code) {
    this.parts.text(code);
    return this;
  }

  #numbered(code, number) {
    if (number < 256) this.parts.text(code[0]).whole(number, 1);
    else this.parts.text(code[1]).whole(number, 4);
    return this;
  }

  put() {
    return this.#numbered('qr', this.#next++);
  }

  /** Written the first time only. */
  #once(key, write) {
    const known = this.#numbers.get(key);
    if (known !== undefined) return this.#numbered('hj', known);
    this.#numbers.set(key, this.#next);
    write();
    return this.put();
  }

  text(text) {
    this.parts.text('X').whole(text.length, 4).text(text);
    return this;
  }

  interned(text) {
    return this.#once(text, () => this.text(text));
  }

  name(module, name) {
    return this.#once(`${module} ${name}`, () => this.parts.text(`c${module}\n${name}\n`));
  }

  whole(value) {
    if (value < 256) this.parts.text('K').whole(value, 1);
    else if (value < 65_536) this.parts.text('M').whole(value, 2);
    else this.parts.text('J').whole(value, 4);
    return this;
  }

  wholes(values) {
    if (values.length > 2) this.op('(');
    for (const value of values) this.whole(value);
    return this.op(['', '\x85', '\x86'][values.length] ?? 't').put();
  }

  dict() {
    return this.name('collections', 'OrderedDict').op(')R').put();
  }
}

const strided = (shape) => shape.map((_, at) => elementsOf(shape.slice(at + 1)));

export function pytorch(file, tensors) {
  const zip = new Zip(file);
  const pickle = new Pickle().dict().op('(');
  const sizes = [];
  for (const [name, shape] of tensors) {
    const elements = elementsOf(shape);
    pickle.text(name).put().name('torch._utils', '_rebuild_tensor_v2').op('((').interned('storage').name('torch', 'BFloat16Storage'); // prettier-ignore
    pickle.text(String(sizes.length)).put().interned('cpu').whole(elements).op('t').put().op('Q').whole(0);
    pickle.wholes(shape).wholes(strided(shape)).op('\x89').dict().op('t').put().op('R').put();
    sizes.push(2 * elements);
  }
  zip.add('model/data.pkl', pickle.op('u.').parts.bytes);
  zip.add('model/byteorder', Buffer.from('little'));
  for (const [key, size] of sizes.entries()) zip.add(`model/data/${key}`, [], size);
  zip.add('model/version', Buffer.from('3\n'));
  zip.close();
}

// ---------------------------------------------------------------- ONNX

const field = (of, number, bytes) =>
  of
    .variable(8 * number + 2)
    .variable(bytes.length)
    .add(bytes);
const ofTexts = (pairs) => {
  const made = new Parts();
  for (const [number, text] of pairs) field(made, number, Buffer.from(text));
  return made;
};

/** With the numbers in a file beside it, as models beyond 2 GB have them. A product for every matrix. */
export function onnx(file, tensors) {
  const [data, type] = ['onnx.data', 10];
  const graph = new Parts();
  const node = (op, inputs, output) =>
    field(graph, 1, ofTexts([...inputs.map((name) => [1, name]), [2, output], [4, op]]).bytes);
  let [at, state] = [0, 0];
  for (const [name, shape] of tensors) {
    const bytes = 2 * elementsOf(shape);
    const tensor = new Parts();
    for (const size of shape) tensor.variable(8).variable(size);
    tensor.variable(16).variable(type);
    field(tensor, 8, Buffer.from(name));
    for (const pair of [
      ['location', data],
      ['offset', String(at)],
      ['length', String(bytes)],
    ])
      field(tensor, 13, ofTexts([[1, pair[0]], [2, pair[1]]]).bytes); // prettier-ignore
    field(graph, 5, tensor.variable(8 * 14).variable(1).bytes);
    at += bytes;
    if (name === 'lm_head.weight') continue;
    if (state === 0) node('Gather', [name, 'input_ids'], 'h0');
    else node(shape.length === 2 ? 'MatMul' : 'Mul', [`h${state - 1}`, name], `h${state}`);
    state++;
  }
  node('Transpose', ['lm_head.weight'], 'turned');
  node('MatMul', [`h${state - 1}`, 'turned'], 'logits');
  field(graph, 11, ofTexts([[1, 'input_ids']]).bytes);
  field(graph, 12, ofTexts([[1, 'logits']]).bytes);
  const to = openSync(file, 'w');
  const head = new Parts().variable(8).variable(8).variable(58).variable(graph.length);
  writeSync(to, head.bytes);
  writeSync(to, graph.bytes);
  closeSync(to);
  const beside = openSync(join(file, '..', data), 'w');
  ftruncateSync(beside, at);
  closeSync(beside);
  return [data];
}
