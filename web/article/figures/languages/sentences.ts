import type { OneWay } from './measure.js';
import { placeOf, type Language } from './record.js';

export const nats = (value: number): string => value.toFixed(3);

const interval = ({ price, halfWidth }: Pick<OneWay, 'price' | 'halfWidth'>): string =>
  `${nats(price - halfWidth)} to ${nats(price + halfWidth)}`;

/** A recorded text. */
export function languageSentence(language: Language, place: number, all: number): string {
  const { name, price, share, chance } = language;
  const rank = place === 0 ? `the least of ${all} texts` : `more than ${place} of ${all} texts`;
  return `${name}: ${nats(price)} nats per letter, ${rank}; with 95% confidence ${interval(language)}. Chance alone: ${nats(chance)}. It is ${Math.round(100 * share)}% of what a letter tells about the next.`;
}

/** The reader's own text. */
export function ownSentence(name: string, own: OneWay, languages: readonly Language[]): string {
  const place = placeOf(languages, own.price);
  const [below, above] = [languages[place - 1], languages[place]];
  const where =
    below === undefined
      ? `less than all ${languages.length} texts`
      : above === undefined
        ? `more than all ${languages.length} texts`
        : `between ${below.name} and ${above.name}`;
  const chance =
    own.price > own.halfWidth && own.price > 3 * own.deviation ? '' : ' That is no more than chance gives.';
  return `${name}: ${nats(own.price)} nats per letter (95%: ${interval(own)}), ${where}.${chance}`;
}

/** In the place of what is said of the reader's text. */
export const ownTexts = {
  opening: 'Place a text of your own',
  emptyText: 'There is no text yet. Paste one, or choose a file.',
  measuring: 'Measuring your text …',
  tooShort: (name: string, letters: number, least: number): string =>
    `${name} has ${letters} letters and spaces. Give at least ${least}: in fewer, chance hides the direction.`,
  tooMany: (name: string, symbols: number, most: number): string =>
    `${name} is written in ${symbols} different signs. Only texts in at most ${most} can be placed here: with more, most pairs are too rare to say in which order they stand.`,
};
