// Runs other programs quietly: their output goes to a log file, whose end is shown on failure.
import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

export class CommandFailed extends Error {
  constructor(command, code, log) {
    super(`${command} ended with ${code}`);
    this.log = log;
  }
}

// The running programs. They end with this one, and so do their children, because each leads a process group.
const children = new Set();
process.on('exit', () => {
  for (const child of children) {
    try {
      process.kill(-child.pid);
    } catch {
      // It has just ended.
    }
  }
});

const background = new AsyncLocalStorage();

/** Programs that `work` runs yield to others: they get a tenth of the CPU if others need it, and all of it otherwise. */
export const inBackground = (work) => background.run(true, work);

/** The priority that `nice` gives by default. */
const LOW_PRIORITY = 10;

const isBackground = () => background.getStore() !== undefined;

/**
 * Lowers the priority of a program that has just started as the leader of a session, and of those that it will start.
 * @param {{ pid?: number }} child
 */
function giveWay({ pid }) {
  if (pid === undefined || !isBackground()) return;
  try {
    setPriority(pid, Math.max(getPriority(), LOW_PRIORITY));
    // Linux may divide CPU time among sessions first, whatever the priorities within each.
    writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY));
  } catch {
    // The program has ended, or the system has no such groups.
  }
}

/** The last `count` lines of a log file, for people to read. */
export function tail(file, count = 40) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}

/**
 * Runs `command` with `args`; resolves with { code, log }, or rejects with CommandFailed (unless `allowFailure`).
 * `log` names a file under build/logs; the log of an earlier command of the same name is replaced
 * unless `append` is set.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, log?: string, append?: boolean, allowFailure?: boolean }} [options]
 * @returns {Promise<{ code: number | null, log: string }>}
 */
export function run(command, args, { cwd = root, env, log = 'command', append = false, allowFailure = false } = {}) {
  const file = join(root, 'build', 'logs', `${log}.log`);
  mkdirSync(dirname(file), { recursive: true });
  const output = openSync(file, append ? 'a' : 'w');
  const line = [command, ...args].join(' ');
  writeSync(output, `$ ${line.length > 300 ? `${line.slice(0, 300)} ...` : line}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
      detached: true,
    });
    giveWay(child);
    children.add(child);
    child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      children.delete(child);
      closeSync(output);
      reject(new CommandFailed(command, error.code ?? error.message, file));
    });
    child.on('close', (code, signal) => {
      children.delete(child);
      closeSync(output);
      if (code === 0 || allowFailure) resolve({ code, log: file });
      else reject(new CommandFailed([command, ...args].slice(0, 3).join(' '), signal ?? `code ${code}`, file));
    });
  });
}

/**
 * What a program prints on standard output, or undefined if it cannot be run or fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<string | undefined>}
 */
export function capture(command, args, { cwd = root, env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: isBackground(),
    });
    children.add(child);
    giveWay(child);
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    const end = (result) => {
      children.delete(child);
      resolve(result);
    };
    child.on('error', () => end(undefined));
    child.on('close', (code) => end(code === 0 ? text : undefined));
  });
}
