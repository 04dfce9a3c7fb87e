// Records which of the project's files a test reads by path: `npm run check` runs the test again if one of them changes
// (affected.mjs).
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import threads from 'node:worker_threads';
import { root } from '../lib/root.mjs';

/** Functions that read a file: its content, or whether it exists. */
const OF_FILES = [
  ...['access', 'copyFile', 'cp', 'exists', 'lstat', 'open', 'readFile', 'readlink', 'realpath', 'stat'],
  ...['createReadStream', 'openAsBlob', 'statfs', 'watchFile'],
];
const OF_FOLDERS = ['readdir', 'opendir', 'watch', 'cp'];
const bothForms = (names) => names.flatMap((name) => [name, `${name}Sync`]);

/** Scratch files, and packages, whose changes run all tests anyway. */
const NOT_RECORDED = /^(build|node_modules)(\/|$)/;
/** Paths whose contents the project's files alone do not determine. */
const NOT_HASHED = /^(dist|site|\.git|\.toolchain)(\/|$)/;

/** Path relative to the project, with slashes; undefined if it is elsewhere. */
function projectPath(target) {
  const isUrl = typeof target === 'object' && target !== null && 'href' in target;
  if (!isUrl && typeof target !== 'string' && !Buffer.isBuffer(target)) return undefined;
  const path = relative(root, resolve(isUrl ? fileURLToPath(target.href) : String(target)));
  return path.startsWith('..') ? undefined : path.split(sep).join('/');
}

/**
 * Records from now on. `files` and `folders` are paths relative to the project; for a folder, its list of files was read.
 * `processes`: the test started processes or threads, which may have read anything. `builds`: it read build outputs or the
 * repository, which the project's files alone do not determine.
 */
export function recordReads() {
  const reads = { files: new Set(), folders: new Set(), processes: false, builds: false };
  const undo = [];
  const replace = (object, name, handler) => {
    const original = object[name];
    if (typeof original !== 'function') return;
    object[name] = new Proxy(original, handler);
    undo.push(() => (object[name] = original));
  };
  const note = (set) => ({
    apply(original, self, args) {
      const path = projectPath(args[0]);
      if (path !== undefined && NOT_HASHED.test(path)) reads.builds = true;
      else if (path !== undefined && !NOT_RECORDED.test(path)) set.add(path);
      return Reflect.apply(original, self, args);
    },
  });
  const starts = {
    apply(original, self, args) {
      reads.processes = true;
      return Reflect.apply(original, self, args);
    },
    construct(original, args, target) {
      reads.processes = true;
      return Reflect.construct(original, args, target);
    },
  };
  for (const object of [fs, fs.promises]) {
    for (const name of bothForms(OF_FILES)) replace(object, name, note(reads.files));
    for (const name of bothForms(OF_FOLDERS)) replace(object, name, note(reads.folders));
  }
  // All functions that start a process without waiting for it call this one.
  replace(childProcess.ChildProcess.prototype, 'spawn', starts);
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) replace(childProcess, name, starts);
  replace(threads, 'Worker', starts);
  syncBuiltinESMExports();
  return {
    reads,
    stop() {
      for (const one of undo.reverse()) one();
      syncBuiltinESMExports();
    },
  };
}
