// @vitest-environment happy-dom
// Events around an element: it is removed, moved and put back, or its worker dies.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ParameterCalculator } from '../../../web/elements/parameter-calculator/parameter-calculator.js';
import '../../../web/elements/parameter-calculator/parameter-calculator.define.js';
import '../../../web/elements/symmetry-explorer/symmetry-explorer.define.js';
import { setLabOpener } from '../../../web/elements/shared/page-labs.js';
import { SymmetryExplorer } from '../../../web/elements/symmetry-explorer/symmetry-explorer.js';
import { mortalLab, opensLabs } from './fake-labs.js';

/** A busy machine may be slow. */
const waiting = { timeout: 60_000 };
vi.setConfig({ testTimeout: 120_000 });

/** Observers that report on command, and count the active ones. */
class ObserverOfTests {
  static live = new Set<ObserverOfTests>();
  constructor(private readonly told: (entries: { isIntersecting: boolean }[]) => void) {}
  observe(): void {
    ObserverOfTests.live.add(this);
  }
  disconnect(): void {
    ObserverOfTests.live.delete(this);
  }
  static tell(isIntersecting: boolean): void {
    for (const observer of [...ObserverOfTests.live]) observer.told([{ isIntersecting }]);
  }
}

function placed<Kind extends HTMLElement>(element: Kind): Kind {
  document.body.append(element);
  return element;
}

const numbers = (element: HTMLElement): string =>
  [...(element.shadowRoot?.querySelectorAll('.checks b') ?? [])].map((one) => one.textContent).join(' ');
const problem = (element: HTMLElement): string =>
  element.shadowRoot?.querySelector('figure > [role=alert]')?.textContent.trim() ?? '';

beforeEach(() => {
  ObserverOfTests.live.clear();
  vi.stubGlobal('IntersectionObserver', ObserverOfTests);
});

afterEach(() => {
  document.body.innerHTML = '';
  setLabOpener(null);
  vi.unstubAllGlobals();
});

describe('an element that is removed, moved and put back', () => {
  it('leaves no observer behind, whether or not it was ever near the screen', () => {
    const element = placed(new SymmetryExplorer());
    const atWork = ObserverOfTests.live.size;
    expect(atWork).toBeGreaterThan(0);
    for (let move = 0; move < 5; move++) {
      element.remove();
      expect(ObserverOfTests.live.size).toBe(0);
      placed(element);
      expect(ObserverOfTests.live.size).toBe(atWork);
    }
    element.lab = mortalLab().lab;
    ObserverOfTests.tell(true);
    element.remove();
    expect(ObserverOfTests.live.size).toBe(0);
  });

  it('still wakes near the screen after it was moved', async () => {
    const state = mortalLab();
    const element = new SymmetryExplorer();
    element.lab = state.lab;
    placed(element);
    element.remove();
    placed(element);
    ObserverOfTests.tell(true);
    await vi.waitFor(() => {
      expect(state.asked).toBeGreaterThan(0);
    }, waiting);
  });
});

describe('a lab that has died', () => {
  it('is replaced, and figures continue silently', async () => {
    const opened = opensLabs();
    const element = placed(new SymmetryExplorer());
    const other = placed(new ParameterCalculator());
    ObserverOfTests.tell(true);
    await vi.waitFor(() => {
      expect(numbers(element)).toContain('1.000');
    }, waiting);
    opened[0]!.stop();
    element.embedding = [
      [5, 0],
      [0, 1],
      [1, 1],
    ];
    await vi.waitFor(() => {
      expect(numbers(element)).toContain('5.000');
    }, waiting);
    expect(problem(element)).toBe('');
    expect(opened.map(({ disposed }) => disposed)).toEqual([true, false]);
    expect(other.isConnected).toBe(true);
  });

  it('and was given by an author is not replaced, and its failure is reported', async () => {
    const author = mortalLab();
    author.die();
    const element = new SymmetryExplorer();
    element.lab = author.lab;
    placed(element);
    ObserverOfTests.tell(true);
    await vi.waitFor(() => {
      expect(problem(element)).toContain('the worker has stopped');
    }, waiting);
    expect(author.disposed).toBe(false);
  });
});

describe('a refused call', () => {
  it('does not cancel later calls', async () => {
    const state = mortalLab();
    const element = new SymmetryExplorer();
    element.lab = state.lab;
    placed(element);
    ObserverOfTests.tell(true);
    await vi.waitFor(() => {
      expect(numbers(element)).toContain('1.000');
    }, waiting);
    state.refuse = new Error('not this one');
    element.embedding = [
      [7, 0],
      [0, 1],
      [1, 1],
    ];
    await element.updateComplete;
    // The first call is pending when the second is made.
    element.embedding = [
      [8, 0],
      [0, 1],
      [1, 1],
    ];
    await vi.waitFor(() => {
      expect(numbers(element)).toContain('8.000');
    }, waiting);
    expect(problem(element)).toBe('');
  });
});
