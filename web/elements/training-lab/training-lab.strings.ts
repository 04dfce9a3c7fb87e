import type { Tying } from '../../core/types.js';
import type { KeptStrings } from './kept/kept.strings.js';
import type { PreparationStage } from './text.js';
import type { LabSettings } from './settings.js';
import { settingProblem } from './setting-problem.js';
import { ownTextProblems, ownTextStrings } from '../shared/own-text.js';
import { unknownWordsStrings } from '../shared/unknown-words.js';
import type { TextSourceKind } from './text-source.js';
import type { TokenOrder } from './token-choice.js';
import type { LargeStrings } from './transformer/large-models.strings.js';
import type { ArmKind, ShareDefinition } from './transformer/settings.js';
import type { Phrase } from './views/phrase.js';

/** All texts of the lab. To translate them, set `strings` of the element to such an object, or to a part of one. */
export const trainingLabStrings = {
  // Which models the lab trains.
  modelChoice: 'Train',
  modelChoices: { 'direct-path': 'Direct paths', transformer: 'Small GPTs' } as Record<string, string>,

  gptTitle: 'Two small GPTs, one with a shared table: what does sharing change while they learn?',
  gptCaption:
    'Try: step through the first thirty steps and watch the second chart. Write a prompt. Turn on √d, or untie the model ' +
    'during training. Drop a text on this figure.',

  kindChoices: {
    tied: 'tied: one table reads and writes',
    untied: 'untied: two tables',
    'tied-linear': 'tied, with a d × d map before the table',
    'tied-low-rank': 'tied, with a low-rank correction when writing',
    'untied-later': 'tied at first, untied after a step',
    'untied-between': 'tied, untied between two steps',
    'untied-by-share': 'tied until reading’s share is small',
  } as Record<ArmKind, string>,

  // Facts and numbers.
  gptFacts: (facts: {
    name: string;
    characters: string | null;
    tokens: string;
    vocabulary: string;
    heldOut: string | null;
  }) =>
    `${facts.name}: ${facts.characters === null ? '' : `${facts.characters} characters, `}${facts.tokens} tokens ` +
    `(${facts.vocabulary} different) to train on; ` +
    (facts.heldOut === null ? 'too short to hold any out.' : `the ${facts.heldOut} tokens after them are held out.`),
  inTurns: 'The models take turns: this device offers no second core, or no workers.',
  smallPreset: (parameters: string | null) =>
    `Smaller models, for a small screen or little memory${parameters === null ? '' : `; those drawn here have ${parameters} parameters`}. The settings have the full size.`,
  parameters: 'parameters',
  batchLoss: 'loss',
  heldOutLoss: 'held out',
  heldOutLossAt: (step: string) => `held out at ${step}`,
  speedColumn: 'tokens/s',
  secondsLeft: (seconds: string) => `about ${seconds} s left`,
  minutesLeft: (minutes: string) => `about ${minutes} min left`,

  gptComputed: (steps: string) => `${steps} steps, trained beforehand with the code that runs here.`,

  // Drawings.
  gptSmoothing: (window: string) =>
    `Lines are means over up to ${window} steps (fewer at the start), dots are single batches, rings held-out text.`,
  shares: 'Who moves the table: reading or writing?',
  shareAxis: 'share of the norms of both parts, %',
  reading: 'reading (input role)',
  writing: 'writing (output role)',
  half: 'equal',
  shareBy: 'Input part measured',
  shareDefinitions: { matrix: 'in the table', position: 'by position' } as Record<ShareDefinition, string>,
  shareNotes: {
    matrix: 'Norm of the gradient that each role sends into the table; with two tables, the gradient of each.',
    position: 'The input part before rows of the same token are added up.',
  } as Record<ShareDefinition, string>,

  // Samples.
  samples: 'What they write',
  prompt: 'Prompt',
  examples: 'Try',
  ...unknownWordsStrings,
  temperature: 'Temperature',
  writeAgain: 'Write again',
  sampleNote: (step: string, seed: string) =>
    `Written at step ${step}; both from the same prompt with the same seed (${seed}). Look back to read earlier ones.`,
  finishedSampleNote: (step: string, seed: string) =>
    `Written just now by the finished models of step ${step}, in half precision; both from the same prompt ` +
    `with the same seed (${seed}).`,
  promptLater:
    'The finished run used another prompt or temperature. To see what models write from yours, train them here.',
  openingModels: 'The finished models write from your prompt as soon as they are loaded.',
  fetchingModels: (done: string, all: string) => `Fetching the finished models: ${done} of ${all} MB.`,
  modelsCancelled: 'Nothing was written because you cancelled. Press “Write again” to fetch the models.',
  modelsFailed: (reason: string) =>
    `The finished models could not be opened: ${reason}. Press “Write again” to try once more.`,
  onlyAtEnd: (step: string) =>
    `Only the finished models, from step ${step}, can use your prompt. For earlier models, train them here.`,
  noSample: 'Nothing has been written yet.',
  promptProblem: (prompt: string) =>
    prompt.trim() === ''
      ? 'The prompt is empty. Write at least one token for the models to begin with.'
      : `“${prompt}” contains no token of this text. Begin with something that occurs in it.`,
  promptFailed: (message: string) => `The models cannot begin with that: ${message}.`,

  // Settings.
  firstArm: 'First model',
  secondArm: 'Second model',
  layers: 'Layers',
  heads: 'Heads',
  contextLength: 'Context',
  sequences: 'Sequences per step',
  lowRank: 'Rank',
  untieAtStep: 'Untie after step',
  tieAtStep: 'Tie again after step',
  untieBelow: 'Untie if reading’s share is below',
  inputGradientScale: 'Input gradient ×',
  sqrtScale: 'Embedding × √d',
  sizes: 'Size',
  sizeNames: { full: 'Full', small: 'For a phone' } as Record<string, string>,
  runKept: 'The run continues unchanged.',

  // Read-out.
  gptInvite: 'Press play: both models start from the same embedding and read the same text in the same order.',
  gptSameStart: 'Both models start from the same embedding and read the same text in the same order.',
  gptAverages: (first: Phrase, firstLoss: string, second: Phrase, secondLoss: string): Phrase[] => [
    { text: 'the loss is ' },
    { text: `${firstLoss} nats for ` },
    first,
    { text: ` and ${secondLoss} for ` },
    second,
  ],
  gptOneRun: (seed: string) => `That is one run, with seed ${seed}; the gap differs from seed to seed.`,
  gptHeldOut: (first: string, second: string, step: string | null) =>
    `; on held-out text ${step === null ? '' : `(step ${step}) `}${first} and ${second}`,
  shareAt: (step: string, share: Phrase, model: Phrase): Phrase[] => [
    { text: `At step ${step} writing has ` },
    share,
    { text: ' of the norms of both parts of the gradient in ' },
    model,
  ],
  shareOther: (share: string, model: Phrase): Phrase[] => [
    { text: ', ' },
    { text: `${share}%`, role: 'output' },
    { text: ' in ' },
    model,
  ],
  untiedBy: (model: Phrase, step: string): Phrase[] => [
    { text: ` After step ${step}, ` },
    model,
    { text: ' has two tables.' },
  ],
  notYetUntied: (model: Phrase): Phrase[] => [{ text: ' So far, ' }, model, { text: ' has one table.' }],
  sharePeak: (step: string, share: string) => `; at step ${step} it made up ${share}%`,
  belowBigram: (floor: string) =>
    `Both are below the bigram floor of ${floor} nats, the best that the current token alone allows: they use what came before it.`,
  gptDiverged: (message: string) =>
    `${message.replace(/^./, (letter) => letter.toUpperCase()).replace(/\.?$/, '.')} The curves end where both models were sound. Rewind, or choose a smaller learning rate.`,

  // Tables.
  tableRecords: 'Loss (means over nearby steps) and share of the output role, step by step',
  tableHeldOut: 'Held-out loss, nats per token',
  tableSamples: 'What the models wrote, by step',
  tableArms: 'The models',
  shareOf: (model: string) => `output share, ${model}`,
  lossOf: (model: string) => `loss, ${model}`,

  // Direct paths, and what both have.
  title: 'How far does each model get?',
  caption:
    'Try: rewind and step through the first ten steps. Drag in the chart to look back. Increase the width. ' +
    'Drop a text on this figure.',
  relaxed:
    'Computed with relaxed multiply-add: on another processor the same settings and seed can differ in the last ' +
    'digits.',

  // Transport, always in this order.
  play: 'Play',
  pause: 'Pause',
  stepOnce: 'One step',
  runTo: 'Run to step',
  runToField: 'Step to run to',
  rewind: 'Rewind to the same weights',
  speed: 'Speed',
  speeds: { slow: 'Slow', medium: 'Medium', fast: 'Full' } as Record<string, string>,
  cancel: 'Cancel',
  keys: 'Space plays and pauses, the right arrow key steps, the left one looks back, Home rewinds.',
  stepCount: (step: string, planned: string) => `Step ${step} of ${planned}`,
  stepCountBeyond: (step: string) => `Step ${step}`,

  // Text.
  text: 'Text',
  sources: {
    stories: 'Generated stories',
    'markov-chain': 'A known Markov chain',
    own: 'Your own text',
  } as Record<Exclude<TextSourceKind, 'built-in'>, string>,
  tokenizer: 'Cut into',
  tokenizers: { character: 'Characters', word: 'Words', bpe: 'Byte pairs' } as Record<LabSettings['tokenizer'], string>,
  ...ownTextStrings,
  textFacts: (facts: { name: string; characters: string | null; tokens: string; vocabulary: string }) =>
    facts.characters === null
      ? `${facts.name}: ${facts.tokens} tokens, ${facts.vocabulary} different.`
      : `${facts.name}: ${facts.characters} characters, cut into ${facts.tokens} tokens, ${facts.vocabulary} different.`,
  chainFloor: (chain: string, sample: string) =>
    `The chain’s own bigram floor is ${chain} nats; this sample’s is ${sample}.`,

  // Settings.
  settings: 'Settings',
  models: 'Models',
  noLabel: '',
  arms: {
    tied: 'tied',
    untied: 'untied',
    'tied-linear': 'tied, map',
    'tied-mlp': 'tied, MLP',
    'tied-low-rank': 'tied, low rank',
    'untied-later': 'tied, then untied',
    'untied-between': 'untied, tied again',
    'untied-by-share': 'untied by share',
  } as Record<Tying | ArmKind, string>,
  armNames: {
    tied: 'the tied model',
    untied: 'the untied model',
    'tied-linear': 'the tied model with a linear map',
    'tied-mlp': 'the tied model with an MLP',
    'tied-low-rank': 'the tied model with a low-rank correction',
    'untied-later': 'the model that unties',
    'untied-between': 'the model that unties and ties again',
    'untied-by-share': 'the model that unties by its gradient',
  } as Record<Tying | ArmKind, string>,
  armFormulas: {
    tied: 'W_E W_Eᵀ',
    untied: 'W_E W_Uᵀ',
    'tied-linear': 'W_E M W_Eᵀ',
    'tied-mlp': '(W_E + mlp(W_E)) W_Eᵀ',
  } as Record<Tying, string>,
  vocabSize: 'Vocabulary',
  dModel: 'Width',
  seed: 'Seed',
  learningRate: 'Learning rate',
  batchSize: 'Pairs per step',
  wholeTable: 'All pairs at once',
  batches: 'Batches of',
  optimizer: 'Optimizer',
  optimizers: { adamw: 'AdamW', sgd: 'SGD' } as Record<LabSettings['optimizer'], string>,
  outputBias: 'Output bias',
  steps: 'Planned steps',
  storyLength: 'Characters to write',
  markovStates: 'States',
  finishedRun: 'Finished run',
  ownRun: 'Trained on this device.',
  trainingOn: (cores: string) => `Training on ${cores} cores.`,
  yourRun: 'Your run',
  notBegun: 'Not trained yet.',
  handOver: 'Use in the other figures',
  handedOver: (step: string) => `Other figures now offer your models, as of step ${step}.`,
  handOverArms: 'Other figures compare a tied model with an untied one: choose these two to measure them there.',
  handOverWords: 'Other figures only measure models of a text cut into words or characters.',
  handOverHeldOut: 'This text is too short to hold out a part for measuring the models.',
  modelCards: 'Model cards',
  cardsHint: (step: string) => `The model cards of these models after step ${step}, to paste into a README.`,
  cardsMeasuring: (percent: string) => `Measuring the models on held-out text: ${percent}%.`,
  cardsPause: 'Pause the training, then close and reopen this.',
  cardsClosed: 'Close and reopen this to measure the models as they are now.',
  cardsHeldOut: 'This text is too short to hold out a part for measuring the models.',
  saveCards: 'Save as JSON',
  computed: (steps: string) => `${steps} steps, computed when this page was built.`,
  notKept: 'The finished run did not store this.',
  trainAgain: 'Train it again to show it',
  trainingAgain: (step: string, target: string) =>
    `The finished run did not store this. Training the same run again to show it: step ${step} of ${target}.`,
  restarted: 'A setting changed, so the run started again from step 0.',
  undo: (step: string) => `Undo: back to step ${step}`,
  restoring: (step: string, target: string) => `Training to step ${target}, where this run was left: ${step} done.`,
  linkAsks: (step: string) => `This link leads to step ${step}, which takes a while. Press “Run to step”.`,
  pictureMoment: (step: string, planned: string, seed: string, dModel: string) =>
    `Step ${step} of ${planned}; seed ${seed}, width ${dModel}.`,
  linkWithoutText: 'This link was made with its sender’s own text. Paste or drop that text here.',

  // Drawings.
  curves: 'Loss, step by step',
  lossAxis: 'loss, nats per token',
  stepAxis: 'step',
  stepAxisLog: 'step, log scale',
  logSteps: 'Log steps',
  floors: { unigram: 'unigram floor', bigram: 'bigram floor', symmetricLogits: 'symmetric floor' },
  smoothing: (window: string) => `Lines are means over ${window} steps; dots are single batches.`,
  history: 'Look back',
  historyValue: (step: string) => `step ${step}`,
  newest: 'Newest',
  maps: 'Who follows whom',
  mapsShow: 'Show',
  mapSwitch: 'Map',
  probabilities: 'P(next | current)',
  logits: 'Logits',
  tokensShown: 'Tokens',
  order: 'First',
  orders: { 'one-way': 'one-way pairs', frequency: 'most frequent' } as Record<TokenOrder, string>,
  textMap: 'the text',
  probability: 'probability',
  logit: 'logit',
  noLogits: 'The text has no logits; its map stays P(next | current).',
  cell: (from: string, to: string) => `P(${to} | ${from})`,
  mapLabel: (name: string) => `${name}: rows are the current token, columns the next`,
  pair: 'One pair, both orders',
  pairFirst: 'After',
  pairSecond: 'comes',
  swap: 'Swap',
  pairMissing: 'Not known at this step: only the most frequent tokens are stored.',

  // Tables.
  tableLosses: (finished: boolean, window: string | null) =>
    `Loss, nats per token, ${finished ? 'of the finished run, ' : ''}` +
    (window === null ? 'at the steps that you can look back to' : `means over ${window} steps`),
  tableFloors: 'Floors, nats per token',
  tablePair: (step: string) => `The pair shown, step ${step}`,
  tableText: (shown: string) => `P(next | current) in the text; the first ${shown} tokens of the maps`,
  tableMap: (name: string, step: string, shown: string) =>
    `P(next | current), ${name}, step ${step}; the first ${shown} tokens of the maps`,
  tableLogits: (name: string, step: string, shown: string) =>
    `Logits, ${name}, step ${step}; the first ${shown} tokens of the maps`,
  step: 'step',
  model: 'model',
  value: 'value',

  // Read-out.
  invite: 'Press play: all start alike.',
  drawOver: 'Press play to train the models yourself, from step 0; your run replaces this one.',
  preparing: {
    loading: 'Loading the core',
    writing: 'Writing the text',
    learning: 'Learning the tokens of the text',
    encoding: 'Cutting the text into tokens',
    counting: 'Counting which token follows which, and the floors',
    building: 'Making the models',
  } as Record<PreparationStage, string>,
  preparingStep: (what: string, at: string, of: string) => `${what} (${at} of ${of})`,
  waiting: 'The text is read when this figure comes into view.',
  training: 'Training.',
  outOfSight: 'Paused while out of sight.',
  /** Texts about runs that are stored in the browser: a part of those in kept/kept.strings.ts. */
  kept: {} as Partial<KeptStrings>,
  /** The text about the size of large models: see transformer/large-models.strings.ts. */
  largeModels: {} as Partial<LargeStrings>,
  cancelled: 'Stopped. Choose a text, or press play to prepare this one again.',
  pairInText: (forward: string, backward: string) => `In this text ${forward}, and ${backward}.`,
  follows: (next: string, token: string, percent: string) => `${next} follows ${token} ${percent}% of the time`,
  neverFollows: (next: string, token: string) => `${next} never follows ${token}`,
  after: (steps: string) => `After ${steps} steps`,
  afterOne: 'After 1 step',
  atStart: 'At step 0',
  lookingBack: (newest: string) => `Looking back from step ${newest}.`,
  above: (model: string, excess: string) => `${model} is ${excess} nats above the bigram floor`,
  aboveShort: (model: string, excess: string) => `${model} ${excess}`,
  unavoidable: (part: string) => `No symmetric model can avoid ${part} of the tied model’s.`,
  gramPrice: (part: string) =>
    `The other ${part} is the price of having no negative eigenvalue, plus what training has yet to gain.`,
  gramAndRankPrice: (part: string, dModel: string) =>
    `The other ${part} is the price of having no negative eigenvalue and only ${dModel} dimensions, plus what ` +
    'training has yet to gain.',
  recently: (distance: string) => `These are means of the batches at most ${distance} steps away.`,

  // What goes wrong, and what to do about it.
  problems: {
    emptyText: 'There is no text yet. Paste some, or drop a .txt file.',
    oneToken: (token: string) =>
      `This text holds only one kind of token (${token}), so there is nothing to predict. Give it at least two.`,
    tooShort: (tokens: string, needed: string) =>
      `This text leaves ${tokens} tokens to train on, and one sequence takes ${needed}. Give it a longer text, or choose ` +
      'a shorter context in the settings.',
    diverged: (step: string) => `A loss overflowed after step ${step}. Choose a smaller learning rate in the settings.`,
    failed: (message: string) => `That did not work: ${message}`,
    ...ownTextProblems,
    unknownToken: (token: string) => `“${token}” is not a token of this text. Choose one from the list.`,
  },
  repeatHint:
    'In a terminal with Node this command trains the same models, to the same bits. It can also write them as a script for PyTorch.',
  settingProblem,
};

export type TrainingLabStrings = typeof trainingLabStrings;
