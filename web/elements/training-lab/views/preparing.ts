import type { PreparationStage } from '../text.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import type { Phrase } from './phrase.js';

const stages: readonly PreparationStage[] = ['loading', 'writing', 'learning', 'encoding', 'counting', 'building'];

/** What is being prepared, and its progress. */
export function preparing(texts: TrainingLabStrings, stage: PreparationStage): Phrase[] {
  const at = stages.indexOf(stage) + 1;
  return [{ text: `${texts.preparingStep(texts.preparing[stage], String(at), String(stages.length))} …` }];
}
