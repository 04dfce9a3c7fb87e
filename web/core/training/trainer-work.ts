/** The long verbs of a trainer. */
import { ablateLayers } from '../diagnostics/layer-ablation.js';
import { directPath, directPathReport } from '../direct-path/direct-path-report.js';
import { gradientReport } from '../diagnostics/gradient-report.js';
import { logitLens } from '../diagnostics/logit-lens.js';
import { lossByFrequency } from '../diagnostics/loss-by-frequency.js';
import { modelCard } from '../diagnostics/model-card/model-card.js';
import type { Declaring } from '../runtime/verb.js';
import type { Trainer } from './trainer-types.js';
import { trainTunedLens } from '../diagnostics/tuned-lens.js';

export const TRAINER_WORK = {
  ablateLayers,
  directPath,
  directPathReport,
  gradientReport,
  logitLens,
  lossByFrequency,
  modelCard,
  trainTunedLens,
} as const satisfies Declaring<Trainer>;
