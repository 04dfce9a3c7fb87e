// Splits a linked module in two: functions that few pages call move to a part, which is instantiated into the running
// module when they are first needed. Both share one memory and one function table; the part imports what it calls.
// See docs/decisions/0064-a-core-in-two-files.md.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { SECTION, Reader, binaryen, customSection, functionNames, functionsOf, inFolder } from './wasm-binary.mjs';
import { leb, namesOf, sectionsOf, withSections } from './wasm-binary.mjs';

/** A function that does nothing but trap: no locals, unreachable, end. */
const nothing = Uint8Array.from([0, 0x00, 0x0b]);
const i32Const = 0x41;
const end = 0x0b;
const refNull = 0xd0;

/** Names without characters that have a special meaning in Binaryen's lists of names. */
const plain = (index) => `f${index}`;

/** The index in the whole module of a function of one of its two parts that has this name. */
export const indexInWhole = (name) => Number(name.slice(1));

const named = (wasm, count) =>
  withSections(wasm, [
    ...sectionsOf(wasm).filter(({ id }) => id !== SECTION.custom),
    functionNames(Array.from({ length: count }, (_, index) => plain(index))),
  ]);

function withBodies(wasm, bodies) {
  const parts = bodies.flatMap((body) => [Uint8Array.from(leb(body.length)), body]);
  const content = Buffer.concat([Uint8Array.from(leb(bodies.length)), ...parts]);
  return withSections(
    wasm,
    sectionsOf(wasm).map((section) => (section.id === SECTION.code ? { id: SECTION.code, content } : section)),
  );
}

/** LEB128 of a signed number >= 0, whose last byte must not look negative. */
function signedLeb(value) {
  const bytes = leb(value);
  if ((bytes.at(-1) & 0x40) === 0) return bytes;
  bytes[bytes.length - 1] |= 0x80;
  return [...bytes, 0];
}

/**
 * The module without the empty entries that wasm-split leaves in the table, which only browsers with reference types accept.
 * Every run of functions becomes a segment of its own, in the form that all browsers with SIMD support.
 */
function withoutEmptyEntries(wasm) {
  const rewritten = ({ id, content }) => {
    if (id !== SECTION.element) return { id, content };
    const reader = new Reader(content);
    const segments = [];
    for (let left = reader.number(); left > 0; left--) {
      const form = reader.number();
      if ((form !== 0 && form !== 4) || reader.byte() !== i32Const) throw new Error('an unexpected table of functions');
      let place = reader.number();
      reader.skip(1);
      let segment = null;
      for (let entries = reader.number(); entries > 0; entries--, place++) {
        const isEmpty = form === 4 && reader.byte() === refNull;
        const entry = reader.number();
        if (form === 4) reader.skip(1);
        if (isEmpty) segment = null;
        else {
          if (!segment) segments.push((segment = { place, functions: [] }));
          segment.functions.push(entry);
        }
      }
    }
    const bytes = segments.flatMap(({ place, functions }) => [
      ...[0, i32Const, ...signedLeb(place), end],
      ...[...leb(functions.length), ...functions.flatMap(leb)],
    ]);
    return { id, content: Uint8Array.from([...leb(segments.length), ...bytes]) };
  };
  return withSections(wasm, sectionsOf(wasm).map(rewritten));
}

/**
 * { kept, part }: `part` has the functions whose names begin with one of `prefixes`, and everything that only those need.
 * What is kept may call them only through the table. `keepsNames`: functions have names by which `indexInWhole` finds them.
 */
export function splitModule(wasm, prefixes, keepsNames = false) {
  const { imported, bodies } = functionsOf(wasm);
  const names = namesOf(wasm);
  const begins = (index, prefix) => names.get(imported + index)?.startsWith(prefix) === true;
  for (const prefix of prefixes) {
    if (!bodies.some((_, index) => begins(index, prefix))) throw new Error(`no function of the module is ${prefix}…`);
  }
  const isFirst = (_, index) => prefixes.some((prefix) => begins(index, prefix));
  const count = imported + bodies.length;
  return inFolder((path) => {
    // Whatever remains once these functions do nothing is needed by others.
    const stubbed = bodies.map((body, index) => (isFirst(body, index) ? nothing : body));
    writeFileSync(path('stubbed.wasm'), named(withBodies(wasm, stubbed), count));
    const unused = ['-g', path('stubbed.wasm'), '--remove-unused-module-elements', '-o', path('needed.wasm')];
    binaryen('wasm-opt', unused);
    const needed = new Set(namesOf(readFileSync(path('needed.wasm'))).values());
    const moves = (body, index) => isFirst(body, index) || !needed.has(plain(imported + index));
    const moved = [...bodies.keys()].filter((index) => moves(bodies[index], index)).map((index) => plain(imported + index));
    writeFileSync(path('moved'), `${moved.join('\n')}\n`);
    writeFileSync(path('whole.wasm'), named(wasm, count));
    const outputs = ['-o1', path('kept.wasm'), '-o2', path('part.wasm')];
    binaryen('wasm-split', [path('whole.wasm'), ...(keepsNames ? ['-g'] : []), `--split-funcs=@${path('moved')}`, '--no-placeholders', ...outputs]);
    const [kept, part] = ['kept.wasm', 'part.wasm'].map((file) => withoutEmptyEntries(readFileSync(path(file))));
    return { kept, part };
  });
}

/** Both with a mark by which web/core checks that they belong together: the part calls the other's functions by position. */
export function markedAsOne(kept, part) {
  const mark = createHash('sha256').update(kept).update(part).digest().subarray(0, 6);
  return [kept, part].map((wasm) => withSections(wasm, [...sectionsOf(wasm), customSection('build', mark)]));
}
