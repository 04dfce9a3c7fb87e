// A dozen figures on a page, used in random order, cause no error, and nothing grows. The suite performs a fixed number of actions;
// `npm run soak` runs for minutes. A failure names the seed of the order.
import { expect, test } from 'vitest';
import { Soak, type Left } from './soak.js';

const { SOAK_SEED, SOAK_ACTIONS, SOAK_MINUTES } = process.env;
const seed = Number(SOAK_SEED ?? 12);
const actions = Number(SOAK_ACTIONS ?? 300);
const ends = SOAK_MINUTES === undefined ? null : Date.now() + Number(SOAK_MINUTES) * 60_000;
/** The page is emptied after each round, and what remains is compared with the first round. */
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

function growth(first: Left, last: Left): string[] {
  const limits = {
    nodes: 1.2 * first.nodes + 500,
    listeners: first.listeners + 100,
    heapBytes: 1.25 * first.heapBytes + 4e6,
  };
  const grown = (['nodes', 'listeners', 'heapBytes'] as const).filter((name) => last[name] > limits[name]);
  return grown.map((name) => `${name}: ${first[name]} after the first round, ${last[name]} now`);
}

test(
  `a dozen figures that are opened, trained, fed, removed, put back, moved and killed leave nothing behind (seed ${seed})`,
  async () => {
    const soak = await Soak.open(seed);
    try {
      // The first round fills lasting caches: font widths, compiled code, templates.
      const first = await round(soak);
      while (ends === null ? soak.log.length < actions : Date.now() < ends) {
        const last = await round(soak);
        if (ends !== null) console.log(`${soak.log.length} actions`, last);
      }
      // Timers of a few seconds, such as those of announcements, still retain elements that were just removed.
      await expect.poll(async () => growth(first, await soak.left()), patience).toEqual([]);
      expect(soak.problems()).toEqual([]);
    } catch (error) {
      const how = `npm run soak -- --seed ${seed} --actions ${soak.log.length}`;
      const actionsBefore = soak.log.slice(-20).join('\n  ');
      throw new Error(`${how}\nproblems: ${soak.problems().join('\n')}\nlast actions:\n  ${actionsBefore}`, {
        cause: error,
      });
    }
  },
  ends === null ? 1_200_000 : Number(SOAK_MINUTES) * 60_000 + 1_200_000,
);
