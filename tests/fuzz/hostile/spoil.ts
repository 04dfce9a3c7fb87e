/** Turns valid arguments into invalid ones, anywhere in their tree. */
import type { Draw } from '../draw.js';
import { hostileArray, isTypedArray } from './arrays.js';
import { HOSTILE_STRINGS, hostileString, hostileValue, revoked, trap } from './values.js';
import { answering, isSpoiled, markSpoiled, type Tricks } from './tricks.js';

/** The location of a value: its container, its key, and its name in the API. */
interface Place {
  holder: Record<string | number, unknown>;
  key: string | number;
  name: string;
}

/** A plain object or an array that has not been spoiled. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || isSpoiled(value)) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** Does not look into proxies and objects with getters: reading them has effects. */
function placesIn(holder: Place['holder'], names: (key: string) => string, seen: Set<object>, found: Place[]): void {
  if (seen.has(holder)) return;
  seen.add(holder);
  for (const key of Object.keys(holder)) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key);
    if (!descriptor || !('value' in descriptor)) continue;
    const name = names(key);
    found.push({ holder, key, name });
    const { value } = descriptor as { value: unknown };
    if (isPlain(value)) placesIn(value, (inner) => (Array.isArray(value) ? name : inner), seen, found);
  }
}

/** A property that changes with each read, throws, or makes calls while it is read. */
function getter(draw: Draw, { holder, key, name }: Place, tricks: Tricks): void {
  const right = holder[key];
  const kind = draw.of(['changes', 'changes', 'throws', 'reenters', 'turns']);
  let reads = 0;
  const turnsAt = draw.whole(1, 3);
  const get = answering(tricks, () => {
    if (kind === 'throws') return tricks.throw();
    if (kind === 'reenters') tricks.reenter();
    if (kind === 'changes' && draw.odds(0.5)) return hostileValue(draw, name, tricks);
    return kind === 'turns' && reads++ >= turnsAt ? hostileValue(draw, name, tricks) : right;
  });
  Object.defineProperty(holder, key, { get, enumerable: draw.odds(0.9), configurable: true });
}

function listener(draw: Draw, tricks: Tricks): () => unknown {
  const controller = new AbortController();
  return answering(
    tricks,
    draw.of([
      () => tricks.throw(),
      () => tricks.reenter(),
      () => controller.abort(),
      () => (draw.odds(0.3) ? tricks.throw() : tricks.reenter()),
    ]),
  );
}

function hostileSignal(draw: Draw, signal: AbortSignal, tricks: Tricks): unknown {
  const property = draw.of(['aborted', 'reason', 'addEventListener', 'removeEventListener']);
  return draw.of([
    () => AbortSignal.abort(draw.of<unknown>([undefined, null, 'x'.repeat(100_000), Symbol('x')])),
    () => new Proxy(signal, {}),
    () => revoked(signal),
    () => Object.create(AbortSignal.prototype) as object,
    () => Object.defineProperty(signal, property, { get: () => tricks.throw() }),
  ])();
}

/** A replacement of the wrong kind, or one that is almost valid. */
function replacement(draw: Draw, name: string, value: unknown, tricks: Tricks): unknown {
  if (draw.odds(0.35) || isSpoiled(value)) return hostileValue(draw, name, tricks);
  if (isTypedArray(value)) return hostileArray(draw, value, tricks);
  if (value instanceof AbortSignal) return hostileSignal(draw, value, tricks);
  if (typeof value === 'function') return listener(draw, tricks);
  if (typeof value === 'string') return draw.odds(0.5) ? hostileString(draw) : value + draw.of(HOSTILE_STRINGS);
  if (typeof value === 'object' && value !== null && draw.odds(0.5)) {
    return draw.of([() => trap(draw, value, tricks), () => revoked(value), () => Object.create(value) as object])();
  }
  return hostileValue(draw, name, tricks);
}

function extra(draw: Draw, holder: Place['holder'], tricks: Tricks): void {
  const key = draw.odds(0.1) ? 'x'.repeat(10_000) : draw.of([...HOSTILE_STRINGS, 'rows', 'tokenIds', 'seedd', 'kind']);
  const value = draw.odds(0.5) ? undefined : markSpoiled(hostileValue(draw, key, tricks));
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  if (draw.odds(0.2)) Object.defineProperty(holder, Symbol('extra'), { value, enumerable: true });
}

/** Spoils one value in `args`. */
export function spoil(draw: Draw, args: unknown[], names: readonly string[], tricks: Tricks): void {
  const places: Place[] = [];
  const root = args as unknown as Place['holder'];
  placesIn(root, (key) => names[Number(key)] ?? 'extra', new Set(), places);
  if (places.length === 0 || draw.odds(0.03)) {
    args.splice(
      draw.whole(0, args.length),
      draw.whole(0, 1),
      markSpoiled(hostileValue(draw, names[0] ?? 'extra', tricks)),
    );
    return;
  }
  const place = draw.of(places);
  const { holder, key, name } = place;
  const isArgument = holder === root;
  const value = holder[key];
  if (!isArgument && draw.odds(0.2)) getter(draw, place, tricks);
  else if (!isArgument && !Array.isArray(holder) && draw.odds(0.07)) delete holder[key];
  else if (isPlain(value) && !Array.isArray(value) && draw.odds(0.2)) extra(draw, value, tricks);
  else if (isPlain(value) && draw.odds(0.03)) value.self = draw.of([value, args]);
  else holder[key] = markSpoiled(replacement(draw, name, value, tricks));
}
