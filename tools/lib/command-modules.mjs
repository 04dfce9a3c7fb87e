/** What the command imports from beside it in dist/, by name, and what each script is made of: where nothing is built, tests read that. */
export const commandModules = {
  'command-parts': 'web/command-parts.ts',
  'experiment-runner': 'web/core/experiment-runner.ts',
  'tied-embeddings': 'web/index.ts',
};

/** @param {string} name */
export const importOf = (name) => new RegExp(`^\\./${name}\\.js$`);
