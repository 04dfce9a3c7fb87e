/** For bundles of the worker's script whose trainers ask for partners after their first step, and keep them. */
import type { Plugin } from 'esbuild';

const patience = { warmUp: 0, aloneMs: 0, stepMs: 0, pauseMs: 0, growth: 1, trial: Infinity, idleMs: 1_000_000 };

const text = Object.entries(patience).map(([name, value]) => `${name}: ${String(value)}`);

export const eager: Plugin = {
  name: 'eager',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/team\/patience\.ts$/ }, () => ({
      contents: `export const PATIENCE = { ${text.join(', ')} };`,
    }));
  },
};
