/** The output of the command without a verb. */
import { afterEach, expect, test, vi } from 'vitest';
import { main } from '../../../command/main.mjs';
import { VERSION } from '../../../web/core/runtime/version.js';

afterEach(() => {
  vi.restoreAllMocks();
});

async function said(words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((part) => {
      text[stream] += String(part);
      return true;
    });
  }
  return { code: await main(words), ...text };
}

test('--version prints the version of the package', async () => {
  expect(await said(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

test('a first word of several verbs lists only those, and a wrong word gives the nearest verb or all', async () => {
  expect((await said(['experiment'])).stderr).toBe(
    "tied-embeddings: 'experiment' is not a command; expected one of experiment run, experiment expand, experiment collect\n",
  );
  expect((await said(['trian', 'x.txt'])).stderr).toContain("'trian' is not a command; did you mean train?");
  expect((await said(['experimnt', 'run'])).stderr).toContain(
    "'experimnt run' is not a command; did you mean experiment run?",
  );
  expect((await said(['zzz'])).stderr).toContain('expected one of train, evaluate');
  expect((await said([])).code).toBe(64);
});
