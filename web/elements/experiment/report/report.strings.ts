/** English texts of the report; those of `<tied-experiment>` are used too. Numbers arrive formatted. */
export const reportStrings = {
  kicker: 'Report of an experiment',
  noData: 'The numbers of this report cannot be read:',
  failedRuns: (failed: string, all: string) => `${failed} of ${all} runs failed; their rows say why.`,

  claimsTitle: 'What was claimed, and what came out',
  claimsNote:
    'The claims and their criteria are part of the experiment file. Each dot is a seed; lines join the models of a seed, which saw the same data in the same order.',
  noClaims: 'The experiment makes no claims; it only measures.',
  verdicts: { holds: 'Holds', fails: 'Fails', undecided: 'Undecided' } as Record<
    'holds' | 'fails' | 'undecided',
    string
  >,
  saysLabel: 'Claim',
  criterionLabel: 'Criterion',
  outcomeLabel: 'Outcome',
  numbers: 'Numbers, by seed',
  numbersBy: { layer: 'Numbers, by layer: means of the seeds', band: 'Numbers, by band: means of the seeds' },
  deviation: 'Standard deviation',

  metricsTitle: 'What was measured',
  metricsNote:
    'Each metric at its last step, by seed. Differences are paired by seed, with the 95% interval of their mean (Student’s t). The intervals are not corrected for how many there are: a difference that no claim names was not predicted.',
  noPoint: 'Nothing was measured at this setting.',
  atStep: (step: string, unit: string) => (unit === '' || unit === 'none' ? `step ${step}` : `step ${step}, ${unit}`),
  usedBy: 'Claims about it:',
  noChance: 'This has no chance level.',
  chanceOf: (name: string) => (name === '' ? 'by chance' : `${name}, by chance`),
  overTitles: { step: 'Over training steps', layer: 'By layer', band: 'By how often the token occurs' },
  overNames: { step: 'Step', layer: 'Layer', band: 'From' },
  overAxes: { step: 'training steps', layer: 'layer', band: 'occurrences, at least' },
  neverOccurs: 'Tokens that never occur in the training text appear only among the numbers.',
  linesNote: 'Thin lines are seeds, the thick line is their mean.',
  linesLabel: (metric: string, ends: string) => `${metric}. ${ends}`,
  differenceName: (name: string) => `Difference: ${name}`,
  drawingLabel: (values: string, differences: string) => `${values} ${differences}`.trim(),

  modelsTitle: 'Models',
  models: {
    arm: 'Arm',
    seed: 'Seed',
    point: 'Setting',
    tying: 'Tying',
    parameters: 'Parameters',
    steps: 'Steps',
    weights: 'Weights, SHA-256',
    status: 'Outcome',
  },
  done: 'trained',
  moreModels: (shown: string, all: string) => `The first ${shown} of ${all}; runs.csv has all.`,

  provenanceTitle: 'Where the numbers come from',
  provenance: {
    package: 'Package',
    engine: 'Engine',
    specHash: 'Hash of the experiment',
    text: 'Text',
    textHash: 'Text, SHA-256',
    tokenizer: 'Tokenizer',
    seeds: 'Seeds',
    machine: 'Machine and time',
  },
  machine:
    'In clock.csv: when each job ran, for how long and on which processor. That is a separate file because it alone differs when the experiment is run again; this page and all other files come out the same, byte for byte.',
  again: 'Run it again',
  againHow: (name: string) => `Save the experiment below as ${name}.json.`,
  specLabel: 'The experiment as a file',
  filesTitle: 'Files beside this page',
  problemsTitle: 'What could not be measured',
};

export type ReportStrings = typeof reportStrings;
