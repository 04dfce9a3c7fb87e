import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Content of the first fenced block of a language, and the line on which it ends. */
function block(language: string): { text: string; lastLine: number } {
  const match = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme);
  if (match?.[1] === undefined) throw new Error(`README.md has no block of ${language}`);
  return { text: match[1], lastLine: readme.slice(0, match.index + match[0].length).split('\n').length };
}

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

describe('the readme', () => {
  test('prints what it says when its first snippet runs with the packed package', () => {
    const file = join(packed.folder, 'readme.mjs');
    writeFileSync(file, block('js').text);
    const printed = execFileSync(process.execPath, [file], { cwd: packed.folder, encoding: 'utf8' });
    expect(printed.trim()).toBe(block('text').text.trim());
  });

  test('reaches the two commands and the printed output by line 30', () => {
    expect(block('sh').text).toMatch(/^npm start\b[\s\S]*^npm test\b/m);
    expect(block('sh').lastLine).toBeLessThanOrEqual(30);
    expect(block('text').lastLine).toBeLessThanOrEqual(30);
  });

  test('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(existsSync(join(root, path)), path).toBe(true);
  });

  test('shows a picture of less than 200 KB', () => {
    const picture = /!\[[^\]]+\]\(([^)]+\.png)\)/.exec(readme)?.[1];
    expect(readFileSync(join(root, picture ?? '')).length).toBeLessThan(200_000);
  });
});
