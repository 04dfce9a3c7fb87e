import { expect, test } from 'vitest';
import { runSideBySide } from '../../../tools/lib/schedule.mjs';

interface Phase {
  title: string;
  needs?: Phase[];
}

/** Runs phases that end one by one, in the order of `ends`, and records what happened. */
async function played(limit: number, plan: Record<string, string[]>, ends: string[]): Promise<string[]> {
  const story: string[] = [];
  const end = new Map<string, () => void>();
  const phases = new Map<string, Phase>();
  for (const [title, needs] of Object.entries(plan)) {
    phases.set(title, { title, needs: needs.map((name) => phases.get(name)!) });
  }
  const run = async ({ title }: Phase): Promise<void> => {
    story.push(`+${title}`);
    await new Promise<void>((resolve) => end.set(title, resolve));
    story.push(`-${title}`);
  };
  const done = runSideBySide([...phases.values()], { limit, run });
  for (const title of ends) {
    await Promise.resolve();
    expect(story).toContain(`+${title}`);
    end.get(title)!();
    await expect.poll(() => story.includes(`-${title}`)).toBe(true);
  }
  await done;
  return story;
}

test('the maximum number of phases runs at a time, in the order of the list', async () => {
  expect(await played(2, { a: [], b: [], c: [] }, ['b', 'a', 'c'])).toEqual(['+a', '+b', '-b', '+c', '-a', '-c']);
});

test('a phase waits for everything it needs, while later phases start first', async () => {
  expect(await played(2, { a: [], b: ['a'], c: [], d: ['a', 'c'] }, ['c', 'a', 'b', 'd'])).toEqual([
    '+a',
    '+c',
    '-c',
    '-a',
    '+b',
    '+d',
    '-b',
    '-d',
  ]);
});

test('a phase does not wait for phases that are not in the list', async () => {
  const ran: string[] = [];
  const run = ({ title }: Phase): Promise<number> => Promise.resolve(ran.push(title));
  await runSideBySide([{ title: 'a', needs: [{ title: 'absent' }] }], { limit: 1, run });
  expect(ran).toEqual(['a']);
});

test('phases that need each other are an error, not an endless wait', async () => {
  const first: Phase = { title: 'first' };
  const second: Phase = { title: 'second', needs: [first] };
  first.needs = [second];
  const run = (): Promise<void> => Promise.resolve();
  await expect(runSideBySide([first, second], { limit: 2, run })).rejects.toThrow('first, second');
});

test('one more phase runs each time that there is capacity, up to the maximum', async () => {
  const story: string[] = [];
  const ends = new Map<string, () => void>();
  const run = async ({ title }: Phase): Promise<void> => {
    story.push(title);
    await new Promise<void>((resolve) => ends.set(title, resolve));
  };
  const waits: { found: () => void; signal: AbortSignal }[] = [];
  const room = (signal: AbortSignal): Promise<void> => new Promise((resolve) => waits.push({ found: resolve, signal }));
  const [a, b, c, d, e, f] = ['a', 'b', 'c', 'd', 'e', 'f'].map((title): Phase => ({ title }));
  f!.needs = [a!];
  const done = runSideBySide([a!, b!, c!, d!, f!, e!], { limit: 2, most: 4, run, room });
  await expect.poll(() => waits.length).toBe(1);
  expect(story.join('')).toBe('ab');
  waits[0]!.found();
  await expect.poll(() => waits.length).toBe(2);
  expect(story.join('')).toBe('abc');
  // A phase that ends frees a slot only below the limit, and whoever checked the old state is notified.
  ends.get('b')!();
  await expect.poll(() => waits.length).toBe(3);
  expect(waits[1]!.signal.aborted).toBe(true);
  expect(story.join('')).toBe('abc');
  waits[2]!.found();
  await expect.poll(() => waits.length).toBe(4);
  waits[3]!.found();
  // f needs a. Four run, so nobody checks for capacity.
  await expect.poll(() => story.join('')).toBe('abcde');
  expect(waits).toHaveLength(4);
  ends.get('a')!();
  await expect.poll(() => waits.length).toBe(5);
  waits[4]!.found();
  await expect.poll(() => story.join('')).toBe('abcdef');
  for (const end of ends.values()) end();
  await done;
});
