/** Values of every wrong kind. */
import type { Draw } from '../draw.js';
import { hostileNumber } from './numbers.js';
import { answering, markSpoiled, REVOKED, write, type Tricks } from './tricks.js';

export const HOSTILE_STRINGS = [
  '',
  ' ',
  'constructor',
  '__proto__',
  'toString',
  '0',
  'tied ',
  'Tied',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\u{feff}',
  '👩‍👩‍👧',
  '\u202e',
  "';",
  '$&$1\\',
] as const;

export function hostileString(draw: Draw): string {
  return draw.odds(0.05) ? draw.of(['x', '猫', '\ud800']).repeat(100_000) : draw.of(HOSTILE_STRINGS);
}

function cyclic(): object {
  const made: Record<string, unknown> = { list: [] };
  made.self = made;
  (made.list as unknown[]).push(made);
  return write(
    made,
    () => '(() => { const made = { list: [] }; made.self = made; made.list.push(made); return made; })()',
  );
}

function sparse(draw: Draw): unknown[] {
  const made: unknown[] = [];
  made[draw.whole(1, 5)] = 1;
  return made;
}

/** Converts to a valid number, a valid string or an error. */
function convertible(draw: Draw, tricks: Tricks): object {
  const toPrimitive = (): unknown => (draw.odds(0.3) ? tricks.throw() : draw.of<unknown>([1, 'tied', 2n]));
  return { [Symbol.toPrimitive]: answering(tricks, toPrimitive) };
}

export function trap(draw: Draw, target: object, tricks: Tricks): object {
  const before = answering(tricks, () => {
    if (draw.odds(0.1)) tricks.throw();
    if (draw.odds(0.1)) tricks.reenter();
  });
  const misbehave = (otherwise: () => unknown): unknown => {
    before();
    return otherwise();
  };
  const proxy = new Proxy(target, {
    get: (on, name, receiver) => misbehave(() => Reflect.get(on, name, receiver) as unknown),
    has: (on, name) => misbehave(() => Reflect.has(on, name)) as boolean,
    ownKeys: (on) => misbehave(() => Reflect.ownKeys(on)) as (string | symbol)[],
    getPrototypeOf: (on) => misbehave(() => Reflect.getPrototypeOf(on)) as object | null,
    getOwnPropertyDescriptor: (on, name) =>
      misbehave(() => Reflect.getOwnPropertyDescriptor(on, name)) as PropertyDescriptor | undefined,
  });
  const traps = "['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor']";
  const trapping = `(on, before) => new Proxy(on, Object.fromEntries(${traps}.map((trap) => [trap, (...all) => (before(), Reflect[trap](...all))])))`;
  write(proxy, (of) => `(${trapping})(${of(target)}, ${of(before)})`);
  return markSpoiled(proxy);
}

export function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  write(proxy, (of) => REVOKED(of(target)));
  return markSpoiled(proxy);
}

export function hostileValue(draw: Draw, name: string, tricks: Tricks): unknown {
  const kinds: (() => unknown)[] = [
    () => null,
    () => undefined,
    () => draw.odds(0.5),
    () => hostileNumber(draw, name),
    () => hostileNumber(draw, name),
    () => hostileString(draw),
    () => draw.of([0n, 1n, -1n, 2n ** 64n, 1n << 100_000n]),
    () => Symbol(draw.of(['', 'x', 'x'.repeat(10_000)])),
    () => Symbol.iterator,
    () => Object(draw.of<unknown>([1, 'tied', true, 3n, Symbol()])) as object,
    () => [],
    () => draw.list(draw.whole(1, 20), () => hostileNumber(draw, name)),
    () => sparse(draw),
    () => ({}),
    () => Object.create(null) as object,
    () => ({ [draw.of(HOSTILE_STRINGS)]: 1 }),
    () => () => undefined,
    () => new Date(draw.of([0, NaN])),
    () => draw.of<() => object>([() => new Map([['rows', 1]]), () => new Set([1]), () => new WeakMap()])(),
    () => Promise.resolve({}),
    () => /x/,
    () => new URL('https://example.org/'),
    () => new Error('x'),
    () => cyclic(),
    () => convertible(draw, tricks),
    () => trap(draw, {}, tricks),
    () => revoked(draw.of<() => object>([() => ({}), () => [], () => () => undefined])()),
    () => ({ constructor: draw.of([null, 5, { name: 5 }, { name: Symbol('x') }]) }),
    () => Object.create({ constructor: { name: 'x'.repeat(10_000) } }) as object,
    () => new Uint8Array(draw.whole(0, 40)).fill(draw.whole(0, 255)),
    () => new Uint32Array(draw.whole(0, 9)).fill(draw.of([0, 1, 2 ** 32 - 1])),
    () => new Float32Array(draw.whole(0, 9)).fill(draw.of([0, NaN, 1])),
    () => new Float64Array(2),
    () => new BigUint64Array(2),
    () => new ArrayBuffer(8),
    () => new DataView(new ArrayBuffer(8)),
    () => ({ rows: hostileNumber(draw, 'rows'), cols: hostileNumber(draw, 'cols'), data: new Float32Array(4) }),
    () => ({ rows: 2, cols: 2, data: new Float32Array(4) }),
    () => globalThis,
    () => new AbortController().signal,
    () => ({ save: () => draw.of<unknown>([1, new Uint8Array(3), tricks]), vocabSize: draw.whole(0, 9) }),
    () => ({ aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined }),
  ];
  return draw.of(kinds)();
}
