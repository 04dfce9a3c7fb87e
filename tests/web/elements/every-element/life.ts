// What every figure must survive, with a real core: being removed, moved and put back, and losing its worker.
import { transferableAbortController } from 'node:util';
import type { LitElement } from 'lit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TiedError } from '../../../../web/core/runtime/errors.js';
import type { Lab } from '../../../../web/core/types.js';
import { setLabOpener } from '../../../../web/elements/shared/page-labs.js';
import { createLab } from '../../../../web/worker/lab.js';
import { settled } from '../host.js';

vi.setConfig({ testTimeout: 240_000 });
export const waiting = { timeout: 120_000 };

/** What an element may leave behind: observers, and listeners beyond itself. */
const live = new Map<object, string>();

function observerClass(kind: string) {
  return class {
    constructor(private readonly told: (entries: unknown[]) => void) {}
    observe(target: Element): void {
      live.set(this, kind);
      if (kind === 'IntersectionObserver') {
        setTimeout(() => {
          if (live.has(this)) this.told([{ isIntersecting: true, target }]);
        });
      }
    }
    unobserve(): void {}
    disconnect(): void {
      live.delete(this);
    }
  };
}

function countListeners(target: EventTarget, name: string): void {
  const keys = new Map<unknown, object>();
  const add = target.addEventListener.bind(target);
  const remove = target.removeEventListener.bind(target);
  vi.spyOn(target, 'addEventListener').mockImplementation((type, listener, options) => {
    const key = keys.get(listener) ?? {};
    keys.set(listener, key);
    live.set(key, `${name} ${type}`);
    add(type, listener, options);
  });
  vi.spyOn(target, 'removeEventListener').mockImplementation((type, listener, options) => {
    live.delete(keys.get(listener) ?? {});
    remove(type, listener, options);
  });
}

/** Every lab that the test opened. */
export const opened: { lab: Lab; kill: () => void; closed: boolean }[] = [];

/** Opens labs whose worker can be killed, as a browser may do. */
export async function openMortal(): Promise<Lab> {
  const lab = await createLab();
  let dead = false;
  let close: (why: TiedError) => void = () => undefined;
  const closed = new Promise<TiedError>((resolve) => (close = resolve));
  // A lab accepts its own handles as arguments, but no proxies of them.
  const handles = new WeakMap<object, object>();
  const wrapped = (answer: unknown): unknown => {
    if (answer instanceof Promise) return answer.then(wrapped);
    return typeof answer === 'object' && answer !== null && 'dispose' in answer ? mortal(answer) : answer;
  };
  const mortal = <T extends object>(target: T): T => {
    const proxy = new Proxy(target, {
      get(of, key) {
        if (key === 'closed') return closed;
        const value: unknown = Reflect.get(of, key);
        if (typeof value !== 'function' || key === 'dispose') return value;
        return (...args: unknown[]) => {
          const stopped = new TiedError('stopped', 'the worker has stopped; create a new lab');
          if (dead && key !== 'arm') return Promise.reject(stopped);
          const own = args.map((argument) => handles.get(argument as object) ?? argument);
          return wrapped(Reflect.apply(value, of, own));
        };
      },
    });
    handles.set(proxy, target);
    return proxy;
  };
  const entry = {
    lab: mortal(lab),
    closed: false,
    kill: () => {
      dead = true;
      close(new TiedError('stopped', 'the worker stopped: it was killed; create a new lab'));
    },
  };
  void lab.closed.then((why) => {
    entry.closed = true;
    close(why);
  });
  opened.push(entry);
  return entry.lab;
}

export interface Figure {
  readonly tag: string;
  /** Attributes that make its work small. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Whether it shows its results. */
  readonly answered: (root: ShadowRoot) => boolean;
}

export function place<Element extends LitElement>({ tag, attributes = {} }: Figure): Element {
  const element = document.createElement(tag) as Element;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.body.append(element);
  return element;
}

export const complaintOf = (element: LitElement): string =>
  element.shadowRoot!.querySelector('figure > [role=alert]')!.textContent.trim();

export async function showsItsAnswers(element: LitElement, { answered }: Figure): Promise<void> {
  await vi.waitFor(() => {
    expect(answered(element.shadowRoot!)).toBe(true);
  }, waiting);
  expect(complaintOf(element)).toBe('');
}

/** The core accepts only the platform's signals; those of happy-dom are imitations. */
function useGenuineSignals(): void {
  const signal = transferableAbortController().signal;
  const { constructor } = Object.getPrototypeOf(signal) as { constructor: object };
  vi.stubGlobal('AbortSignal', constructor);
  vi.stubGlobal('EventTarget', Object.getPrototypeOf(constructor));
  vi.stubGlobal('AbortController', function () {
    return transferableAbortController();
  });
}

beforeEach(() => {
  useGenuineSignals();
  live.clear();
  opened.length = 0;
  setLabOpener(openMortal);
  for (const kind of ['IntersectionObserver', 'ResizeObserver', 'MutationObserver']) {
    vi.stubGlobal(kind, observerClass(kind));
  }
  vi.stubGlobal('matchMedia', (text: string) => {
    const query = Object.assign(new EventTarget(), { matches: false, media: text });
    countListeners(query, text);
    return query;
  });
  for (const [target, name] of [
    [window, 'window'],
    [document, 'document'],
  ] as const) {
    countListeners(target, name);
  }
});

afterEach(async () => {
  document.body.replaceChildren();
  await settled();
  setLabOpener(null);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Declares the tests of one figure. Each figure has its own file, so a change to one runs only its tests. */
export function testLife(figure: Figure): void {
  describe(`<${figure.tag}>`, () => {
    const openLabs = (): number => opened.filter(({ closed }) => !closed).length;

    it('leaves no observer, listener or worker behind, and works again when put back', async () => {
      const element = place(figure);
      for (let round = 0; round < 2; round++) {
        await showsItsAnswers(element, figure);
        element.remove();
        await vi.waitFor(() => {
          expect(openLabs()).toBe(0);
        }, waiting);
        expect([...live.values()]).toEqual([]);
        document.body.append(element);
      }
      await showsItsAnswers(element, figure);
    });

    it('leaves nothing behind if removed at once, or while loading', async () => {
      for (const when of [() => Promise.resolve(), settled]) {
        const element = place(figure);
        await when();
        element.remove();
        await vi.waitFor(() => {
          expect(openLabs()).toBe(0);
        }, waiting);
        expect([...live.values()]).toEqual([]);
      }
    });

    it('keeps its lab when moved', async () => {
      const element = place(figure);
      await showsItsAnswers(element, figure);
      const labs = opened.length;
      const before = live.size;
      for (let move = 0; move < 3; move++) {
        const elsewhere = document.createElement('div');
        document.body.append(elsewhere);
        elsewhere.append(element);
        await element.updateComplete;
      }
      await showsItsAnswers(element, figure);
      expect(opened.length).toBe(labs);
      expect(live.size).toBe(before);
    });

    it('continues in a new worker when its worker is killed', async () => {
      const element = place(figure);
      await showsItsAnswers(element, figure);
      for (const { kill } of opened) kill();
      await settled();
      element.remove();
      await settled();
      document.body.append(element);
      await showsItsAnswers(element, figure);
    });
  });
}
