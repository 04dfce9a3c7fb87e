import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveOf, parseDeb822, parseOneLine } from '../../../tools/setup/debian-archive.mjs';
import { compareVersions, debianRelease, distribution } from '../../../tools/setup/platform.mjs';

const deb822 = `Types: deb
# A comment.
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /no/such/keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main

Types: deb-src
URIs: http://sources.example/debian
Suites: bookworm
Components: main

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
`;

test('the mirror is that of the release itself, not of updates, sources or disabled entries', () => {
  const entries = parseDeb822(deb822);
  expect(entries).toHaveLength(2);
  expect(archiveOf(entries, 'bookworm')?.uri).toBe('http://mirror.example/debian');
  expect(archiveOf(entries, 'trixie')).toBeUndefined();
  expect(archiveOf([entries[1]], 'bookworm')).toBeUndefined();
});

test('a missing keyring is replaced by the archive keyring', () => {
  expect(archiveOf(parseDeb822(deb822), 'bookworm')?.keyring).toMatch(/debian-archive-keyring\.gpg$/);
});

test('one-line sources are read, with options, comments and other kinds of line', () => {
  const entries = parseOneLine(
    [
      '# deb http://old.example/debian bookworm main',
      'deb-src http://sources.example/debian bookworm main',
      'deb [arch=amd64 signed-by=/etc/hosts] https://tools.example/apt stable main',
      'deb http://mirror.example/debian bookworm main non-free # as installed',
    ].join('\n'),
  );
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({ signedBy: '/etc/hosts', suites: ['stable'] });
  expect(archiveOf(entries, 'bookworm')?.uri).toBe('http://mirror.example/debian');
  expect(entries[1]?.components).toEqual(['main', 'non-free']);
});

test('versions are compared by number', () => {
  expect(compareVersions('3.1.69', '3.1.6')).toBe(1);
  expect(compareVersions('3.1.69', '3.1.69')).toBe(0);
  expect(compareVersions('3.1.69', '4.0.1')).toBe(-1);
  expect(compareVersions('3.1', '3.1.1')).toBe(-1);
});

test('the release is read from os-release; testing counts as newest and other systems as none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'os-release-'));
  const read = (text: string) => {
    writeFileSync(join(folder, 'os-release'), text);
    return debianRelease(distribution(join(folder, 'os-release')));
  };
  expect(read('ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n')).toBe(12);
  expect(read('ID=debian\nVERSION_CODENAME=sid\n')).toBeGreaterThan(13);
  expect(read('ID=ubuntu\nVERSION_ID="24.04"\n')).toBe(0);
  expect(debianRelease(distribution(join(folder, 'missing')))).toBe(0);
  rmSync(folder, { recursive: true });
});
