import { ownTextProblems, ownTextStrings } from '../shared/own-text.js';
import type { Metric, Role, ComparedTables, Tying } from './history.js';
import type { Task } from './seq2seq.settings.js';

/** With one held-out pair, too. */
const unseen = (count: string, what: string): string => `${count} unseen ${what}${count === '1' ? '' : 's'}`;

/** English texts of `<tied-seq2seq>`. Numbers arrive formatted. */
export const seq2seqStrings = {
  ...ownTextStrings,
  ...ownTextProblems,
  title: 'Can one table do the work of three?',
  task: 'Task',
  tasks: {
    reversal: 'Write words backward',
    sorting: 'Sort letters',
    transliteration: 'Latin to Greek letters',
    numbers: 'Number words to digits',
    plurals: 'Plurals, with exceptions',
    'past-tense': 'Past tense, with exceptions',
    own: 'Your own pairs',
  } as Record<Task, string>,
  length: 'Letters',
  tyings: 'Train',
  expectedTyings: 'one or more of all, decoder and none',
  steps: 'Steps',
  seed: 'Seed',
  metric: 'Show',
  metrics: { 'exact-match': 'Exact match', 'character-error-rate': 'Character errors', loss: 'Loss' } as Record<
    Metric,
    string
  >,
  model: 'Look at',
  models: { all: 'One table', decoder: 'Two tables', none: 'Three tables' } as Record<Tying, string>,
  train: 'Train',
  goOn: 'Train on',
  pause: 'Pause',

  pasteLabel: 'Paste pairs here: a source, a tab and its target on each line',
  pastePlaceholder: 'cat\tchat\ndog\tchien',
  useText: 'Use these pairs',
  pastedName: 'pasted pairs',
  dropHint: 'or drop a .tsv file anywhere on this figure (up to 10 MB; it stays on this computer).',
  dropHere: 'Drop the pairs here',
  notAFile: 'That was not a file. Drop a .tsv file, or paste the pairs.',
  emptyText: 'Paste some pairs first: on each line a source, a tab and its target.',
  noPair: (line: string) => `Line ${line} is not a pair. Each line needs a source, a tab and a target.`,
  longPair: (line: string) => `Line ${line} has more than 65,536 characters on one side. Shorten or remove it.`,
  controlPair: (line: string) =>
    `Line ${line} has a control character, U+0002 or U+0003, which marks the ends of texts here. Remove it.`,
  manyPairs: (line: string) => `These are too many pairs: from line ${line} on, remove some.`,
  tooFewPairs: 'One pair in ten is held out for testing, so at least two are needed; a few hundred are better.',
  leftOut: (count: string, most: string) =>
    count === '1'
      ? `1 pair was left out: it has more than ${most} characters on one side, or comes after the first 20,000.`
      : `${count} pairs were left out: they have more than ${most} characters on one side, or come after the first 20,000.`,

  waiting:
    'Your browser trains small encoder-decoders that differ only in how their tables are shared. It takes a few seconds; number words take a minute. Press Train.',
  waitingForPairs: 'Paste pairs, choose a file or drop one here. Then press Train.',
  starting: 'Writing pairs and creating the models.',
  stepOf: (step: string, steps: string) => `Step ${step} of ${steps}`,
  stepDone: (step: string) => `Step ${step}`,
  repeatHint: 'In a terminal with Node this command trains the same models, with the same numbers.',
  finishedNote: 'Trained when this page was built.',
  finishedHint: 'Press Train to repeat it here, or change something first.',

  places: {
    encoder: ['encoder', 'reads'],
    input: ['decoder', 'reads'],
    output: ['decoder', 'writes'],
  } as Record<Role, readonly [stack: string, act: string]>,
  roles: { encoder: 'Encoder reads', input: 'Decoder reads', output: 'Decoder writes' } as Record<Role, string>,
  tablesTitle: (step: string) =>
    `The tables, and who pulls at them at step ${step}: shares of the gradient’s norms, averaged over ten steps`,
  inTables: (count: string) => `${count} parameters in tables.`,
  placeWords: (role: string, share: string) => (share === '' ? `${role}.` : `${role}: ${share} of the pull.`),

  quality: {
    'exact-match': (count: string) => `How many of ${unseen(count, 'source')} are answered without a mistake`,
    'character-error-rate': (count: string) => `Edits per character needed to reach ${unseen(count, 'target')}`,
    loss: (count: string) => `Loss on ${unseen(count, 'pair')}, nats per character`,
  } as Record<Metric, (count: string) => string>,
  pullTitle: (model: string) => `${model}: who pulls over training`,
  tablePairs: {
    'encoder-input': 'Encoder reads, decoder reads',
    'encoder-output': 'Encoder reads, decoder writes',
    'input-output': 'Decoder reads, decoder writes',
  } as Record<ComparedTables, string>,
  bothStacks: 'Encoder and decoder',
  decoderTable: 'Decoder reads and writes',
  chance: 'By chance',
  alignmentTitle: (model: string) => `${model}: how alike the rows of a token are`,
  alignmentNote:
    'Mean cosine of a token’s rows in two tables, after subtracting each table’s mean row; 1 would be one table. By chance, with minimum and maximum: the rows of one table in 20 random orders.',
  cosineAxis: 'cosine',
  driftTitle: 'How far each table has moved from its start',
  driftNote: 'The norm of the difference from the start, as a multiple of the norm at the start.',
  driftAxis: 'times',
  asByChance: (model: string, most: string) =>
    `The ${model} have not become alike: a token’s rows have a cosine of at most ${most}, no more than by chance.`,
  beyondChance: (model: string, pairs: string) => `Among the ${model}, more alike than by chance: ${pairs}.`,
  nats: 'nats',
  stepsAxis: 'training steps',
  stepName: 'step',
  endsAt: (name: string, value: string) => `${name} ends at ${value}.`,

  examplesTitle: (model: string) => `${model}: how unseen examples get better`,
  example: (source: string, target: string) => `${source} → ${target}`,
  showsAttention: ': show where the decoder looks',
  atStep: (step: string) => `step ${step}`,
  moment: 'At step',
  right: 'right',
  wrong: 'wrong',
  nothing: 'nothing',
  attentionTitle: (source: string, step: string) => `Where the decoder looks in “${source}” as it writes, step ${step}`,
  writes: 'writes',
  reads: 'source',
  end: '■',
  endName: 'the end',
  looks: (written: string, read: string, share: string) => `Writing ${written}, it looks at ${read}: ${share}`,

  claim: (step: string, count: string, models: string) =>
    `After ${step} steps, these shares of ${unseen(count, 'source')} are right: ${models}.`,
  rightOf: (model: string, share: string) => `${model.toLowerCase()} ${share}`,
  shared: (role: string, share: string) => `Of the pull at the one table, ${share} comes from where the ${role}.`,
  rolesInText: { encoder: 'encoder reads', input: 'decoder reads', output: 'decoder writes' } as Record<Role, string>,
  caption:
    'Wrong letters are underlined; ■ is the end of a word. All models see the same pairs in the same order. Choose a step to see what a model wrote then, and where it looked. Harder: longer words, or rules with exceptions.',

  dataTables: 'Parameters',
  dataInTables: 'In tables',
  dataInAll: 'Total',
  dataQuality: 'Quality on unseen pairs',
  dataPull: 'Shares of the norms of the gradient by role',
  dataAlignment: 'Alignment of different tables: mean cosine of a token’s rows',
  dataPair: 'Tables',
  dataCosine: 'Cosine',
  dataChance: ['By chance, mean', 'Least', 'Most'] as readonly string[],
  dataDrift: 'Drift of each place’s table, as a multiple of its start',
  dataExamples: 'What the models wrote',
  dataModel: 'Model',
  dataStep: 'Step',
  dataSource: 'Source',
  dataTarget: 'Target',
  dataWritten: 'Written',
};

export type Seq2seqStrings = typeof seq2seqStrings;
