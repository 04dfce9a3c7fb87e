/** Grid Engine announces a kill by SIGUSR2; others by the rest. */
const signals = ['SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'];

/** Listens to requests to stop: the jobs under way save themselves at their next step. A second Ctrl-C ends the process at once. */
export class Stop {
  asked = false;
  #controller = new AbortController();
  /** Aborted by the first request. */
  signal = this.#controller.signal;
  #listener = () => {
    if (this.asked) process.exit(130);
    this.asked = true;
    this.#controller.abort();
  };

  constructor() {
    for (const signal of signals) process.on(signal, this.#listener);
  }

  release() {
    for (const signal of signals) process.off(signal, this.#listener);
  }
}
