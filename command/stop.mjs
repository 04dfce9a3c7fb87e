/** Grid Engine announces a kill with SIGUSR2; other schedulers use the rest. */
const signals = ['SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'];

/** Listens for requests to stop: running jobs save themselves at their next step. A second Ctrl-C ends the process immediately. */
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
