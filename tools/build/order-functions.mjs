// Orders a module's functions so that similar ones are neighbours. gzip, which looks back 32 KB, then finds more
// repetitions: about 2% less to download, with no other change. The linker keeps the order of the sources.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolchain } from '../setup/paths.mjs';

/** Features of our modules; wasm-opt refuses any other. */
const features = ['simd', 'relaxed-simd', 'bulk-memory', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals'];

/** Length in bytes of the sequences that functions are compared by, and how many earlier bytes count. */
const wordBytes = 5;
const windowBytes = 28_000;
/** Most bytes of a short function are unique; this keeps one shared sequence from ranking it first. */
const shortFunction = 30;

/** Reads LEB128 numbers: seven bits per byte. */
class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  number() {
    let value = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      more = byte >= 0x80;
    }
    return value;
  }
  skip(bytes) {
    this.at += bytes;
  }
}

function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function importedFunctions(reader) {
  let functions = 0;
  const limits = () => {
    const hasMost = (reader.byte() & 1) === 1;
    reader.number();
    if (hasMost) reader.number();
  };
  for (let left = reader.number(); left > 0; left--) {
    for (let name = 0; name < 2; name++) reader.skip(reader.number());
    const kind = reader.byte();
    if (kind === 0) {
      reader.number();
      functions++;
    } else if (kind === 1) {
      reader.skip(1);
      limits();
    } else if (kind === 2) limits();
    else reader.skip(2);
  }
  return functions;
}

/** { imported, bodies } of a module: the number of imported functions, and the code of its own. */
export function functionsOf(wasm) {
  const reader = new Reader(wasm, 8);
  let imported = 0;
  const bodies = [];
  while (reader.at < wasm.length) {
    const section = reader.byte();
    const bytes = reader.number();
    const end = reader.at + bytes;
    if (section === 2) imported = importedFunctions(reader);
    if (section === 10) {
      for (let left = reader.number(); left > 0; left--) {
        const length = reader.number();
        bodies.push(wasm.subarray(reader.at, reader.at + length));
        reader.skip(length);
      }
    }
    reader.at = end;
  }
  return { imported, bodies };
}

/** Every sequence of a few bytes in the code, once each, as a number. */
function wordsOf(body) {
  const words = new Set();
  for (let at = 0; at + wordBytes <= body.length; at++) {
    let word = 0;
    for (let place = 0; place < wordBytes; place++) word = (Math.imul(word, 31) + body[at + place]) | 0;
    words.add(word);
  }
  return [...words];
}

/** An order in which each body shares much with those shortly before it; the first stays first. */
export function orderOf(bodies) {
  const words = bodies.map(wordsOf);
  /** The bodies that have a word. */
  const having = new Map();
  for (const [index, ofBody] of words.entries()) {
    for (const word of ofBody) {
      const others = having.get(word);
      if (others) others.push(index);
      else having.set(word, [index]);
    }
  }
  /** How many words of each body are in a recent one. */
  const common = new Uint32Array(bodies.length);
  const left = new Set(bodies.keys());
  const order = [];
  /** How many of the recent bodies have a word. */
  const known = new Map();
  const recent = [];
  let recentBytes = 0;
  const forget = (index) => {
    recentBytes -= bodies[index].length;
    for (const word of words[index]) {
      const count = known.get(word) - 1;
      known.set(word, count);
      if (count === 0) for (const other of having.get(word)) common[other]--;
    }
  };
  const take = (index) => {
    order.push(index);
    left.delete(index);
    recent.push(index);
    recentBytes += bodies[index].length;
    for (const word of words[index]) {
      const count = known.get(word) ?? 0;
      known.set(word, count + 1);
      if (count === 0) for (const other of having.get(word)) common[other]++;
    }
    while (recentBytes > windowBytes && recent.length > 1) forget(recent.shift());
  };
  const likeness = (index) => common[index] / (words[index].length + shortFunction);
  if (bodies.length > 0) take(0);
  while (left.size > 0) {
    let best = -1;
    let most = -1;
    for (const index of left) {
      const alike = likeness(index);
      if (alike > most) [best, most] = [index, alike];
    }
    take(best);
  }
  return order;
}

/** A section of names that sort the functions into this order. */
function nameSection(order, imported) {
  const names = [];
  const digits = 6;
  const encoder = new TextEncoder();
  const nameOf = (text) => [...leb(text.length), ...encoder.encode(text)];
  const places = new Map(order.map((index, place) => [index, place]));
  for (let index = 0; index < imported; index++) names.push(...leb(index), ...nameOf(`import${index}`));
  for (let index = 0; index < order.length; index++) {
    names.push(...leb(imported + index), ...nameOf(String(places.get(index)).padStart(digits, '0')));
  }
  const table = [...leb(imported + order.length), ...names];
  const content = [...nameOf('name'), 1, ...leb(table.length), ...table];
  return [0, ...leb(content.length), ...content];
}

function binaryen() {
  const config = join(toolchain().emscriptenRoot, 'em-config');
  return execFileSync(config, ['BINARYEN_ROOT'], { encoding: 'utf8' }).trim();
}

/** The same module with its functions reordered. */
export function withOrderedFunctions(wasm) {
  const { imported, bodies } = functionsOf(wasm);
  const folder = mkdtempSync(join(tmpdir(), 'tied-order-'));
  try {
    const [named, ordered] = [join(folder, 'named.wasm'), join(folder, 'ordered.wasm')];
    writeFileSync(named, Buffer.concat([wasm, Uint8Array.from(nameSection(orderOf(bodies), imported))]));
    // Flattening and rebuilding control flow makes the download 0.5% smaller, at the same speed (docs/kernels.md). -Oz
    // runs again because reading and writing a module undoes some optimisations.
    const smaller = ['--flatten', '--rereloop', '-Oz', '-Oz'];
    const passes = [...smaller, '--reorder-functions-by-name', '--strip-debug', '--strip-producers'];
    const enabled = features.map((feature) => `--enable-${feature}`);
    execFileSync(join(binaryen(), 'bin/wasm-opt'), [...enabled, named, ...passes, '-o', ordered]);
    return readFileSync(ordered);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
