// A process that answers each line with one line of JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Starts `command`. Resolves with { ask(line), close() }: `ask` resolves with the JSON of the reply, and rejects if the
 * reply is { error } or the process ends. Lines that are not JSON are skipped.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
export function startLines(command, args, { cwd, env } = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = [];
  let complaints = '';
  let ended;
  child.stderr.on('data', (chunk) => (complaints = (complaints + chunk).slice(-2000)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!/^[[{]/.test(line)) return;
    const { resolve, reject } = waiting.shift() ?? {};
    if (!resolve) return;
    try {
      const answer = JSON.parse(line);
      if (answer.error === undefined) resolve(answer);
      else reject(new Error(answer.error));
    } catch (error) {
      reject(error);
    }
  });
  const end = (why) => {
    ended ??= new Error(`${command} ${why}${complaints === '' ? '' : `: ${complaints.trim()}`}`);
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  child.on('error', (error) => end(`could not be started: ${error.message}`));
  child.on('close', (code, signal) => end(`ended with ${signal ?? `code ${code}`}`));
  child.stdin.on('error', () => {}); // reported when the process ends
  return {
    ask: (line) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.push({ resolve, reject });
        child.stdin.write(`${line}\n`);
      }),
    close: () =>
      /** @type {Promise<void>} */ (
        new Promise((resolve) => {
          if (ended) return resolve();
          child.on('close', () => resolve());
          child.stdin.end();
        })
      ),
  };
}
