// @vitest-environment happy-dom
// What happens around an element: it is removed, moved and put back, and its worker dies.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TiedError } from '../../../web/core/errors.js';
import type { Lab, Matrix } from '../../../web/core/types.js';
import { ParameterCalculator } from '../../../web/elements/parameter-calculator/parameter-calculator.js';
import '../../../web/elements/index.js';
import { askSharedLab, setLabOpener, setSharedLab, sharedLab } from '../../../web/elements/shared/shared-lab.js';
import { SymmetryExplorer } from '../../../web/elements/symmetry-explorer/symmetry-explorer.js';

/** A busy machine may take its time. */
const waiting = { timeout: 60_000 };
vi.setConfig({ testTimeout: 120_000 });

/** Observers that tell only when they are told to, and count how many are at work. */
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

/** The two verbs of the explorer, from a lab that can die as one does whose worker has been ended. */
function mortalLab() {
  const state = { dead: false, disposed: 0, asked: 0, refuse: null as Error | null };
  const answer = async <Value>(value: Value): Promise<Value> => {
    await Promise.resolve();
    state.asked++;
    if (state.dead) throw new TiedError('stopped', 'the worker has stopped; create a new lab');
    const { refuse } = state;
    state.refuse = null;
    if (refuse !== null) throw refuse;
    return value;
  };
  const lab = {
    mode: 'worker',
    directPath: ({ embedding }: { embedding: Matrix }) => {
      const count = embedding.rows;
      return answer({ rows: count, cols: count, data: new Float32Array(count * count).fill(embedding.data[0] ?? 0) });
    },
    symmetry: () => answer({ symmetric: true }),
    knownModels: () => answer([]),
    dispose: () => state.disposed++,
  } as unknown as Lab;
  return { lab, state };
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
  setSharedLab(null);
  setLabOpener(null);
  vi.unstubAllGlobals();
});

describe('an element that is removed, moved and put back', () => {
  it('leaves no observer behind, whether it was ever near the screen or not', () => {
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

  it('still wakes where it comes near the screen after it was moved', async () => {
    const { lab, state } = mortalLab();
    const element = new SymmetryExplorer();
    element.lab = lab;
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
  it('is replaced, and disposed of, and figures go on without a word of it', async () => {
    const labs = [mortalLab(), mortalLab()];
    let opened = 0;
    setLabOpener(() => Promise.resolve(labs[opened++]!.lab));
    const element = placed(new SymmetryExplorer());
    const other = placed(new ParameterCalculator());
    ObserverOfTests.tell(true);
    await vi.waitFor(() => {
      expect(numbers(element)).toContain('1.000');
    }, waiting);
    labs[0]!.state.dead = true;
    element.embedding = [
      [5, 0],
      [0, 1],
      [1, 1],
    ];
    await vi.waitFor(() => {
      expect(numbers(element)).toContain('5.000');
    }, waiting);
    expect(problem(element)).toBe('');
    expect([opened, labs[0]!.state.disposed, labs[1]!.state.disposed]).toEqual([2, 1, 0]);
    expect(await sharedLab()).toBe(labs[1]!.lab);
    expect(other.isConnected).toBe(true);
  });

  it('is not told from one that only refuses: that one stays', async () => {
    const { lab, state } = mortalLab();
    setSharedLab(lab);
    for (const code of ['out-of-memory', 'disposed', 'stopped', 'invalid-argument'] as const) {
      const refusal = new TiedError(code, 'no');
      await expect(askSharedLab(() => Promise.reject(refusal))).rejects.toBe(refusal);
      expect(await sharedLab()).toBe(lab);
    }
    expect(state.disposed).toBe(0);
  });

  it('that two figures find dead at once is replaced once', async () => {
    const labs = [mortalLab(), mortalLab(), mortalLab()];
    let opened = 0;
    setLabOpener(() => Promise.resolve(labs[opened++]!.lab));
    await sharedLab();
    labs[0]!.state.dead = true;
    const ask = () => askSharedLab((lab) => lab.knownModels());
    expect(await Promise.all([ask(), ask()])).toEqual([[], []]);
    expect(opened).toBe(2);
  });

  it('of an author is the author’s: its failure is told', async () => {
    const { lab, state } = mortalLab();
    state.dead = true;
    const element = new SymmetryExplorer();
    element.lab = lab;
    placed(element);
    ObserverOfTests.tell(true);
    await vi.waitFor(() => {
      expect(problem(element)).toContain('the worker has stopped');
    }, waiting);
    expect(state.disposed).toBe(0);
  });
});

describe('a question that is refused', () => {
  it('drops none that was asked after it', async () => {
    const { lab, state } = mortalLab();
    const element = new SymmetryExplorer();
    element.lab = lab;
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
    // The first is on its way when the second is asked.
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
