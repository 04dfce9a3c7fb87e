export const tableSizeStrings = {
  title: 'How large are the tables of tokens?',
  vocabSize: 'Vocabulary',
  dModel: 'Width',
  tying: 'Tables',
  tyings: { tied: 'Shared', untied: 'Separate' },
  twice: 'The output has a table of its own.',
  parameters: (count: string) => `The tables hold ${count} parameters.`,
};

export type TableSizeStrings = typeof tableSizeStrings;
