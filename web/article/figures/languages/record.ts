/** The recorded languages, and where among them a text is. */
import type { OneWay } from './measure.js';

/** A recorded text: nats and fractions as `OneWay` has them, characters in hundreds. */
export interface Language extends Omit<OneWay, 'deviation'> {
  readonly name: string;
}

/** `languages.json`: whole numbers in the order of its columns, the least one-way first. */
export interface LanguagesFile {
  readonly columns: readonly string[];
  readonly languages: readonly (readonly [name: string, ...numbers: number[]])[];
}

/** What a whole number of the record is divided by. */
const units: Readonly<Record<string, number>> = {
  price: 1e4,
  halfWidth: 1e4,
  chance: 1e4,
  share: 100,
  characters: 0.01,
};

export const languagesOf = ({ columns, languages }: LanguagesFile): Language[] =>
  languages.map(
    ([name, ...numbers]) =>
      Object.fromEntries([
        ['name', name],
        ...columns.slice(1).map((column, at) => [column, numbers[at]! / (units[column] ?? 1)]),
      ]) as unknown as Language,
  );

/** How many of the recorded texts are less one-way. */
export const placeOf = (languages: readonly Language[], price: number): number =>
  languages.filter((one) => one.price < price).length;

/** Lower case without accents and other signs, so that "francais" finds Français. */
const plain = (words: string): string =>
  words
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** The language that the reader most likely means: by the whole name, its beginning, that of a word, or any part; -1 if there is none. */
export function found(languages: readonly Language[], typed: string): number {
  const wanted = plain(typed);
  if (wanted === '') return -1;
  const ways: ((name: string) => boolean)[] = [
    (name) => plain(name) === wanted,
    (name) => plain(name).startsWith(wanted),
    (name) => name.split(/[\s,(/-]+/).some((word) => plain(word).startsWith(wanted)),
    (name) => plain(name).includes(wanted),
  ];
  for (const way of ways) {
    const matching = languages.flatMap(({ name }, at) => (way(name) ? [at] : []));
    // Of several, the shortest name: Latin, not Azerbaijani (Latin).
    if (matching.length > 0)
      return matching.reduce((best, at) => (languages[at]!.name.length < languages[best]!.name.length ? at : best));
  }
  return -1;
}
