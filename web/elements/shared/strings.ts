const range = (least: string, most: string): string =>
  least === '' ? '' : most === '' ? ` of at least ${least}` : ` from ${least} to ${most}`;

/** Texts of the frame around every figure. */
export const commonStrings = {
  showData: 'Show data',
  hideData: 'Hide data',
  savePicture: 'Save picture',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  copyFailed: 'The browser did not allow copying. Select the text and copy it by hand.',
  repeatInNode: 'Repeat in Node',
  embed: 'Embed',
  embedHint: 'These two lines show this figure, as it is now, on any page:',
  copy: 'Copy',
  copied: 'Copied',
  reset: 'Reset',
  loading: 'Loading the core …',
  unsupportedTitle: 'This figure cannot run here.',
  pictureFailed: 'The picture could not be made.',
  gridKeys: 'Arrow keys move from cell to cell, Home and End to the ends of a row, with Control to the corners.',
  /** Names of tokens that stand for rare words, and for two pieces without a space between. */
  rareWord: '(rare word)',
  noSpace: '(no space)',
  options: 'Options, data and sharing',
  skipFigure: 'Skip this figure',
  figureEnd: 'End of the figure',
  badLink: (attribute: string, value: string) =>
    `The attribute ${attribute} is “${value}”; expected an http or https URL, or a relative one. The figure uses none.`,
  badAttribute: (attribute: string, value: string, expected: string, used: string) =>
    `The attribute ${attribute} is “${value}”; expected ${expected}. The figure uses ${used}.`,
  /** Names the value of a setting without a default. */
  noValue: 'none',
  /** Either end may be '' for none. */
  expectedWhole: (least: string, most: string) => `an integer${range(least, most)}`,
  expectedBetween: (least: string, most: string) => `a number${range(least, most)}`,
  expectedPositive: 'a number above 0',
  expectedOneOf: (list: string) => `one of ${list}`,
  expectedFlag: 'true or false',
  expectedText: 'text',
  expectedModel: 'tables, a family such as gpt-2, own, or the id of a known model such as gpt2',
  /** Names the value of a model's setting that is not set. */
  familysDefault: 'the family’s default',
  pictureSource: (version: string) => `Made with tied-embeddings ${version}`,
} as const satisfies Record<string, string | ((...values: string[]) => string)>;

/** The same keys, with texts or functions that return texts in another language. */
export type Localized<Strings> = {
  readonly [Key in keyof Strings]: Strings[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

export type CommonStrings = Localized<typeof commonStrings>;
