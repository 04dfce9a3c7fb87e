/** One line on stderr: what is done, and the time left. Rewritten in place on a terminal, else every ten seconds. */
export class Progress {
  #began = performance.now();
  #reported = 0;
  #done = 0;
  #total;
  #shown;

  /** @param {{ total: number, opening: string, shown: boolean }} options `total`: steps to do. */
  constructor({ total, opening, shown }) {
    this.#total = total;
    this.#shown = shown;
    if (shown) process.stderr.write(`${opening}\n`);
  }

  /** @param {number} steps @param {string} [also] Text to append. */
  add(steps, also) {
    this.#done += steps;
    const now = performance.now();
    if (!this.#shown || now - this.#reported < (process.stderr.isTTY ? 200 : 10_000)) return;
    this.#reported = now;
    const left = ((now - this.#began) / Math.max(1, this.#done)) * (this.#total - this.#done);
    const percent = Math.floor((100 * this.#done) / Math.max(1, this.#total));
    const line = `${percent}%, ${timeOf(left)} left${also === undefined ? '' : `, ${also}`}`;
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
