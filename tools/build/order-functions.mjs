// Orders a module's functions so that similar ones are neighbors. gzip, which looks back 32 KB, then finds more
// repetitions: about 2% less to download, with no other change. The linker keeps the order of the sources.
import { readFileSync, writeFileSync } from 'node:fs';
import { SECTION, binaryen, functionNames, functionsOf, inFolder, sectionsOf, withSections } from './wasm-binary.mjs';

/** Length in bytes of the sequences that functions are compared by, and how many earlier bytes count. */
const wordBytes = 5;
const windowBytes = 28_000;
/** Most bytes of a short function are unique; this keeps one shared sequence from ranking it first. */
const shortFunction = 30;

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

/** Names that sort the functions into this order. */
function sortingNames(order, imported, nameOf) {
  const digits = 6;
  const names = Array.from({ length: imported }, (_, index) => `import${index}`);
  for (const [place, index] of order.entries()) {
    names[imported + index] = `${String(place).padStart(digits, '0')}${nameOf ? ` ${nameOf(imported + index)}` : ''}`;
  }
  return names;
}

/** The same module with its functions reordered. `nameOf`: for profiles, of a function by its index; without it, none has a name. */
export function withOrderedFunctions(wasm, nameOf = null) {
  const { imported, bodies } = functionsOf(wasm);
  return inFolder((path) => {
    const named = [...sectionsOf(wasm).filter(({ id }) => id !== SECTION.custom), functionNames(sortingNames(orderOf(bodies), imported, nameOf))];
    writeFileSync(path('named.wasm'), withSections(wasm, named));
    // Flattening and rebuilding control flow makes the download 0.5% smaller, doing it again another 0.2%, at the same speed
    // (docs/kernels.md). -Oz runs again because reading and writing a module undoes some optimizations.
    const smaller = ['--flatten', '--rereloop', '-Oz', '-Oz'];
    const inlined = '--always-inline-max-function-size=5';
    const passes = [inlined, ...smaller, ...smaller, '--reorder-functions-by-name', ...(nameOf ? ['-g'] : ['--strip-debug']), '--strip-producers'];
    binaryen('wasm-opt', [path('named.wasm'), ...passes, '-o', path('ordered.wasm')]);
    return readFileSync(path('ordered.wasm'));
  });
}
