// Its processes read: nothing
import { getPriority } from 'node:os';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { capture, inBackground, run } from '../../../tools/lib/run.mjs';

const tells = [
  '-e',
  `
  const { execFileSync } = require('node:child_process');
  const own = require('node:os').getPriority();
  console.log([own, execFileSync(process.execPath, ['-p', 'require("node:os").getPriority()'], { encoding: 'utf8' }).trim()].join());
`,
];

test('programs in the background yield to others, together with what they start', async () => {
  const usual = getPriority();
  const low = Math.max(usual, 10);
  const printed = async (): Promise<string> => {
    const { log } = await run(process.execPath, tells, { log: 'test-of-priorities' });
    return readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)!;
  };
  expect(await inBackground(printed)).toBe(`${low},${low}`);
  expect(await printed()).toBe(`${usual},${usual}`);
  // Started before and ended after: what counts is which program started it.
  const [background, foreground] = await Promise.all([
    inBackground(() => capture(process.execPath, tells)),
    capture(process.execPath, tells),
  ]);
  expect(background?.trim()).toBe(`${low},${low}`);
  expect(foreground?.trim()).toBe(`${usual},${usual}`);
});
