/** The verbs of a trainer, listed once: for the arms of comparisons and for labs. */

/** Verbs that read the weights and change nothing; arms have these. */
export const ARM_VERBS = [
  'evaluate',
  'parameters',
  'matrix',
  'gradient',
  'nextTokenLogits',
  'nextTokenProbabilities',
  'logits',
  'hiddenStates',
  'attention',
  'generate',
  'logitLens',
  'trainTunedLens',
  'gradientReport',
  'lossByFrequency',
  'ablateLayers',
  'directPath',
  'directPathReport',
  'modelCard',
  'save',
  'toSafetensors',
  'toGguf',
  'toTransformers',
] as const;

/** Verbs that read pairs, which no corpus has. */
const PAIR_VERBS = ['evaluatePairs', 'translate', 'pairLogits', 'pairAttention'] as const;

/** All verbs except `dispose`. An arm's tokenizer is that of its corpus. */
export const TRAINER_VERBS = [...ARM_VERBS, ...PAIR_VERBS, 'tokenizer', 'run', 'setMatrix', 'rewind'] as const;
