/**
 * Prose that comes with the page, so readers can train on real English without bringing a text of their own.
 *
 * The texts were written for this project and are under its license. They are plain English with many names whose
 * order is fixed (New York, Fifth Avenue, high school): pairs that occur often one way and never the other, which
 * a symmetric table of logits has trouble with. Each is loaded on demand.
 */
export interface BuiltInText {
  /** Stable name, used in attributes and links. */
  readonly id: string;
  readonly title: string;
  /** One sentence that helps a reader choose. */
  readonly description: string;
  /** About how long it is, in characters, to be shown before it is loaded. */
  readonly approximateLength: number;
  /** The text itself. */
  readonly load: () => Promise<string>;
}

export const builtInTexts: readonly BuiltInText[] = [
  {
    id: 'a-year-in-new-york',
    title: 'A year in New York',
    description: 'Twelve short chapters about a house on East Ninth Street, written for this page.',
    approximateLength: 44_000,
    load: async () => (await import('./a-year-in-new-york/index.js')).aYearInNewYork,
  },
];
