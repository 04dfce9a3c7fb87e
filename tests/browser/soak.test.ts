// Ten figures on a page in a random order of actions: no error, and nothing that grows. The suite does a number of actions;
// `npm run soak` goes on for minutes. The order is the seed's, which a failure names.
import { expect, test } from 'vitest';
import { Soak, type Left } from './soak.js';

const { SOAK_SEED, SOAK_ACTIONS, SOAK_MINUTES } = process.env;
const seed = Number(SOAK_SEED ?? 12);
const actions = Number(SOAK_ACTIONS ?? 300);
const ends = SOAK_MINUTES === undefined ? null : Date.now() + Number(SOAK_MINUTES) * 60_000;
/** After each round the page is emptied, and what is left is compared with what the first one left. */
const actionsPerRound = 60;
const patience = { timeout: 300_000 };

const nothing = { workers: 0, IntersectionObserver: 0, ResizeObserver: 0, MutationObserver: 0 };

async function round(soak: Soak): Promise<Left> {
  await soak.fill();
  for (let at = 0; at < actionsPerRound; at++) await soak.act();
  await soak.fill();
  await expect.poll(() => soak.unanswered(), patience).toEqual([]);
  expect(await soak.complaints()).toEqual([]);
  await soak.empty();
  await expect.poll(() => soak.live(), patience).toEqual(nothing);
  return soak.left();
}

test(
  `ten figures are opened, trained, fed, removed, put back, moved and killed, and leave nothing behind (seed ${seed})`,
  async () => {
    const soak = await Soak.open(seed);
    try {
      // The first round fills caches that stay: fonts' widths, compiled code, templates.
      const first = await round(soak);
      let last = first;
      while (ends === null ? soak.log.length < actions : Date.now() < ends) {
        last = await round(soak);
        if (ends !== null) console.log(`${soak.log.length} actions`, last);
      }
      expect(last.nodes).toBeLessThanOrEqual(1.2 * first.nodes + 500);
      expect(last.listeners).toBeLessThanOrEqual(first.listeners + 100);
      expect(last.heapBytes).toBeLessThanOrEqual(1.25 * first.heapBytes + 4e6);
      expect(soak.opened.problems).toEqual([]);
    } catch (error) {
      const how = `npm run soak -- --seed ${seed} --actions ${soak.log.length}`;
      const actionsBefore = soak.log.slice(-20).join('\n  ');
      throw new Error(`${how}\nproblems: ${soak.opened.problems.join('\n')}\nlast actions:\n  ${actionsBefore}`, {
        cause: error,
      });
    }
  },
  ends === null ? 1_200_000 : Number(SOAK_MINUTES) * 60_000 + 1_200_000,
);
