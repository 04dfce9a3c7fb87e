/**
 * What each layer of the page's finished models would predict, with both kinds of lens, for the figure's own prompt.
 */
import { rounded } from './rounded.mjs';

/** @param {{ lab: any, inputs: any, models: Uint8Array }} options */
export async function lensFacts({ lab, inputs, models }) {
  const { openTwins, measureLens, lensKinds, lensSettings } = inputs;
  const twins = await openTwins(lab, models, 'the file is not that of the page');
  const listening = { signal: new AbortController().signal, onProgress: () => undefined };
  const prompt = lensSettings.prompt.initial;
  const finished = [];
  for (const kind of lensKinds) finished.push(rounded(await measureLens(lab, twins, { prompt, kind }, listening)));
  twins.dispose();
  const [logit, tuned] = finished.map(({ means }) => means);
  const [{ measuredTokens: tokens, chance, increases }] = finished;
  return { finished, tokens, logit, tuned, chance, increases };
}
