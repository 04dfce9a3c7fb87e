import { describe, expect, test } from 'vitest';
import {
  chainOf,
  scoresOf,
  textOf,
  turned,
  type Arrows,
  type Chain,
} from '../../../web/article/figures/repeat-game/chain.js';
import {
  letters,
  nextLetters,
  roadChain,
  roadReach,
  rowsOf,
  weakestStep,
} from '../../../web/article/figures/repeat-game/road.js';
import { linkOf, readLink } from '../../../web/article/figures/repeat-game/link.js';
import { after, noProgress, storedProgress, storeProgress } from '../../../web/article/figures/repeat-game/progress.js';
import { verdictOf, type Face } from '../../../web/article/figures/repeat-game/says.js';
import {
  chainFor,
  chainOfTask,
  demandsOf,
  goesRound,
  impossible,
  isDone,
  isMet,
  marginOf,
  nearestToWall,
  reach,
  startingArrows,
  startingRows,
  taskNumbers,
  tokenNames,
  witnesses,
} from '../../../web/article/figures/repeat-game/tasks.js';
import { loadCore } from '../../../web/index.js';

/** A stream of numbers from 0 up to 1: a linear congruential generator. */
function chances(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const chance = chances(5);
const within = (size: number): number => (2 * chance() - 1) * size;
const randomArrows = (size: number): Arrows => tokenNames.map(() => [within(size), within(size)] as const);
const tables = 20_000;
/** From nearly equal arrows to the longest ones. */
const sizeOf = (draw: number): number => 0.01 * (100 * reach) ** (draw / tables);
const leastMargin = (chain: Chain): number => marginOf(chain, nearestToWall(chain));

describe('the chain of three arrows', () => {
  test('has the closed forms of a shared table: shares are totals of exponentials', () => {
    for (let draw = 0; draw < 200; draw++) {
      const scores = scoresOf(randomArrows(2));
      const powers = scores.map((row) => row.map(Math.exp));
      const totals = powers.map((row) => row.reduce((sum, power) => sum + power));
      const all = totals.reduce((sum, total) => sum + total);
      const { next, share } = chainOf(scores);
      next.forEach((row, i) => row.forEach((p, j) => expect(p).toBeCloseTo(powers[i]![j]! / totals[i]!, 13)));
      share.forEach((one, i) => expect(one).toBeCloseTo(totals[i]! / all, 13));
    }
  });

  test('has shares that one more step leaves as they are, with any map and with the longest arrows', () => {
    let furthest = 0;
    for (let draw = 0; draw < tables; draw++) {
      const { next, share } = chainOf(scoresOf(randomArrows(sizeOf(draw)), within(180)));
      for (const j of [0, 1, 2]) {
        const after = share.reduce((sum, one, i) => sum + one * next[i]![j]!, 0);
        furthest = Math.max(furthest, Math.abs(after - share[j]!));
      }
      furthest = Math.max(furthest, Math.abs(share[0]! + share[1]! + share[2]! - 1));
    }
    // A few roundings of numbers up to 1.
    expect(furthest).toBeLessThan(1e-14);
  });

  test('agrees with the core', async () => {
    const core = await loadCore();
    // The core's logits are floats: of up to 30, and of up to 2,000 for the alphabet.
    for (const [arrows, most] of [
      [witnesses[1].arrows, 1e-5],
      [rowsOf(witnesses[2].road), 1e-3],
    ] as const) {
      const embedding = { rows: arrows.length, cols: 2, data: Float32Array.from(arrows.flat()) };
      const logits = core.directPath({ embedding });
      scoresOf(arrows)
        .flat()
        .forEach((score, i) => expect(Math.abs(score - logits.data[i]!)).toBeLessThan(most));
    }
    core.dispose();
  });

  test('turns by quarters exactly, and by any other angle along a circle', () => {
    expect(turned([3, 1], 90)).toEqual([-1, 3]);
    expect(turned([3, 1], 180)).toEqual([-3, -1]);
    expect(turned([3, 1], -90)).toEqual([1, -3]);
    const [x, y] = turned([2, 0], 60);
    expect(x).toBeCloseTo(1, 14);
    expect(y).toBeCloseTo(Math.sqrt(3), 14);
  });

  test('writes a text that uses its tokens and repetitions as often as the chain says', () => {
    const chain = chainFor(startingArrows, 0);
    const length = 40_000;
    const text = textOf(chain, length);
    tokenNames.forEach((_, token) => {
      const places = text.slice(0, -1).flatMap((one, at) => (one === token ? [at] : []));
      const repeated = places.filter((at) => text[at + 1] === token).length / places.length;
      // Five deviations of a share among that many draws.
      const wide = (share: number, draws: number): number => 5 * Math.sqrt((share * (1 - share)) / draws);
      const own = chain.next[token]![token]!;
      expect(Math.abs(repeated - own)).toBeLessThan(wide(own, places.length));
    });
  });
});

describe('the tasks', () => {
  test('are not done, nor any wall touched, where the reader starts', () => {
    expect(taskNumbers.filter((task) => isDone(chainOfTask(startingRows, task), task))).toEqual([]);
    for (const task of taskNumbers) expect(leastMargin(chainOfTask(startingRows, task))).toBeGreaterThan(0.1);
  });

  test('the first is possible: New calls for York, York not for New, and New hardly repeats', () => {
    const { next } = chainFor(witnesses[1].arrows, 0);
    // Scores 1, 5.5, -1 after New, so York has 1 / (1 + e^-4.5 + e^-6.5).
    expect(next[0]![1]).toBeCloseTo(1 / (1 + Math.exp(-4.5) + Math.exp(-6.5)), 14);
    expect(next[0]![1]).toBeGreaterThan(0.98);
    expect(next[0]![0]).toBeLessThan(0.05);
    expect(next[1]![0]).toBeLessThan(0.01);
    expect(isDone(chainFor(witnesses[1].arrows, 0), 1)).toBe(true);
  });

  test('the second is possible: one table in the plane recites the alphabet, and hardly a letter repeats', () => {
    const chain = chainOfTask(witnesses[2], 2);
    expect(isDone(chain, 2)).toBe(true);
    expect(textOf(chain, 30).map((letter) => letters[letter])).toEqual([...letters, 'z', 'z', 'z', 'z']);
    // Each letter scores the next one higher than itself, but no letter scores lower with itself than z's law asks of it.
    chain.next.slice(0, -1).forEach((row, letter) => expect(row[letter]).toBeLessThan(0.01));
    expect(leastMargin(chain)).toBeGreaterThan(-1e-14);
    // The other order: hardly ever, since z is hardly ever left.
    chain.next.forEach((row, letter) => expect(row[letter - 1] ?? 0).toBeLessThan(0.01));
    expect(chain.share[letters.length - 1]).toBeGreaterThan(0.999);
  });

  test('the second needs no steady hand: done after moving either end by two hundredths of the plane in any direction', () => {
    const [first, last] = witnesses[2].road;
    const near = roadReach / 25;
    for (let k = 0; k < 8; k++) {
      const by = (arrow: readonly [number, number]) =>
        [arrow[0] + near * Math.cos((k * Math.PI) / 4), arrow[1] + near * Math.sin((k * Math.PI) / 4)] as const;
      expect(isDone(roadChain([by(first), last]), 2), `a, ${k}`).toBe(true);
      expect(isDone(roadChain([first, by(last)]), 2), `z, ${k}`).toBe(true);
    }
  });

  test('rows of the road go from one end to the other by equal turns and equal ratios, whatever the ends', () => {
    for (let draw = 0; draw < 200; draw++) {
      const ends = [
        [within(roadReach), within(roadReach)],
        [within(roadReach), within(roadReach)],
      ] as const;
      const rows = rowsOf(ends);
      expect(rows.length).toBe(26);
      expect(rows[0]).toEqual(ends[0]);
      expect(rows[25]).toEqual(ends[1]);
      // As complex numbers, each is the one before times one number; the 25th power of that leads to the last.
      const ratio = ([x, y]: readonly [number, number], [u, v]: readonly [number, number]): [number, number] => [
        (x * u + y * v) / (x * x + y * y),
        (x * v - y * u) / (x * x + y * y),
      ];
      const [re, im] = ratio(rows[0]!, rows[1]!);
      rows.slice(1).forEach((row, at) => {
        const [x, y] = ratio(rows[at]!, row);
        expect(Math.hypot(x - re, y - im)).toBeLessThan(1e-9);
      });
      // Against the clock, less than once around.
      expect(im).toBeGreaterThanOrEqual(-1e-12);
    }
  });

  test('the road’s chain is that of its scores, also where arrows have no length or lie on each other', () => {
    const hard = [
      [
        [0, 0],
        [0, 0],
      ],
      [
        [0, 0],
        [50, 50],
      ],
      [
        [-50, 50],
        [-50, 50],
      ],
      [
        [50, -50],
        [-50, 50],
      ],
    ] as const;
    for (const road of hard) {
      const { next, share } = roadChain(road);
      const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
      expect(sum(share)).toBeCloseTo(1, 12);
      next.forEach((row) => expect(sum(row)).toBeCloseTo(1, 12));
      // One more step leaves the shares as they are.
      share.forEach((one, j) => expect(sum(share.map((of, i) => of * next[i]![j]!))).toBeCloseTo(one, 12));
      expect(weakestStep({ next, share })).toBeLessThan(25);
    }
  });

  test('the fan that the reader finds writes to and fro: what follows a letter is as often the one before as the one after', () => {
    const chain = chainOfTask(startingRows, 2);
    nextLetters(chain)
      .slice(1)
      .forEach((after, at) => expect(chain.next[at + 1]![at]! / after).toBeCloseTo(1, 6));
  });

  test('each demand counts: without one of them, a possible task is not done', () => {
    for (const task of [1, 2] as const) {
      const chain = chainOfTask(witnesses[task], task);
      for (const { from, to } of demandsOf(task)) {
        const next = chain.next.map((row, i) => row.map((p, j) => (i === from && j === to ? 0.4 : p)));
        expect(
          isMet(
            { ...chain, next },
            demandsOf(task).find((one) => one.from === from && one.to === to)!,
          ),
        ).toBe(false);
        expect(isDone({ ...chain, next }, task)).toBe(false);
      }
    }
  });

  test(`the third is impossible: no token of ${tables} shared tables follows itself less often than it occurs`, () => {
    let least = Infinity;
    for (let draw = 0; draw < tables; draw++) {
      const chain = chainFor(randomArrows(sizeOf(draw)), 0);
      least = Math.min(least, leastMargin(chain));
      expect(isDone(chain, impossible)).toBe(false);
    }
    // Rounding; where arrows are nearly equal the margin itself is nearly 0.
    expect(least).toBeGreaterThan(-1e-14);
    expect(least).toBeLessThan(1e-6);
  });

  test('the third is impossible with an output bias, too', () => {
    for (let draw = 0; draw < tables; draw++) {
      const bias = tokenNames.map(() => within(4));
      const scores = scoresOf(randomArrows(sizeOf(draw))).map((row) => row.map((score, j) => score + bias[j]!));
      expect(isDone(chainOf(scores), impossible)).toBe(false);
    }
  });

  test('a map does the third, and walks the roundabout, which no shared table can', () => {
    const { arrows, turn } = witnesses[3];
    const chain = chainFor(arrows, turn!);
    expect(isDone(chain, 3)).toBe(true);
    expect(goesRound(chain)).toBe(true);
    chain.share.forEach((share) => expect(share).toBeCloseTo(1 / 3, 3));
    expect(textOf(chain, 6)).toEqual([0, 1, 2, 0, 1, 2]);
    // The mirror alone, which leaves scores symmetric, is enough for the third.
    const mirrored = chainFor(arrows, 180);
    expect(isDone(mirrored, 3)).toBe(true);
    expect(goesRound(mirrored)).toBe(false);
    for (let draw = 0; draw < tables; draw++) expect(goesRound(chainFor(randomArrows(sizeOf(draw)), 0))).toBe(false);
  });
});

describe('progress', () => {
  test('ticks a task for good, and with a map only the last', () => {
    const game = { ...startingRows, turn: null, task: 1 } as const;
    const first = after(noProgress, { ...game, arrows: witnesses[1].arrows });
    expect(first.done).toEqual([1]);
    const both = after(first, { ...game, road: witnesses[2].road });
    expect(both.done).toEqual([1, 2]);
    expect(after(both, game)).toBe(both);
    const shown = { ...noProgress, shown: [2] } as const;
    expect(after(shown, { ...game, road: witnesses[2].road })).toBe(shown);
    const mapped = after(noProgress, { ...game, ...witnesses[2], turn: 0 });
    expect(mapped).toBe(noProgress);
    expect(after(both, { ...game, ...witnesses[3] })).toEqual({ ...both, withMap: true });
  });

  test('is kept, and is none where the storage is forbidden or holds something else', () => {
    const kept = new Map<string, string>();
    const storage = (): Storage =>
      ({
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => kept.set(name, value),
      }) as unknown as Storage;
    expect(storedProgress(storage)).toEqual(noProgress);
    const progress = { guess: 2, done: [1], shown: [3], withMap: false } as const;
    storeProgress(storage, progress);
    expect(storedProgress(storage)).toEqual(progress);
    for (const other of ['{', '7', '{"done":[4],"shown":[]}', '{"done":1}']) {
      kept.set('tied-repeat-game', other);
      expect(storedProgress(storage), other).toEqual(noProgress);
    }
    const forbidden = (): Storage => {
      throw new Error('forbidden');
    };
    expect(storedProgress(forbidden)).toEqual(noProgress);
    expect(() => storeProgress(forbidden, progress)).not.toThrow();
  });
});

test('a link repeats arrows, map and task; what it lacks or garbles is as at the start', () => {
  for (const task of taskNumbers) {
    const state = { ...witnesses[task], task };
    expect(readLink(linkOf(state))).toEqual(state);
  }
  const start = { ...startingRows, turn: null, task: 1 };
  const links: Record<string, string>[] = [
    {},
    { rows: '1 2; 3 4', task: '4', turn: '' },
    { rows: '1 2; 3 4; 5', turn: '-5' },
    { rows: '1 2; 3 4; 5 8', turn: '181' },
    { rows: '1 2; 3 4; 5 NaN', turn: 'Infinity' },
    { road: '1 2' },
    { road: '1 2; 3 51' },
    { road: '1 2; 3 4; 5 6' },
    { road: '1 2; x 4' },
  ];
  for (const link of links) expect(readLink(link), JSON.stringify(link)).toEqual(start);
});

test('what is said has at most 25 words, whatever the arrows, and no number that is not shown', () => {
  const faces: readonly Face[] = ['guess', 'play', 'done', 'proof', 'map'];
  for (let draw = 0; draw < 500; draw++) {
    const arrows = randomArrows(sizeOf(40 * draw));
    const end = (): readonly [number, number] => [within(roadReach), within(roadReach)];
    const road = [end(), end()] as const;
    for (const task of taskNumbers) {
      for (const face of faces) {
        const turn = face === 'map' ? within(180) : null;
        const said = verdictOf(face, { arrows, road, turn, task }, noProgress);
        expect(said.split(' ').length, said).toBeLessThanOrEqual(25);
        expect(said).not.toMatch(/NaN|undefined|\b0\.0%|100\.0%/);
      }
    }
  }
});
