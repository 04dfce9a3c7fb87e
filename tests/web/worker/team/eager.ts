/** For bundles of the worker's script whose trainers ask for partners after their first step, and keep them. */
import type { Plugin } from 'esbuild';

const EAGER = { warmUp: 0, aloneMs: 0, stepMs: 0, pauseMs: 0, growth: 1, trial: Infinity, idleMs: 1_000_000 };
const PATIENT = { hungMs: 1_000_000, hungShares: 100, tickMs: 20 };

/** `changes`: other values than these. */
export const eagerWith = (changes: Partial<typeof EAGER & typeof PATIENT>): Plugin => ({
  name: 'eager',
  setup: ({ onLoad }) => {
    const values = Object.entries({ ...EAGER, ...PATIENT, ...changes });
    const text = values.map(([name, value]) => `${name}: ${String(value)}`);
    onLoad({ filter: /\/team\/patience\.ts$/ }, () => ({
      contents: `export const PATIENCE = { ${text.join(', ')} };`,
    }));
  },
});

export const eager = eagerWith({});
