/**
 * How far hidden states are from the rows of their tokens, in the page's finished models, on text that the models have
 * not seen.
 */
import { rounded } from './rounded.mjs';

/** The models were trained on the stories of seed 1. */
const stories = { seed: 2, length: 12_000 };

const medianOf = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
};
const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {{ lab: any, inputs: any, models: Uint8Array }} options */
export async function hiddenFacts({ lab, inputs, models }) {
  const { openTwins, measurePrompt, hiddenStatesSettings } = inputs;
  const twins = await openTwins(lab, models, 'the file is not that of the page');
  const text = await lab.writeStories(stories);
  // Whole words, about as many as the models can process; longer prompts are cut.
  const prompts = text.match(/\S[^]{1,280}(?=\s)/g);
  const measured = [];
  for (const prompt of prompts) measured.push(await measurePrompt(lab, twins, { prompt }));
  const ofTable = (name) => {
    const all = (target, what) =>
      measured.flatMap(({ splits }) => splits[name].after[target].positions.map((one) => one[what]));
    const others = measured.map(({ splits }) => splits[name].after.predicted.median);
    return {
      ratio: medianOf(all('predicted', 'ratio')),
      nextRatio: medianOf(all('next', 'ratio')),
      cosine: meanOf(all('predicted', 'cosine')),
      other: medianOf(all('predicted', 'other')),
      otherPosition: medianOf(measured.map(({ splits }) => splits[name].after.predicted.otherPosition)),
      centeredOther: medianOf(others.map(({ centeredOther }) => centeredOther)),
      chance: measured[0].chance[name],
    };
  };
  const finished = await measurePrompt(lab, twins, { prompt: hiddenStatesSettings.prompt.initial });
  twins.dispose();
  return {
    finished: rounded(finished),
    positions: measured.reduce((sum, { tokens }) => sum + tokens.length, 0),
    baseline: finished.baseline,
    /** The same for a width of 768, the width of GPT-2 small. */
    wideBaseline: Math.sqrt(768 - 1),
    tied: ofTable('tied'),
    writing: ofTable('writing'),
    reading: ofTable('reading'),
  };
}
