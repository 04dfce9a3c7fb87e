// @vitest-environment happy-dom
// When a figure counts as visible.
import type { LitElement } from 'lit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ScreenWatcher } from '../../../web/elements/shared/screen-watcher.js';
import { hostOfTests } from './host.js';

type Entry = Pick<IntersectionObserverEntry, 'isIntersecting' | 'intersectionRatio'>;

const observers: { tell: (entries: Entry[]) => void; options: IntersectionObserverInit | undefined }[] = [];

beforeEach(() => {
  observers.length = 0;
  class ObserverOfTests {
    constructor(tell: (entries: Entry[]) => void, options?: IntersectionObserverInit) {
      observers.push({ tell, options });
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', ObserverOfTests);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a figure that only touches the edge of the screen, as in a carousel, is not visible', () => {
  const host = hostOfTests();
  const seen: boolean[] = [];
  const watcher = new ScreenWatcher(
    host as unknown as LitElement,
    (visible) => seen.push(visible),
    () => undefined,
  );
  host.putBack();
  const { tell, options } = observers[0]!;
  tell([{ isIntersecting: true, intersectionRatio: 0 }]);
  expect(watcher.visible).toBe(false);
  // Without a second threshold the browser would not report when it moves in from there.
  expect([options?.threshold].flat().some((threshold) => Number(threshold) > 0)).toBe(true);
  tell([{ isIntersecting: true, intersectionRatio: 0.01 }]);
  tell([{ isIntersecting: true, intersectionRatio: 0 }]);
  expect(seen).toEqual([true, false]);
});
