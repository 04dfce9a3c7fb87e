import type { ArmKind } from './settings.js';
import type { Phrase } from '../views/read-out.js';
import type { ShareDefinition } from './run.js';

/** The lab's texts about small GPTs, in addition to those about all models. */
export const transformerStrings = {
  // Which models the lab trains.
  modelChoice: 'Train',
  modelChoices: { 'direct-path': 'Direct paths', transformer: 'Small GPTs' } as Record<string, string>,

  gptTitle: 'Two small GPTs, one with a shared table: what does sharing change while they learn?',
  gptCaption:
    'Try: step through the first thirty steps and watch the lower band of the right chart. Write a prompt of your own. ' +
    'Turn on the square root of d, or untie the model during training. Drop a text of your own on this figure.',

  kindChoices: {
    tied: 'tied: one table reads and writes',
    untied: 'untied: two tables',
    'tied-linear': 'tied, with a d × d map before the table',
    'tied-low-rank': 'tied, with a low-rank correction when writing',
    'untied-later': 'tied at first, untied after a step',
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
  inTurns: 'The models take turns in one worker: this device offers no second processor core, or no workers.',
  smallPreset: (parameters: string | null) =>
    `Set for a small screen or little memory: smaller models, shorter run${parameters === null ? '' : ` (the run drawn here is of the full size, ${parameters} parameters)`}. Choose the full size in the settings.`,
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
    `Lines are means over up to ${window} steps (fewer at the start), dots single batches, rings text that was held out.`,
  shares: 'Who moves the table: reading or writing?',
  shareAxis: 'share of the gradient norm, %',
  reading: 'reading (input role)',
  writing: 'writing (output role)',
  half: 'equal',
  shareBy: 'Input part measured',
  shareDefinitions: { matrix: 'in the table', position: 'by position' } as Record<ShareDefinition, string>,
  shareNotes: {
    matrix:
      'Norm of the gradient that each role sends into the [V, d] table; of models with two tables, of the two gradients.',
    position:
      'The input part before rows of the same token are added up: larger sums for tokens that repeat are left out.',
  } as Record<ShareDefinition, string>,

  // Samples.
  samples: 'What they write',
  prompt: 'Prompt',
  temperature: 'Temperature',
  writeAgain: 'Write again',
  sampleNote: (step: string, seed: string) =>
    `Written at step ${step}; both from the same prompt with the same seed (${seed}). Look back to read older ones.`,
  finishedSampleNote: (step: string, seed: string) =>
    `Written just now by the finished models of step ${step}, their weights in half precision; both from the same prompt ` +
    `with the same seed (${seed}).`,
  promptLater:
    'The finished run wrote from another prompt or at another temperature. To have models write from yours, train them ' +
    'here: press play, or take one step.',
  openingModels: 'The finished models write from your prompt as soon as they are here.',
  fetchingModels: (done: string, all: string) => `Fetching the finished models: ${done} of ${all} MB.`,
  modelsCancelled: 'Nothing was written: you cancelled. “Write again” fetches the models after all.',
  modelsFailed: (reason: string) =>
    `The finished models could not be opened: ${reason}. Press “Write again” to try once more, or play to train models here.`,
  onlyAtEnd: (step: string) =>
    `Your prompt is for the finished models, which are those of step ${step}. To read what earlier models make of it, train them here.`,
  noSample: 'Nothing was written yet.',
  promptProblem: (prompt: string) =>
    prompt.trim() === ''
      ? 'The prompt is empty. Write at least one token for the models to begin with.'
      : `Nothing of “${prompt}” is a token of this text. Begin with something that occurs in it.`,
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
  inputGradientScale: 'Input gradient ×',
  sqrtScale: 'Embedding × √d',
  sizes: 'Size',
  sizeNames: { full: 'Full', small: 'For a phone' } as Record<string, string>,
  runKept: 'The run continues unchanged.',

  // Read-out.
  gptInvite: 'Press play: both models start from the same embedding and read the same text in the same order.',
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
    { text: `At step ${step} the output role makes ` },
    share,
    { text: ' of the embedding’s gradient in ' },
    model,
  ],
  shareOther: (share: string, model: Phrase): Phrase[] => [{ text: `, ${share}% in ` }, model],
  sharePeak: (step: string, share: string) => `; at step ${step} it made ${share}%`,
  belowBigram: (floor: string) =>
    `Both are below the bigram floor of ${floor} nats, the best that the current token alone allows: they use what came before it.`,
  gptDiverged: (message: string) =>
    `${message.replace(/^./, (letter) => letter.toUpperCase()).replace(/\.?$/, '.')} The curves end where both models were sound. Rewind, or choose a smaller learning rate.`,

  // Tables.
  tableRecords: 'Loss (means over the steps near by) and share of the output role, step by step',
  tableHeldOut: 'Held-out loss, nats per token',
  tableSamples: 'What the models wrote, by step',
  tableArms: 'The models',
  shareOf: (model: string) => `output share, ${model}`,
  lossOf: (model: string) => `loss, ${model}`,
};

export type TransformerStrings = typeof transformerStrings;
