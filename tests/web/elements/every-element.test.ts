// @vitest-environment happy-dom
// Every figure, over a real core: removed, moved, put back, and with the worker killed under it.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { transferableAbortController } from 'node:util';
import type { LitElement } from 'lit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TiedError } from '../../../web/core/errors.js';
import type { Lab } from '../../../web/core/types.js';
import '../../../web/elements/index.js';
import { setLabOpener } from '../../../web/elements/shared/page-labs.js';
import type { DirectPathRun } from '../../../web/elements/training-lab/direct-path-run.js';
import type { TrainingLab } from '../../../web/elements/training-lab/training-lab.js';
import { createLab } from '../../../web/worker/lab.js';
import { settled } from './host.js';

vi.setConfig({ testTimeout: 240_000 });
const waiting = { timeout: 120_000 };

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

const opened: { lab: Lab; kill: () => void; closed: boolean }[] = [];

/** Opens labs whose worker can be ended, as the browser may end one. */
async function openMortal(): Promise<Lab> {
  const lab = await createLab();
  let dead = false;
  let close: (why: TiedError) => void = () => undefined;
  const closed = new Promise<TiedError>((resolve) => (close = resolve));
  // A lab takes its own handles as arguments, and no proxies of them.
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

/** By what an element shows that it has had its answers. */
const answered: Readonly<Record<string, (root: ShadowRoot) => boolean>> = {
  'tied-alignment': (root) => root.querySelector('.read-out') !== null,
  'tied-bigrams': (root) => root.querySelectorAll('.axis .js').length === 4,
  'tied-symmetry-explorer': (root) => (root.querySelector('.checks b')?.textContent ?? '') !== '',
  'tied-training-lab': (root) => /In this text/.test(root.querySelector('.read-out')?.textContent ?? ''),
  'tied-checkpoint': (root) => root.querySelector('.drop') !== null,
  'tied-advisor': (root) => root.querySelector('.waiting') === null && root.querySelector('.balance') !== null,
  'tied-compute-calculator': (root) => root.querySelectorAll('.bars rect').length > 0,
  'tied-model-table': (root) => root.querySelectorAll('tr[data-model]').length > 0,
  'tied-parameter-calculator': (root) => root.querySelector('.read-out')?.textContent.trim() !== '',
};
const folder = join(import.meta.dirname, '../../../web/elements');
const tags = readdirSync(folder)
  .filter((name) => name !== 'shared' && existsSync(join(folder, name, `${name}.define.ts`)))
  .map((name) => `tied-${name}`);

async function showsItsAnswers(element: LitElement): Promise<void> {
  await vi.waitFor(() => {
    expect(answered[element.localName]?.(element.shadowRoot!)).toBe(true);
  }, waiting);
  expect(element.shadowRoot!.querySelector('figure > [role=alert]')!.textContent.trim()).toBe('');
}

/** The core takes the platform's signals, and happy-dom has imitations. */
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

describe.each(tags)('<%s>', (tag) => {
  const place = (): LitElement => {
    const element = document.createElement(tag) as LitElement;
    // The smallest of its texts.
    if (tag === 'tied-training-lab') element.setAttribute('text-source', 'markov-chain');
    document.body.append(element);
    return element;
  };
  const openLabs = (): number => opened.filter(({ closed }) => !closed).length;

  it('leaves no observer, listener or worker behind, and works again when put back', async () => {
    const element = place();
    for (let round = 0; round < 2; round++) {
      await showsItsAnswers(element);
      element.remove();
      await vi.waitFor(() => {
        expect(openLabs()).toBe(0);
      }, waiting);
      expect([...live.values()]).toEqual([]);
      document.body.append(element);
    }
    await showsItsAnswers(element);
  });

  it('leaves nothing behind if removed at once, or while loading', async () => {
    for (const when of [() => Promise.resolve(), settled]) {
      const element = place();
      await when();
      element.remove();
      await vi.waitFor(() => {
        expect(openLabs()).toBe(0);
      }, waiting);
      expect([...live.values()]).toEqual([]);
    }
  });

  it('keeps its lab when moved', async () => {
    const element = place();
    await showsItsAnswers(element);
    const labs = opened.length;
    const before = live.size;
    for (let move = 0; move < 3; move++) {
      const elsewhere = document.createElement('div');
      document.body.append(elsewhere);
      elsewhere.append(element);
      await element.updateComplete;
    }
    await showsItsAnswers(element);
    expect(opened.length).toBe(labs);
    expect(live.size).toBe(before);
  });

  it('continues in a new worker when its own is killed', async () => {
    const element = place();
    await showsItsAnswers(element);
    for (const { kill } of opened) kill();
    await settled();
    element.remove();
    await settled();
    document.body.append(element);
    await showsItsAnswers(element);
  });
});

/** A lab on a small chain, which plays. */
async function playingLab(speed: string): Promise<TrainingLab> {
  const element = document.createElement('tied-training-lab');
  const settings = { 'text-source': 'markov-chain', states: '3', 'd-model': '2', steps: '20', speed };
  for (const [name, value] of Object.entries(settings)) element.setAttribute(name, value);
  document.body.append(element);
  await showsItsAnswers(element);
  press(element, 'Play');
  return element;
}

function press(element: LitElement, name: string): void {
  const buttons = [...element.shadowRoot!.querySelectorAll('button')];
  buttons.find((one) => [one.textContent.trim(), one.getAttribute('aria-label')].includes(name))!.click();
}

const standsAt = (element: TrainingLab, phase: string, step: number) =>
  vi.waitFor(() => {
    expect([element.controller.phase, element.controller.step]).toEqual([phase, step]);
  }, waiting);

it('a training lab whose worker is killed after its run repeats the run before another step', async () => {
  const element = await playingLab('fast');
  await standsAt(element, 'finished', 20);
  const losses = (): number[] => [...(element.controller as DirectPathRun).arms[0]!.losses.values()];
  const before = losses();
  for (const { kill } of opened) kill();
  press(element, 'One step');
  await standsAt(element, 'finished', 21);
  expect(losses().slice(0, 21)).toEqual(before);
  expect(element.shadowRoot!.querySelector('figure > [role=alert]')!.textContent.trim()).toBe('');
});

it('a training lab whose worker is killed in mid-run repeats the run to its end, with the same bits', async () => {
  const killed = await playingLab('slow');
  await vi.waitFor(() => {
    expect(killed.controller.step).toBeGreaterThan(0);
  }, waiting);
  expect(killed.controller.phase).toBe('running');
  for (const { kill } of opened) kill();
  const undisturbed = await playingLab('fast');
  for (const element of [killed, undisturbed]) await standsAt(element, 'finished', 20);
  const lossesOf = ({ controller }: TrainingLab): number[][] =>
    (controller as DirectPathRun).arms.map(({ losses }) => [...losses.values()]);
  expect(lossesOf(killed)).toEqual(lossesOf(undisturbed));
  expect(killed.shadowRoot!.querySelector('figure > [role=alert]')!.textContent.trim()).toBe('');
});

it('a training lab whose worker is killed again while the run is repeated still repeats it to its end', async () => {
  const element = await playingLab('fast');
  await standsAt(element, 'finished', 20);
  for (let death = 0; death < 3; death++) {
    for (const { kill } of opened) kill();
    if (death === 0) press(element, 'One step');
    await vi.waitFor(() => {
      expect(element.controller.phase).toBe('preparing');
    }, waiting);
  }
  await standsAt(element, 'finished', 21);
  expect(element.shadowRoot!.querySelector('figure > [role=alert]')!.textContent.trim()).toBe('');
});

it('a training lab whose workers all die says so after a while, and does not try for ever', async () => {
  const element = await playingLab('fast');
  await standsAt(element, 'finished', 20);
  setLabOpener(async () => {
    const lab = await openMortal();
    opened.at(-1)!.kill();
    return lab;
  });
  for (const { kill } of opened) kill();
  press(element, 'One step');
  const alert = element.shadowRoot!.querySelector('figure > [role=alert]')!;
  await vi.waitFor(() => {
    expect(alert.textContent).toContain('the worker has stopped');
  }, waiting);
  const labs = opened.length;
  await settled();
  expect([opened.length, element.controller.phase]).toEqual([labs, 'failed']);
});
