// The output of the command that a figure offers, run as in the reader's shell.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../../tools/lib/root.mjs';

export async function repeatedInNode(page: Page): Promise<unknown> {
  await page.getByRole('button', { name: 'Repeat in Node', exact: true }).click();
  const command = await page.getByRole('textbox', { name: /In a terminal with Node/ }).inputValue();
  expect(command).toMatch(/^npx tied-embeddings replay "#tied=\w+&[\w.*+&=%-]+"$/);
  const script = `"${process.execPath}" "${join(root, 'dist/command.js')}"`;
  const words = command.replace('npx tied-embeddings', script);
  return JSON.parse(execFileSync('sh', ['-c', `${words} --json --quiet`], { encoding: 'utf8', maxBuffer: 2 ** 28 }));
}
