/** The verbs of a trainer: the long ones are declared with their work, the others are single calls. */
import { ablateLayers } from '../diagnostics/layer-ablation.js';
import { directPath, directPathReport } from '../direct-path/direct-path-report.js';
import { evaluate } from './evaluation-run.js';
import { generate } from './generation.js';
import { gradientReport } from '../diagnostics/gradient-report.js';
import { logitLens } from '../diagnostics/logit-lens.js';
import { lossByFrequency } from '../diagnostics/loss-by-frequency.js';
import { modelCard } from '../diagnostics/model-card/model-card.js';
import { rewind } from './replay.js';
import { save, toSafetensors } from '../checkpoint/writing/file-writing.js';
import { toGguf } from '../checkpoint/writing/gguf-writing.js';
import { toTransformers } from '../checkpoint/writing/transformers-writing.js';
import { evaluatePairs } from './trainer-pairs.js';
import { run } from './training-run.js';
import type { ArmVerb } from './comparison-types.js';
import { calibration } from '../diagnostics/calibration.js';
import type { Declaring } from '../runtime/verb.js';
import type { Trainer } from './trainer-types.js';
import { trainTunedLens } from '../diagnostics/tuned-lens.js';
import { selfTransitions } from '../diagnostics/self-transitions.js';
import { ngramCollisions } from '../diagnostics/ngram-collisions.js';

export const TRAINER_WORK = {
  ablateLayers,
  calibration,
  directPath,
  directPathReport,
  evaluate,
  evaluatePairs,
  generate,
  gradientReport,
  logitLens,
  lossByFrequency,
  modelCard,
  ngramCollisions,
  rewind,
  run,
  save,
  selfTransitions,
  toGguf,
  toSafetensors,
  toTransformers,
  trainTunedLens,
} as const satisfies Declaring<Trainer>;

/** Single calls that read the weights. */
const READERS = [
  'attention',
  'gradient',
  'hiddenStates',
  'logits',
  'matrix',
  'nextTokenLogits',
  'nextTokenProbabilities',
  'parameters',
] as const satisfies readonly (keyof Trainer)[];

/** Single calls that an arm of a comparison lacks: its tokenizer is that of its corpus, which has no pairs. */
const OTHERS = [
  'pairAttention',
  'pairLogits',
  'setMatrix',
  'tokenizer',
  'translate',
] as const satisfies readonly (keyof Trainer)[];

const LONG = Object.keys(TRAINER_WORK) as (keyof typeof TRAINER_WORK)[];

/** All verbs except `dispose`. */
export const TRAINER_VERBS = [...LONG, ...READERS, ...OTHERS];

/** Verbs that change nothing, and read no pairs. */
export const ARM_VERBS: readonly ArmVerb[] = [
  ...LONG.filter((name) => name !== 'evaluatePairs' && name !== 'rewind' && name !== 'run'),
  ...READERS,
];
