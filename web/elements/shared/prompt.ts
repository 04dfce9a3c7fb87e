/** What figures share that measure a tied model and its untied twin on a prompt of the reader. */
import { chanceStrings } from './chance.js';
import type { OpenedTwins } from './model-twins.js';
import { number, text } from './settings/setting.js';
import { unknownWordsStrings } from './unknown-words.js';
import { weightsStrings } from './weights.js';

export const promptSetting = text('The girl lived in Los Angeles. One day she took the train to New', {
  label: 'prompt',
  control: { as: 'prompt' },
});

/** In tokens, from 1; null: the last. */
export const positionSetting = number(null, { min: 1, whole: true, unset: 'lastPosition' });

/** Numbers arrive formatted. */
export const promptStrings = {
  ...weightsStrings,
  ...chanceStrings,
  ...unknownWordsStrings,
  prompt: 'Prompt',
  examples: 'Try',
  ownPrompt: 'Your own …',
  lastPosition: 'the last one',
  noWeights: 'This page names no file with trained models, so there is nothing to measure.',
  finishedNote: 'Measured when this page was built. Change the prompt, and your browser measures again.',
  cancel: 'Cancel',
  cutNote: (tokens: string) => `The models take at most ${tokens} tokens; the rest of the prompt is left out.`,
  badPrompt: (reason: string) => `The models cannot read this prompt: ${reason}.`,
  otherFile: 'the file does not hold a tied and an untied model',
  slider: 'Position',
};

/** A prompt as the models read it; `cut`: whether it is longer than they can process; `leftOut`: words that they do not know. */
export async function readPrompt({ encodeKnown, contextLength, tokens }: OpenedTwins, prompt: string) {
  const { ids: all, ...unread } = await encodeKnown(prompt);
  const ids = all.slice(0, contextLength);
  return { ids, tokens: Array.from(ids, (id) => tokens[id] ?? ''), cut: all.length > ids.length, ...unread };
}
