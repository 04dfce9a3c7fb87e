// Reads and writes as much of the wasm binary format as the build needs, and runs Binaryen's programs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolchain } from '../setup/paths.mjs';

/** Section numbers. */
export const SECTION = { custom: 0, import: 2, element: 9, code: 10 };
const headerBytes = 8;

/** Reads LEB128 numbers: seven bits per byte. */
export class Reader {
  constructor(bytes, at = 0) {
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
  take(bytes) {
    this.at += bytes;
    return this.bytes.subarray(this.at - bytes, this.at);
  }
  text() {
    return Buffer.from(this.take(this.number())).toString();
  }
}

export function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

export const nameOf = (text) => {
  const bytes = new TextEncoder().encode(text);
  return [...leb(bytes.length), ...bytes];
};

/** [{ id, content }] of a module. */
export function sectionsOf(wasm) {
  const reader = new Reader(wasm, headerBytes);
  const sections = [];
  while (reader.at < wasm.length) sections.push({ id: reader.byte(), content: reader.take(reader.number()) });
  return sections;
}

/** The opposite: a module of these sections, with the header of `wasm`. */
export const withSections = (wasm, sections) =>
  Buffer.concat([
    wasm.subarray(0, headerBytes),
    ...sections.flatMap(({ id, content }) => [Uint8Array.from([id, ...leb(content.length)]), content]),
  ]);

export const customSection = (name, content) => ({
  id: SECTION.custom,
  content: Buffer.concat([Uint8Array.from(nameOf(name)), content]),
});

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
  let imported = 0;
  const bodies = [];
  for (const { id, content } of sectionsOf(wasm)) {
    const reader = new Reader(content);
    if (id === SECTION.import) imported = importedFunctions(reader);
    if (id === SECTION.code) {
      for (let left = reader.number(); left > 0; left--) bodies.push(reader.take(reader.number()));
    }
  }
  return { imported, bodies };
}

/** The name section, with a name for each function of a module by index. */
export function functionNames(names) {
  const list = [...leb(names.length), ...names.flatMap((name, index) => [...leb(index), ...nameOf(name)])];
  return customSection('name', Uint8Array.from([1, ...leb(list.length), ...list]));
}

/** Names of functions by index, as the linker left them. */
export function namesOf(wasm) {
  const names = new Map();
  for (const { id, content } of sectionsOf(wasm)) {
    if (id !== SECTION.custom) continue;
    const reader = new Reader(content);
    if (reader.text() !== 'name') continue;
    while (reader.at < content.length) {
      const [kind, end] = [reader.byte(), reader.number() + reader.at];
      if (kind === 1) for (let left = reader.number(); left > 0; left--) names.set(reader.number(), reader.text());
      reader.at = end;
    }
  }
  return names;
}

/** Features of our modules; Binaryen refuses any other. */
const features = ['simd', 'relaxed-simd', 'bulk-memory', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals'];

/** Runs a program of Binaryen, which writes errors to the console. */
export function binaryen(program, options) {
  const config = join(toolchain().emscriptenRoot, 'em-config');
  const folder = execFileSync(config, ['BINARYEN_ROOT'], { encoding: 'utf8' }).trim();
  execFileSync(join(folder, 'bin', program), [...features.map((feature) => `--enable-${feature}`), ...options]);
}

/** Calls `use(path)`, where `path(name)` is the path of a file in a temporary folder that is removed afterwards. */
export function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'tied-wasm-'));
  try {
    return use((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
