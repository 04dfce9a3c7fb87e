/** One line on stderr: jobs and steps done, and the time that is left. Rewritten in place on a terminal, else every ten seconds. */
export class Progress {
  #began = Date.now();
  #told = 0;
  #done = 0;
  #total;
  #jobs;
  #shown;

  /** @param {{ training: { steps: number } }[]} all @param {{ training: { steps: number } }[]} missing @param {boolean} shown */
  constructor(all, missing, shown) {
    this.#total = missing.reduce((sum, { training }) => sum + training.steps, 0);
    this.#jobs = `${missing.length} of ${all.length} jobs to run`;
    this.#shown = shown;
    if (shown) process.stderr.write(`${this.#jobs}, ${this.#total} steps\n`);
  }

  /** @param {number} steps */
  add(steps) {
    this.#done += steps;
    const now = Date.now();
    if (!this.#shown || now - this.#told < (process.stderr.isTTY ? 200 : 10_000)) return;
    this.#told = now;
    const left = ((now - this.#began) / Math.max(1, this.#done)) * (this.#total - this.#done);
    const line = `${Math.floor((100 * this.#done) / this.#total)}%, ${timeOf(left)} left`;
    process.stderr.write(process.stderr.isTTY ? `\r${line}\u001b[K` : `${line}\n`);
  }

  end() {
    if (this.#shown && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  }
}

/** @param {number} milliseconds */
function timeOf(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
