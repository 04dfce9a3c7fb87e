// The soak page: counts what is alive, kills workers, and does to elements what readers and pages do.

interface Watched {
  /** The number of live workers and observers. */
  live: () => Record<string, number>;
  killWorker: (which: number) => boolean;
}

/** Workers that have answered. A worker that is killed while it starts would make the lab try another way to start it. */
const workers = new Map<Worker, number>();
const observers = { IntersectionObserver: new Set(), ResizeObserver: new Set(), MutationObserver: new Set() };

class CountedWorker extends Worker {
  constructor(...options: ConstructorParameters<typeof Worker>) {
    super(...options);
    workers.set(this, 0);
    this.addEventListener('message', () => {
      const answers = workers.get(this);
      if (answers !== undefined) workers.set(this, answers + 1);
    });
  }
  override terminate(): void {
    workers.delete(this);
    super.terminate();
  }
}
window.Worker = CountedWorker;

for (const [name, live] of Object.entries(observers)) {
  const Real = window[name as keyof typeof observers];
  Object.assign(window, {
    [name]: class extends (Real as typeof ResizeObserver) {
      override observe(target: Element, options?: never): void {
        live.add(this);
        super.observe(target, options);
      }
      override disconnect(): void {
        live.delete(this);
        super.disconnect();
      }
    },
  });
}

export const watched: Watched = {
  live: () => ({
    workers: workers.size,
    ...Object.fromEntries(Object.entries(observers).map(([name, live]) => [name, live.size])),
  }),
  killWorker: (which) => {
    const started = [...workers].filter(([, answers]) => answers > 1).map(([worker]) => worker);
    const worker = started[which % started.length];
    if (worker === undefined) return false;
    worker.terminate();
    // This is how a browser reports that it ended a worker.
    worker.dispatchEvent(new ErrorEvent('error', { message: 'killed by the soak', cancelable: true }));
    return true;
  },
};
