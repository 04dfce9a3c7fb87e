// What `npm test` and `npm run test:all` run.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { projectFiles } from '../../../tools/lib/files.mjs';
import {
  filesOf,
  fuzzCalls,
  keysOf,
  longUnitFiles,
  phaseSets,
  quickFiles,
  usualUnitFiles,
} from '../../../tools/test/sets.mjs';

// Its processes read: tools, package.json
const listed = (...options: string[]): string =>
  execFileSync(process.execPath, [join(root, 'tools/test/test.mjs'), ...options], { encoding: 'utf8' });

describe('the whole set', () => {
  test('runs every test file of the project', () => {
    const projects = ['unit', 'relaxed', 'judges', 'package', 'browser', 'engines'];
    const found = projects.flatMap((project) => filesOf(project)).sort();
    expect(found).toEqual(projectFiles('tests', /\.test\.ts$/));
    expect(new Set(found).size).toBe(found.length);
    expect([...usualUnitFiles(), ...longUnitFiles].sort()).toEqual(filesOf('unit'));
    // One phase for each project, which runs all its files; the unit tests are divided between two.
    for (const key of [
      'unitTests',
      'longUnitTests',
      'relaxedTests',
      'judgesTests',
      'packageTests',
      'browserTests',
      'engineTests',
    ])
      expect(keysOf('all')).toContain(key);
  });

  test('contains what the quick set runs, or a larger form of it', () => {
    const larger: Record<string, string> = {
      baselinePackage: 'wholePackage',
      recordedArticle: 'article',
      quickBrowserTests: 'browserTests',
      quickPackageTests: 'packageTests',
      sanitizedIfChanged: 'sanitizedTests',
      tidyOfEdited: 'cppTidy',
      quickFuzzing: 'fuzzing',
    };
    const all = keysOf('all');
    for (const [key, set] of phaseSets) expect(all, key).toContain(set === 'quick' ? larger[key] : key);
    for (const { quick, all: whole } of Object.values(fuzzCalls)) expect(whole).toBeGreaterThan(quick);
  });
});

describe('the quick set', () => {
  test('has tests of each area', () => {
    const quick = keysOf('quick');
    for (const key of ['nativeTests', 'unitTests', 'quickBrowserTests', 'quickPackageTests', 'quickFuzzing', 'sizes'])
      expect(quick).toContain(key);
    for (const files of Object.values(quickFiles)) expect(files.length).toBeGreaterThan(2);
    const units = usualUnitFiles();
    const areas = new Set(filesOf('unit').map((path) => path.split('/').slice(0, 3).join('/')));
    for (const area of areas)
      expect(
        units.some((path) => path.startsWith(area)),
        area,
      ).toBe(true);
    for (const project of ['browser', 'package'] as const)
      for (const file of quickFiles[project]) expect(filesOf(project)).toContain(file);
  });

  test('opens a figure of each base class', () => {
    const bases = new Map<string, string[]>();
    for (const path of projectFiles('web/elements', /\.ts$/)) {
      const text = readFileSync(join(root, path), 'utf8');
      const [, base] = /^export class \w+ extends\s+(?:withSettings\(\s*)?(\w+(?:Element|Lab))\b/m.exec(text) ?? [];
      if (base === undefined || base === 'LitElement' || path.includes('/shared/')) continue;
      bases.set(base, [...(bases.get(base) ?? []), path.split('/')[2]!]);
    }
    expect(bases.size).toBeGreaterThan(3);
    for (const [base, figures] of bases) {
      const opened = figures.some((figure) => quickFiles.browser.some((file) => file.includes(`/${figure}`)));
      expect(opened, base).toBe(true);
    }
  });

  test('leaves to the whole what only some tests need', () => {
    const quick = keysOf('quick');
    for (const key of ['schedulers', 'zsh', 'pyTorch', 'judges', 'arm64Tools', 'otherBrowsers', 'relaxedWasm'])
      expect(quick).not.toContain(key);
  });
});

test('every phase of the list is there, and no two of a set have the same title', () => {
  for (const set of ['quick', 'all']) {
    const titles = listed('--list', ...(set === 'all' ? ['--whole'] : []))
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(20));
    expect(titles.length).toBeGreaterThanOrEqual(keysOf(set).length);
    expect(new Set(titles).size).toBe(titles.length);
    // Records of passed phases are kept by title.
    const files = titles.map((title) => title.replaceAll(/\W+/g, '-'));
    expect(new Set(files).size).toBe(files.length);
  }
});

test('--help helps instead of testing, and what is no option or phase is refused', () => {
  expect(listed('--help')).toContain('npm run test:all');
  expect(() => listed('--fast')).toThrow();
  expect(() => listed('noSuchPhase')).toThrow();
});
