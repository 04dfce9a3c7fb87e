// The programs of tests/judges/package.json, loaded from where the set-up of `npm run test:all` installs them.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../tools/lib/root.mjs';
import { judgesModules, judgesObstacle } from '../../tools/setup/judges.mjs';

/** Why these tests are skipped: another system. Where the programs can run, their absence is a failure. */
export const obstacle = judgesObstacle();
export const titled = (name: string): string => (obstacle === undefined ? name : `${name}, not tried: ${obstacle}`);

const find = createRequire(join(judgesModules, 'index.js'));

function installed(name: string): string {
  if (!existsSync(judgesModules)) throw new Error('The programs are not installed: node tools/setup/setup.mjs --tests');
  return find.resolve(name);
}

/** A package; `T` lists what is used of it. */
export const load = async <T>(name: string): Promise<T> => (await import(pathToFileURL(installed(name)).href)) as T;

/** Node 20, 22 and 24. */
export const nodes = ['20', '22', '24'].map((release) => ({
  release,
  program: join(judgesModules, `node-${release}`, 'bin/node'),
}));

/** What llama_cpp.mjs answers. A process of its own, since llama.cpp ends its process where it fails. */
export function askLlamaCpp<T>(file: string, question: object): T {
  const asked = `${file}.json`;
  writeFileSync(asked, JSON.stringify(question));
  const words = [join(root, 'tests/judges/llama_cpp.mjs'), installed('node-llama-cpp'), file, asked];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 28 })) as T;
}
