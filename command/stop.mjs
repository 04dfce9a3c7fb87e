/** Listens to requests to stop: the jobs under way save themselves at their next step. A second Ctrl-C ends the process at once. */
export class Stop {
  asked = false;
  #listener = () => {
    if (this.asked) process.exit(130);
    this.asked = true;
  };

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1']) process.on(signal, this.#listener);
  }

  release() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1']) process.off(signal, this.#listener);
  }
}
