/** What of the traveling transformer is lit where: the one map from places of the page to parts of the drawing. */

/** Rows of the table of parts, in its order, and the line that ties both tables. */
export type PartId =
  | 'tokens'
  | 'reads'
  | 'positions'
  | 'stream'
  | 'direct'
  | 'attention'
  | 'mlp'
  | 'norm'
  | 'writes'
  | 'logits'
  | 'softmax'
  | 'sample'
  | 'map'
  | 'encoder'
  | 'tie';

/** What is drawn in addition, some of it in place of the layers: see `scenes.ts`. */
export type SceneId =
  'rows' | 'pairs' | 'mirror' | 'diagonal' | 'map' | 'ways' | 'gradients' | 'exits' | 'angle' | 'shares' | 'encoder';

export interface Lit {
  readonly parts: readonly PartId[];
  readonly scene?: SceneId;
  /** In at most 16 words; `{share}` is the table's share of the parameters of GPT-2 small. */
  readonly says: string;
}

const tables = ['reads', 'writes'] as const;

/** By the id of a section or chapter. */
export const litAt: Readonly<Record<string, Lit>> = {
  'two-tables': {
    parts: tables,
    scene: 'rows',
    says: 'Reading takes the token’s row. Writing compares with every row.',
  },
  'direct-path': {
    parts: ['direct'],
    scene: 'pairs',
    says: 'Without the layers: a score for each token after each other.',
  },
  symmetry: {
    parts: [...tables, 'tie', 'direct'],
    scene: 'mirror',
    says: 'With one table, a cell and its mirror image hold the same score.',
  },
  probabilities: {
    parts: ['softmax', 'sample'],
    says: 'The softmax divides each row by its own sum. Sampling closes the loop.',
  },
  price: {
    parts: ['tie', 'direct'],
    scene: 'mirror',
    says: 'One score for both orders of each pair, whatever the text says.',
  },
  repeating: {
    parts: ['tie', 'direct', 'tokens', 'sample'],
    scene: 'diagonal',
    says: 'The diagonal: a token after itself. Its score is its vector’s squared length.',
  },
  train: {
    parts: [...tables, 'direct', 'map'],
    scene: 'map',
    says: 'Trained here: one table or two, or one with a map in between.',
  },
  'ways-out': {
    parts: ['tie', 'map', 'mlp', 'norm'],
    scene: 'ways',
    says: 'Three ways out: a map, the first MLP, the final norm.',
  },
  layers: {
    parts: ['stream', 'attention', 'mlp'],
    says: 'Now every layer adds to the line between the tables.',
  },
  pull: {
    parts: [...tables, 'tie'],
    scene: 'gradients',
    says: 'Gradients: reading moves the rows of tokens that were read, writing moves every row.',
  },
  trained: {
    parts: [...tables, 'tie'],
    scene: 'rows',
    says: 'Whose table is it, the reader’s or the writer’s?',
  },
  lens: {
    parts: ['stream', 'norm', 'writes'],
    scene: 'exits',
    says: 'An exit after each layer, read by the final norm and the table.',
  },
  word: {
    parts: ['stream', 'writes'],
    scene: 'angle',
    says: 'The hidden state beside the row of the word it stands for.',
  },
  opened: {
    parts: [...tables, 'tie'],
    says: 'Two tables in a file, or one?',
  },
  case: {
    parts: [...tables, 'tie'],
    says: 'One table in both places.',
  },
  savings: {
    parts: [...tables, 'tie'],
    scene: 'shares',
    says: 'In GPT-2 small, the one table is {share} of all parameters.',
  },
  files: {
    parts: [...tables, 'tie'],
    says: 'Two tables in a file: one may get lost.',
  },
  'models-all': {
    parts: [...tables, 'tie'],
    scene: 'shares',
    says: 'Published models: some tie these two, some do not.',
  },
  heads: {
    parts: ['writes', 'logits', 'softmax'],
    says: 'The head: the table, its logits, the softmax.',
  },
  'three-tables': {
    parts: [...tables, 'encoder'],
    scene: 'encoder',
    says: 'Three tables: the encoder reads, the decoder reads, the decoder writes.',
  },
  law: {
    parts: ['tie', 'direct', 'norm', 'mlp'],
    scene: 'diagonal',
    says: 'The diagonal again: a token after itself, behind norm, MLP and layers.',
  },
  leak: {
    parts: ['tie', 'direct', 'logits'],
    scene: 'pairs',
    says: 'From the scores alone: which table made them?',
  },
  languages: {
    parts: ['tie', 'direct', 'logits'],
    scene: 'pairs',
    says: 'Pairs in both orders: the same scores.',
  },
  when: {
    parts: [...tables, 'tie'],
    scene: 'shares',
    says: 'What tying saves depends on the table’s share: here {share}.',
  },
  limits: {
    parts: ['tie'],
    says: 'What tying does is often said wrongly.',
  },
  remember: {
    parts: [...tables, 'tie'],
    scene: 'rows',
    says: 'One table that reads and writes.',
  },
  sources: { parts: [], says: '' },
};

/** The section that a part is about. */
export const sectionAbout: Readonly<Record<Exclude<PartId, 'tie'>, string>> = {
  tokens: 'two-tables',
  reads: 'two-tables',
  positions: 'direct-path',
  stream: 'direct-path',
  direct: 'direct-path',
  attention: 'layers',
  mlp: 'layers',
  norm: 'ways-out',
  writes: 'two-tables',
  logits: 'symmetry',
  softmax: 'probabilities',
  sample: 'probabilities',
  map: 'ways-out',
  encoder: 'three-tables',
};

/** Scenes in place of the layers. */
export const withoutLayers: ReadonlySet<SceneId | undefined> = new Set([
  'pairs',
  'mirror',
  'diagonal',
  'map',
  'gradients',
  'angle',
  'shares',
]);

/** Parts that only some scenes have. */
export const onlyIn: Readonly<Partial<Record<PartId, readonly SceneId[]>>> = {
  map: ['map', 'ways'],
  encoder: ['encoder'],
};
