/** The models of the laboratory, as it calls them itself. */
export const armNames = {
  tied: 'Tied',
  untied: 'Untied',
  'tied-linear': 'Tied, map',
  'tied-mlp': 'Tied, MLP',
};
