/** The training lab's names of its models. */
export const armNames = {
  tied: 'Tied',
  untied: 'Untied',
  'tied-linear': 'Tied, map',
  'tied-mlp': 'Tied, MLP',
};
