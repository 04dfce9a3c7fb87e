/** The scripts in dist/ that the command imports, by name, with the source of each, which tests read if nothing is built. */
export const commandModules = {
  'command-parts': 'web/command-parts.ts',
  'experiment-runner': 'web/core/experiment-runner.ts',
  'tied-embeddings': 'web/index.ts',
};

/** @param {string} name */
export const importOf = (name) => new RegExp(`^\\./${name}\\.js$`);
