// Models that several workers train while their workers are killed at random: the bits of one worker, no error, and nothing grows. The
// suite trains a few models; `npm run soak -- --of partners` goes on for minutes. A failure names the seed.
import { existsSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { createLab, loadCore, Core, Lab, LabTrainer } from '../../web/index.js';
import type { hashOf } from '../web/seed-bits.js';
import type { kindsOf } from '../web/worker/team/kinds.js';
import { ISOLATED, openFixture } from './harness.js';

const { SOAK_SEED, SOAK_MINUTES } = process.env;
const seed = Number(SOAK_SEED ?? 12);
const minutes = Number(SOAK_MINUTES ?? 0);
const leastModels = 3;

const fixture = {
  title: 'Soak of partners',
  asksEarly: true,
  body: '',
  script: `
    import { createLab, loadCore } from './web/index.ts';
    import { hashOf } from './tests/web/seed-bits.ts';
    import { kindsOf } from './tests/web/worker/team/kinds.ts';
    const made = new Set();
    globalThis.Worker = class extends Worker {
      constructor(...args) {
        super(...args);
        made.add(this);
      }
      terminate() {
        made.delete(this);
        super.terminate();
      }
    };
    Object.assign(globalThis, { createLab, loadCore, hashOf, kindsOf, made });`,
};

/** What the page's script defines, and what a round leaves for the next. */
interface Scope {
  createLab: typeof createLab;
  loadCore: typeof loadCore;
  hashOf: typeof hashOf;
  kindsOf: typeof kindsOf;
  /** Those that have not ended, in the order of their start. */
  made: Set<Worker>;
  kept?: { core: Core; lab: Lab | null };
}

interface Round {
  readonly said: string;
  readonly steps: number;
  /** Steps of calls after which other workers were still at work. */
  readonly together: number;
  readonly kills: number;
  /** The trainer's own worker was among the killed ones. */
  readonly lost: boolean;
  readonly same: boolean;
}

/** Trains one model with up to four workers, and kills some of them. */
const round = (page: Page, draws: readonly number[]): Promise<Round> =>
  page.evaluate(async (numbers) => {
    const scope = globalThis as unknown as Scope;
    const { createLab, loadCore, hashOf, kindsOf, made } = scope;
    const kept = (scope.kept ??= { core: await loadCore({ modules: ['models', 'stories'] }), lab: null });
    let at = 0;
    const below = (count: number): number => Math.floor(numbers[at++ % numbers.length]! * count);
    const lab = (kept.lab ??= await createLab({ threads: 4 }));
    const kinds = kindsOf(() => kept.core);
    const [said, optionsOf] = kinds[below(kinds.length)]!;
    const options = optionsOf();
    let trainer: LabTrainer | null = null;
    let kills = 0;
    let together = 0;
    const kill = (worker: Worker | undefined): void => {
      if (!worker) return;
      kills++;
      worker.terminate();
      // This is how a browser reports that it ended a worker.
      worker.dispatchEvent(new ErrorEvent('error', { message: 'killed by the soak', cancelable: true }));
    };
    const ends = 150 + below(250);
    // The own worker of the lab is the oldest.
    const killsLead = below(10) === 0;
    const leadAt = 50 + below(100);
    try {
      trainer = await lab.createTrainer(options as Parameters<Lab['createTrainer']>[0]);
      while (trainer.step < ends) {
        // In half of all calls it waits until others take part again.
        for (let wait = below(2) * 40; trainer.threads === 1 && wait > 0; wait--) {
          await trainer.run(1);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        // In the middle of a run, or between two.
        const timer = below(8) === 0 ? setTimeout(() => kill([...made].slice(1).at(below(3))), below(30)) : null;
        const before = trainer.step;
        await trainer.run(1 + below(12));
        if (trainer.threads > 1) together += trainer.step - before;
        if (below(2) === 0) await new Promise((resolve) => setTimeout(resolve, below(6)));
        if (timer !== null && below(2) === 0) clearTimeout(timer);
        if (killsLead && trainer.step >= leadAt) kill([...made][0]);
      }
      const twin = kept.core.createTrainer(options);
      twin.run(trainer.step);
      const same = hashOf([await trainer.save()]) === hashOf([twin.save()]);
      twin.dispose();
      trainer.dispose();
      return { said, steps: trainer.step, together, kills, lost: false, same };
    } catch (error) {
      if (!killsLead) throw error;
      // The caller is told what to do, and does it.
      const { message } = error as Error;
      kept.lab = null;
      lab.dispose();
      return {
        said: message,
        steps: trainer?.step ?? 0,
        together,
        kills,
        lost: true,
        same: /create a new lab/.test(message),
      };
    }
  }, draws);

/** Disposes of the lab, and says what is left: open workers, the page's heap, and the memory of all processes of pages. */
async function left(page: Page): Promise<{ workers: number; heapBytes: number; processBytes: number | null }> {
  await page.evaluate(() => {
    const { kept } = globalThis as unknown as Scope;
    kept?.lab?.dispose();
    if (kept) kept.lab = null;
  });
  const live = () => page.evaluate(() => (globalThis as unknown as Scope).made.size);
  await expect.poll(live, { timeout: 60_000 }).toBe(0);
  const session = await page.context().newCDPSession(page);
  for (let time = 0; time < 3; time++) {
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(100);
  }
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return { workers: await live(), heapBytes: usedSize, processBytes: await memoryOfPages(page) };
}

/** The share of the machine's memory that pages of this browser take; null where the system does not tell. */
async function memoryOfPages(page: Page): Promise<number | null> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const files = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => `/proc/${String(id)}/smaps_rollup`)
    .filter((path) => existsSync(path));
  if (files.length === 0) return null;
  const kilobytes = files.map((path) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]));
  return 1024 * kilobytes.reduce((sum, one) => sum + one, 0);
}

