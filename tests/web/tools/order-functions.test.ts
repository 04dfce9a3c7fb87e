import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { orderOf } from '../../../tools/build/order-functions.mjs';
import { functionsOf } from '../../../tools/build/wasm-binary.mjs';
import { root } from '../../../tools/lib/root.mjs';

const wasm = readFileSync(join(root, 'web/wasm/analysis.wasm'));
const gzip = (bodies: readonly Uint8Array[]): number => gzipSync(Buffer.concat(bodies), { level: 9 }).length;

/** Shuffled, always in the same way. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item, at) => ({ item, key: (at * 7919) % 1009 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('the order of functions in a module', () => {
  test('contains each function once, and compresses better than another order', () => {
    const { imported, bodies } = functionsOf(wasm);
    const module = new WebAssembly.Module(wasm);
    expect(imported).toBe(WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'function').length);
    expect(bodies.length).toBeGreaterThan(100);
    const mixed = shuffled(bodies);
    const order = orderOf(mixed);
    expect([...order].sort((a, b) => a - b)).toEqual([...mixed.keys()]);
    expect(order[0]).toBe(0);
    expect(gzip(order.map((index: number) => mixed[index]!))).toBeLessThan(gzip(mixed));
  });

  test('puts similar functions next to each other', () => {
    const bytes = (from: number): Uint8Array => Uint8Array.from({ length: 60 }, (_, at) => (from + at * at) & 0xff);
    const [one, other] = [bytes(1), bytes(100)];
    expect(orderOf([one, other, one, other])).toEqual([0, 2, 1, 3]);
    expect(orderOf([])).toEqual([]);
  });
});
