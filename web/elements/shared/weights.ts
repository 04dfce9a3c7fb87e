/** What figures have in common that measure the models of a file when the reader asks for it. */
import type { TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import { button } from './controls.js';
import { text } from './settings/setting.js';
import { webLink } from './web-link.js';

/** URL of the trained models. */
export const weightsSetting = text(null, {
  link: 'never',
  accepts: (url) => webLink(url) !== null,
  expected: 'expectedUrl',
});

export const weightsStrings = {
  expectedUrl: 'an http or https URL, or a relative one',
  start: 'Measure',
  fetching: (megabytes: string) => `Fetching the models: ${megabytes} MB.`,
  failed: (reason: string) => `The trained models could not be opened: ${reason}. Press Measure to try again.`,
};

type WeightsStrings = typeof weightsStrings;

/** Embed code is for other pages, so the file's URL is absolute there. */
export function withAbsoluteWeights({ weights, ...others }: Record<string, string>): Record<string, string> {
  return weights === undefined ? others : { ...others, weights: new URL(weights, document.baseURI).href };
}

export const fetchingText = (texts: WeightsStrings, bytes: number): string =>
  texts.fetching(formatNumber(bytes / 1e6, { decimals: 1 }));

export const startButton = (texts: WeightsStrings, weights: string | null, onPress: () => void): TemplateResult =>
  button({ label: texts.start, icon: 'play', kind: 'primary', disabled: weights === null, onPress });