/** Numbers in [0, 1), the same for the same seed. */
function* random(from: number): Generator<number, never> {
  let state = from >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
  }
}

test.each([
  { where: 'a plain page', headers: {} },
  { where: 'an isolated page', headers: ISOLATED },
])(
  `models whose workers are killed at random have the bits of one worker in $where, and leave nothing (seed ${seed})`,
  async ({ where, headers }) => {
    const { page, problems } = await openFixture(fixture, { headers, cores: 4 });
    await page.waitForFunction(() => 'made' in globalThis);
    const numbers = random(seed);
    const until = Date.now() + (minutes / 2) * 60_000;
    let first: Awaited<ReturnType<typeof left>> | null = null;
    const total = { models: 0, steps: 0, together: 0, kills: 0, lost: 0 };
    for (;;) {
      // The first models fill what lasts: compiled code, memory of the core on the page.
      for (let model = 0; model < (minutes === 0 ? leastModels : 20); model++) {
        const draws = Array.from({ length: 5000 }, () => numbers.next().value);
        const { said, steps, together, kills, lost, same } = await round(page, draws);
        expect(same, `${said} after ${String(total.models)} models of seed ${String(seed)}`).toBe(true);
        total.models++;
        total.steps += steps;
        total.together += together;
        total.kills += kills;
        total.lost += Number(lost);
      }
      const now = await left(page);
      if (minutes > 0) console.log(`${where}: ${JSON.stringify({ ...total, ...now })}`);
      first ??= now;
      if (Date.now() < until) continue;
      expect(total.kills).toBeGreaterThan(total.models / 2);
      expect(total.together).toBeGreaterThan(total.steps / 4);
      expect(now.workers).toBe(0);
      expect(now.heapBytes).toBeLessThan(1.25 * first.heapBytes + 4e6);
      // What the allocators of a browser keep for later use grows for some time.
      if (first.processBytes !== null) expect(now.processBytes!).toBeLessThan(1.25 * first.processBytes + 64e6);
      break;
    }
    expect(problems).toEqual([]);
  },
  minutes * 60_000 + 300_000,
);
