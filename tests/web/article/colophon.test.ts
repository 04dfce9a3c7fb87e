import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { colophonFacts, dateOf, howPublished, inWords, sourceSentence } from '../../../web/article/build/colophon.mjs';
import { addressInManifest, repositoryAddress } from '../../../web/article/build/repository.mjs';

describe('the colophon of the page', () => {
  it('has the data of the package', async () => {
    const { name, version, author, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const facts = await colophonFacts(root);
    expect(facts).toMatchObject({ name, version, author, license });
    expect(facts.year).toMatch(/^20\d\d$/);
    expect(facts.date).toContain(facts.year);
  });

  it('uses the date in the heading of the version, if there is one', () => {
    expect(dateOf('# Changes\n\n## 0.3.0, 2026-12-01\n\n## 0.2.0\n', '0.3.0')).toBe('2026-12-01');
    expect(dateOf('# Changes\n\n## 0.3.0, 2026-12-01\n\n## 0.2.0\n', '0.2.0')).toBeNull();
    expect(inWords('2026-12-01')).toBe('1 December 2026');
  });

  it('names the repository, if its URL is known', () => {
    expect(sourceSentence('https://example.org/tied')).toContain(
      '<a href="https://example.org/tied">example.org/tied</a>',
    );
    expect(howPublished({ site: null, repository: 'https://example.org/tied' })).toContain(
      '\\url{https://example.org/tied}',
    );
    expect(sourceSentence(null)).toContain('without a public URL');
    expect(howPublished({ site: null, repository: null })).toBe('');
  });
});

describe('the URL of the repository', () => {
  it.each([
    ['someone/tied', 'https://github.com/someone/tied'],
    ['github:someone/tied', 'https://github.com/someone/tied'],
    ['gitlab:someone/tied', 'https://gitlab.com/someone/tied'],
    ['git+https://example.org/some/tied.git', 'https://example.org/some/tied'],
    ['git@codeberg.org:someone/tied.git', 'https://codeberg.org/someone/tied'],
    ['ssh://git@codeberg.org/someone/tied.git', 'https://codeberg.org/someone/tied'],
    ['https://user:secret@github.com/someone/tied', 'https://github.com/someone/tied'],
    ['/a/folder/of/mine', null],
    ['file:///a/folder', null],
    ['../tied', null],
    ['elsewhere:someone/tied', null],
    ['', null],
  ])('%s', (text, address) => {
    expect(addressInManifest(text)).toBe(address);
  });

  it('is taken from package.json first, then from git', async () => {
    const repository = { type: 'git', url: 'git+https://example.org/tied.git' };
    expect(await repositoryAddress(root, { repository })).toBe('https://example.org/tied');
    expect(await repositoryAddress(root, { repository: 'someone/tied' })).toBe('https://github.com/someone/tied');
  });

  it.each([
    ['https://github.com/someone/tied.git', 'https://github.com/someone/tied'],
    ['https://private.example.org/someone/tied.git', null],
    ['git@gitlab.com:someone/tied.git', 'https://gitlab.com/someone/tied'],
    ['clones/tied', null],
    ['../tied', null],
    [undefined, null],
  ])('is the URL that was cloned, if it is on a public forge: %s', async (origin, address) => {
    const folder = mkdtempSync(join(tmpdir(), 'tied-repository-'));
    try {
      const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
      git('init', '-q');
      if (origin !== undefined) git('remote', 'add', 'origin', origin);
      expect(await repositoryAddress(folder, {})).toBe(address);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
