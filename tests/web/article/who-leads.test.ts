// Sentences on who leads when are made from the recorded steps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { gptFacts } from '../../../web/article/build/gpt-facts.mjs';
import { leadsInWords, steadyLeads } from '../../../web/article/build/who-leads.mjs';

const many = (role: string, steps: number) => Array.from({ length: steps }, () => role);
const names = { a: 'A', b: 'B' };

it('a lead is a stretch without interruption; short ones do not count', () => {
  const leads = steadyLeads([...many('a', 12), 'b', 'a', 'b', ...many('b', 30), 'a', ...many('b', 10)]);
  expect(leads).toEqual([
    { role: 'a', from: 1, to: 12 },
    { role: 'b', from: 15, to: 45 },
    { role: 'b', from: 47, to: 56 },
  ]);
});

it('the words name every lead, in order', () => {
  const words = (...leaders: string[][]) => leadsInWords(steadyLeads(leaders.flat()), leaders.flat().length, names);
  expect(words(many('a', 20))).toBe('A in every step');
  expect(words(many('a', 20), many('b', 20))).toBe('A up to step 20, then B from step 21 on');
  expect(words(many('a', 20), many('b', 10), many('a', 10))).toBe(
    'A up to step 20, B from step 21 to 30, and A from step 31 on',
  );
  expect(words(['a', 'b', 'a'])).toBe('no role for long');
});

it('in the finished run writing leads at first and to the end, and in between neither does for long', () => {
  const run = JSON.parse(
    readFileSync(join(root, 'web/article/assets/finished-transformer-run.json'), 'utf8'),
  ) as Parameters<typeof gptFacts>[0];
  const { tied, output } = gptFacts(run);
  const { from, to, mean } = output.even!;
  const shares = tied.outputShares;
  for (const share of [...shares.slice(0, from - 1), ...shares.slice(to)]) expect(share).toBeGreaterThan(0.5);
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
});
