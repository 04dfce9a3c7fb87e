import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { packPackage, type PackedPackage } from './packed.js';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Contents of the fenced blocks of a language, in order. */
function blocks(language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...readme.matchAll(pattern)].map(([, text]) => text ?? '');
}

/** The first match, and the line on which it ends. */
function block(language: string): { text: string; lastLine: number } {
  const [text] = blocks(language);
  if (text === undefined) throw new Error(`README.md has no block of ${language}`);
  const before = readme.slice(0, readme.indexOf(`\`\`\`${language}\n${text}`));
  return { text, lastLine: `${before}\`\`\`${language}\n${text}\`\`\``.split('\n').length };
}

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

describe('the readme', () => {
  test('has snippets that print the documented output when run in order with the packed package', () => {
    expect(blocks('js')).toHaveLength(2);
    const file = join(packed.folder, 'readme.mjs');
    writeFileSync(file, blocks('js').join(''));
    const printed = execFileSync(process.execPath, [file], { cwd: packed.folder, encoding: 'utf8' });
    expect(printed).toBe(blocks('text').join(''));
  });

  test('reaches the two commands and the printed output by line 30', () => {
    expect(block('sh').text).toMatch(/^npm start\b[\s\S]*^npm test\b/m);
    expect(block('sh').lastLine).toBeLessThanOrEqual(30);
    expect(block('text').lastLine).toBeLessThanOrEqual(30);
  });

  test('links only to existing files', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(existsSync(join(root, path)), path).toBe(true);
  });

  test('shows a picture smaller than 200 KB', () => {
    const picture = /!\[[^\]]+\]\(([^)]+\.png)\)/.exec(readme)?.[1];
    expect(readFileSync(join(root, picture ?? '')).length).toBeLessThan(200_000);
  });
});
