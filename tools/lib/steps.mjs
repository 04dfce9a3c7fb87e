// Numbered steps on the terminal: "[3/9] Building the core as wasm ... 12 s".
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';
import { CommandFailed, tail } from './run.mjs';

/** A problem that the user can fix; shown without a stack trace. */
export class SetupProblem extends Error {}

export function seconds(since) {
  const value = (Date.now() - since) / 1000;
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}

const BAR = 20;

/** A bar of what Ninja, whose output is in a log of that name, has done of what it found to do; '' before it began. */
export function progressOf(log) {
  const [, done, all] = /.*\[(\d+)\/(\d+)\]/s.exec(tail(join(root, 'build/logs', `${log}.log`), 5)) ?? [];
  if (all === undefined) return '';
  const filled = Math.round((BAR * Number(done)) / Number(all));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${done} of ${all}`;
}

/**
 * Runs steps in order, numbered from `done` + 1 of `count`. A step is { title, run, progress? }; `run` resolves with nothing (the
 * time is shown) or a short text (shown instead, e.g. "already there"). `progress()` is shown beside the time meanwhile. Resolves
 * with the list of these results.
 */
export async function runSteps(steps, { done = 0, count = done + steps.length } = {}) {
  const results = [];
  for (const [index, { title, run, progress }] of steps.entries()) {
    const label = `[${done + index + 1}/${count}] ${title} ...`;
    const started = Date.now();
    process.stdout.write(label);
    const live = process.stdout.isTTY
      ? setInterval(() => process.stdout.write(`\r\x1b[K${label} ${seconds(started)}  ${progress?.() ?? ''}`), 1000)
      : undefined;
    const end = (text) => {
      clearInterval(live);
      process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${label} ${text}\n` : ` ${text}\n`);
    };
    try {
      const result = await run();
      end(typeof result === 'string' ? result : seconds(started));
      results.push(result);
    } catch (error) {
      end(`failed after ${seconds(started)}`);
      throw error;
    }
  }
  return results;
}

/** Prints an error: the end of a failed command's log, or the problem's text. */
export function explain(error) {
  if (error instanceof CommandFailed) {
    console.error(`\n${tail(error.log)}\n\n${error.message}. The whole output is in ${relative(root, error.log)}.`);
  } else if (error instanceof SetupProblem) {
    console.error(`\n${error.message}`);
  } else {
    console.error(error);
  }
}

/** The comment at the top of a program is its help. */
export const helpOf = (path) =>
  /^(\/\/.*\n)+/
    .exec(readFileSync(path, 'utf8'))[0]
    .replace(/^\/\/ ?/gm, '')
    .trimEnd();

/**
 * Runs `main` as a program, with the words of its command. --help and -h print the help and start nothing; a failure is explained and sets
 * exit code 1. `options`: all that it takes, if it does not check them itself; `words`: whether it also takes words without a hyphen.
 * @param {(asked: string[]) => unknown} main @param {{ options?: string[], words?: boolean, help?: () => string }} [usage]
 */
export async function program(main, { options, words = false, help = () => helpOf(process.argv[1]) } = {}) {
  const asked = process.argv.slice(2);
  try {
    if (asked.includes('--help') || asked.includes('-h')) return console.log(help());
    const unknown = options && asked.find((word) => (word.startsWith('-') ? !options.includes(word) : !words));
    if (unknown !== undefined) throw new SetupProblem(`"${unknown}" is not an option.\n\n${help()}`);
    await main(asked);
  } catch (error) {
    const isUsage = error.code?.startsWith('ERR_PARSE_ARGS') ?? false;
    explain(isUsage ? new SetupProblem(`${error.message}\n\n${help()}`) : error);
    process.exitCode = 1;
  }
}
