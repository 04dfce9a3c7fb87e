/** Every verb with valid arguments, as data, so a test can try something on all verbs. */
import type { Core, Lab, Tokenizer, Trainer } from '../../../web/index.js';
import { EXPLORER, matrixOf, TOY_CHAIN, TOY_COUNTS } from './support.js';

/** `pairs` is a trainer on pairs. */
export type On = 'core' | 'trainer' | 'tokenizer' | 'pairs';

export interface VerbCall {
  on: On;
  verb: string;
  /** New arguments each time, so tests can change them. */
  args: () => unknown[];
}

export const TEXT = 'the wax cat sat on the mat and the dog sat on the log. '.repeat(4);
const MODEL = {
  kind: 'transformer',
  vocabSize: 16,
  dModel: 8,
  tying: 'tied',
  nLayers: 1,
  nHeads: 2,
  contextLength: 8,
} as const;
const TRAINING = { learningRate: 0.01, batchSize: 2, seed: 1 };
/** A tokenizer of the characters of TEXT: as many as MODEL has tokens. */
const IDS = (): Uint32Array => Uint32Array.from({ length: 60 }, (_, i) => (i * 7 + ((i * i) % 5)) % 16);
const architecture = () => ({ family: 'gpt-2', vocabSize: 1000, dModel: 64, nLayers: 2, nHeads: 2 });
const TYING = () => ({ untieWhen: { inputShare: { above: 0.5 }, over: 3, from: 1 } });
const copy = ({ rows, cols, data }: typeof EXPLORER) => ({ rows, cols, data: data.slice() });

/** A trainer and a tokenizer to try verbs on; from a lab if `core` is one. */
export const trainerOptions = () => ({ model: { ...MODEL }, training: { ...TRAINING }, tokenIds: IDS() });

const PAIR_MODEL = {
  kind: 'encoder-decoder',
  vocabSize: 6,
  dModel: 8,
  tying: 'decoder',
  nEncoderLayers: 1,
  nDecoderLayers: 1,
  nHeads: 2,
  sourceLength: 4,
  contextLength: 5,
} as const;
const PAIRS = () => ({
  source: [Uint32Array.of(2, 3), Uint32Array.of(5, 4, 2)],
  target: [Uint32Array.of(3, 2), Uint32Array.of(2, 4, 5)],
});
const pairTrainerOptions = () => ({ model: { ...PAIR_MODEL }, training: { ...TRAINING }, pairs: PAIRS() });

export interface Subject {
  core: Core;
  trainer: Trainer;
  pairs: Trainer;
  tokenizer: Tokenizer;
  /** Frees what was created. */
  dispose(): void;
}

/** Each handle is created on first use: most verbs need none, and not every core has the module of pairs. */
export function subjectOf(core: Core): Subject {
  const made = new Map<string, Tokenizer | Trainer>();
  const once = <T extends Tokenizer | Trainer>(name: string, make: () => T): T => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };
  return {
    core,
    get tokenizer() {
      return once('tokenizer', () => core.trainTokenizer(TEXT, { kind: 'character', vocabSize: 16 }));
    },
    get trainer() {
      const { tokenizer } = this;
      return once('trainer', () => core.createTrainer({ ...trainerOptions(), tokenizer } as never));
    },
    get pairs() {
      return once('pairs', () => core.createTrainer(pairTrainerOptions()));
    },
    dispose() {
      for (const handle of made.values()) handle.dispose();
    },
  };
}

export interface LabSubject {
  core: Lab;
  trainer: Awaited<ReturnType<Lab['createTrainer']>>;
  pairs: Awaited<ReturnType<Lab['createTrainer']>>;
  tokenizer: Awaited<ReturnType<Lab['trainTokenizer']>>;
  dispose(): void;
}

export async function labSubjectOf(core: Lab): Promise<LabSubject> {
  const tokenizer = await core.trainTokenizer(TEXT, { kind: 'character', vocabSize: 16 });
  const pairs = await core.createTrainer(pairTrainerOptions());
  const trainer = await core.createTrainer({ ...trainerOptions(), tokenizer } as never);
  const dispose = (): void => {
    for (const handle of [trainer, tokenizer, pairs]) handle.dispose();
  };
  return { core, tokenizer, pairs, trainer, dispose };
}

/** Calls the verb on the object that has it. */
export function callOn(subject: Subject | LabSubject, { on, verb }: VerbCall, args: unknown[]): unknown {
  return (subject[on] as unknown as Record<string, (...args: unknown[]) => unknown>)[verb]!(...args);
}

/** Files, which a core must write first. */
export interface Files {
  trainer: Uint8Array;
  tokenizer: Uint8Array;
}

export function verbCalls(files: Files): VerbCall[] {
  const core = (verb: string, args: () => unknown[]): VerbCall => ({ on: 'core', verb, args });
  const trainer = (verb: string, args: () => unknown[]): VerbCall => ({ on: 'trainer', verb, args });
  const tokenizer = (verb: string, args: () => unknown[]): VerbCall => ({ on: 'tokenizer', verb, args });
  const pairs = (verb: string, args: () => unknown[]): VerbCall => ({ on: 'pairs', verb, args });
  const square = () =>
    matrixOf([
      [1, 2],
      [3, 4],
    ]);
  const factors = () => ({ embedding: copy(EXPLORER), unembedding: copy(EXPLORER), between: square() });
  return [
    core('directPath', () => [factors()]),
    core('symmetry', () => [copy(TOY_CHAIN), { tolerance: 0.1, worst: 2 }]),
    core('directPathSymmetry', () => [factors(), { tolerance: 0.1, worst: 2 }]),
    core('solveUnembedding', () => [{ embedding: copy(EXPLORER), target: copy(TOY_CHAIN) }]),
    core('fitBounds', () => [copy(TOY_CHAIN), 2]),
    core('bigramBounds', () => [copy(TOY_COUNTS)]),
    core('irreversibility', () => [
      copy(TOY_COUNTS),
      { nullRuns: 2, seed: 1, onProgress: () => {}, signal: new AbortController().signal },
    ]),
    core('trainTokenizer', () => [TEXT, { kind: 'bpe', vocabSize: 20, alphabet: 'text' }]),
    core('loadTokenizer', () => [files.tokenizer.slice(), { format: 'tied-embeddings' }]),
    core('bigrams', () => [IDS(), 16]),
    core('writeStories', () => [{ seed: 1, length: 50 }]),
    core('randomMarkovChain', () => [{ states: 4, seed: 2, concentration: 0.5 }]),
    core('sampleMarkovChain', () => [{ transition: copy(TOY_CHAIN), length: 20, seed: 3 }]),
    core('markovBounds', () => [copy(TOY_CHAIN)]),
    core('createTrainer', () => [
      {
        model: { kind: 'direct-path', vocabSize: 16, dModel: 4, tying: TYING(), initStd: 0.1 },
        training: {
          optimizer: 'adamw',
          learningRate: 0.1,
          seed: 1,
          batchSize: 3,
          inputGradientScale: [
            [0, 1],
            [5, 2],
          ],
          learningRateMultipliers: { embedding: 1, unembedding: 2, inner: 1 },
        },
        tokenIds: IDS(),
        validationTokenIds: IDS(),
      },
    ]),
    core('createTrainer', () => [
      {
        model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
        training: { learningRate: 0.1, seed: 1 },
        bigramCounts: copy(TOY_COUNTS),
      },
    ]),
    core('writePairs', () => [{ task: 'sorting', seed: 1, count: 3, from: 2, length: 4 }]),
    core('parsePairs', () => ['katt\tcat\nhund\tdog']),
    core('pairTokenizer', () => [[{ source: 'ab', target: 'ba' }]]),
    core('createTrainer', () => [{ ...pairTrainerOptions(), validationPairs: PAIRS() }]),
    core('createTrainer', () => [
      { ...pairTrainerOptions(), model: { ...PAIR_MODEL, tying: { tables: ['encoder-input', 'output'] } } },
    ]),
    core('loadTrainer', () => [files.trainer.slice()]),
    core('loadModel', () => [files.trainer.slice(), { format: 'llama2c', training: { ...TRAINING }, tokenIds: IDS() }]),
    core('estimateMemory', () => [{ ...MODEL }, { ...TRAINING }]),
    core('align', () => [
      copy(EXPLORER),
      copy(EXPLORER),
      { method: 'ridge', center: true, holdOut: 0.4, nullRuns: 1, seed: 1, penalty: 2 },
    ]),
    core('neighbors', () => [copy(EXPLORER), 1, { k: 1, metric: 'cosine' }]),
    core('neighborOverlap', () => [copy(EXPLORER), copy(EXPLORER), { k: 1, metric: 'cosine', sample: 2, seed: 1 }]),
    core('spectralDistance', () => [
      copy(EXPLORER),
      copy(EXPLORER),
      { k: 1, metric: 'cosine', dimensions: 1, sample: 3, nullRuns: 1, seed: 1 },
    ]),
    core('kolmogorovCycles', () => [copy(TOY_COUNTS), { listed: 2, nullRuns: 2, seed: 1 }]),
    core('tiedFloor', () => [copy(TOY_COUNTS), { steps: 60, tolerance: 0.01, seed: 1 }]),
    core('recoverTable', () => [copy(TOY_CHAIN), { width: 2, tolerance: 0.001 }]),
    core('spectrum', () => [copy(EXPLORER), { center: false }]),
    core('cka', () => [copy(EXPLORER), copy(EXPLORER), { dimensions: 1 }]),
    core('isotropy', () => [copy(EXPLORER), { counts: Uint32Array.of(3, 2, 1), seed: 1 }]),
    core('normFrequency', () => [copy(EXPLORER), Uint32Array.of(3, 2, 1)]),
    core('decomposeHidden', () => [
      copy(EXPLORER),
      copy(EXPLORER),
      Uint32Array.of(0, 1, 2),
      { embedding: copy(EXPLORER) },
    ]),
    core('countParameters', () => [architecture(), 'untied']),
    core('countCompute', () => [
      architecture(),
      {
        sequences: 2,
        tokens: 5,
        heads: { sampled: { samples: 5 }, adaptive: { cutoffs: [10, 100], divisor: 4 }, culled: { vocabSize: 100 } },
      },
    ]),
    core('adviseTying', () => [architecture(), { startsFrom: 'scratch', parameterBudget: 1_000_000 }]),
    core('importConfig', () => [
      {
        model_type: 'llama',
        vocab_size: 1000,
        hidden_size: 64,
        intermediate_size: 128,
        num_hidden_layers: 2,
        num_attention_heads: 2,
        tie_word_embeddings: true,
        tokenizer: 'x',
      },
    ]),
    trainer('run', () => [3, { recordEvery: 2, onProgress: () => {}, signal: new AbortController().signal }]),
    trainer('evaluate', () => [IDS(), { signal: new AbortController().signal }]),
    trainer('matrix', () => ['embedding']),
    trainer('setMatrix', () => ['embedding', { rows: 16, cols: 8, data: new Float32Array(128).fill(0.5) }]),
    trainer('gradient', () => [{ inputs: IDS().slice(0, 8), targets: IDS().slice(1, 9), sequenceLength: 4 }]),
    trainer('nextTokenLogits', () => [{ from: IDS(), to: Uint32Array.of(1, 2) }]),
    trainer('nextTokenProbabilities', () => [{ from: IDS(), to: Uint32Array.of(1, 2) }]),
    trainer('logits', () => [Uint32Array.of(1, 2, 3), { withoutLayer: 0 }]),
    trainer('hiddenStates', () => [Uint32Array.of(1, 2, 3), { finalNorm: true }]),
    trainer('attention', () => [Uint32Array.of(1, 2, 3)]),
    trainer('logitLens', () => [
      IDS(),
      {
        lens: {
          layers: [{ weight: { rows: 8, cols: 8, data: new Float32Array(64) }, bias: new Float32Array(8) }],
        },
        onProgress: () => {},
        signal: new AbortController().signal,
      },
    ]),
    trainer('trainTunedLens', () => [
      {
        tokenIds: IDS(),
        steps: 2,
        tokensPerStep: 16,
        learningRate: 0.01,
        seed: 1,
        onProgress: () => {},
        signal: new AbortController().signal,
      },
    ]),
    trainer('gradientReport', () => [
      IDS(),
      { counts: new Uint32Array(16), onProgress: () => {}, signal: new AbortController().signal },
    ]),
    trainer('lossByFrequency', () => [
      IDS(),
      { counts: new Uint32Array(16), onProgress: () => {}, signal: new AbortController().signal },
    ]),
    trainer('calibration', () => [IDS(), { bins: 3, onProgress: () => {}, signal: new AbortController().signal }]),
    trainer('selfTransitions', () => [IDS(), { onProgress: () => {}, signal: new AbortController().signal }]),
    trainer('ngramCollisions', () => [IDS(), { onProgress: () => {}, signal: new AbortController().signal }]),
    trainer('ablateLayers', () => [IDS(), { onProgress: () => {}, signal: new AbortController().signal }]),
    trainer('modelCard', () => [
      {
        tokenIds: IDS(),
        counts: IDS().slice(0, 16),
        tunedLens: { tokenIds: IDS(), steps: 2, tokensPerStep: 16, learningRate: 0.01, seed: 1 },
        records: [{ step: 1, loss: 2.5, inputShare: 0.25, inputPositionShare: 0.5 }],
        nullRuns: 1,
        seed: 2,
        onProgress: () => {},
        signal: new AbortController().signal,
      },
    ]),
    trainer('directPath', () => [
      {
        finalNorm: true,
        mlp0: true,
        symmetry: { tolerance: 0.1, worst: 2 },
        onProgress: () => {},
        signal: new AbortController().signal,
      },
    ]),
    trainer('directPathReport', () => [
      IDS(),
      { bigramsOf: IDS(), onProgress: () => {}, signal: new AbortController().signal },
    ]),
    trainer('toGguf', () => [{ type: 'F16' }]),
    trainer('generate', () => [
      {
        prompt: 'the ',
        tokens: 5,
        temperature: 0.9,
        topK: 3,
        seed: 1,
        beyondContext: 'read',
        onTokens: () => {},
        signal: new AbortController().signal,
      },
    ]),
    trainer('generate', () => [{ prompt: Uint32Array.of(1, 2, 3), tokens: 5 }]),
    trainer('rewind', () => [0, { onProgress: () => {}, signal: new AbortController().signal }]),
    pairs('run', () => [2, { recordEvery: 1 }]),
    pairs('evaluatePairs', () => [
      PAIRS(),
      { translate: true, onProgress: () => {}, signal: new AbortController().signal },
    ]),
    pairs('gradient', () => [PAIRS()]),
    pairs('translate', () => [
      { source: Uint32Array.of(2, 3), maxTokens: 3, beams: 1, temperature: 0.5, topK: 2, seed: 1 },
    ]),
    pairs('translate', () => [{ source: Uint32Array.of(2, 3), beams: 2 }]),
    pairs('pairLogits', () => [{ source: Uint32Array.of(2, 3), target: Uint32Array.of(3) }]),
    pairs('pairAttention', () => [{ source: Uint32Array.of(2, 3), target: Uint32Array.of(3) }]),
    tokenizer('encode', () => ['the cat']),
    tokenizer('decode', () => [Uint32Array.of(1, 2, 3)]),
  ];
}

/** Names of the fields that lead to a value inside arguments. */
export type Path = readonly (string | number)[];

/** A value in an argument, with the path to it. */
export function placesIn(value: unknown, path: Path = []): [path: Path, value: unknown][] {
  const inner =
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      ? Object.entries(value).flatMap(([name, field]) => placesIn(field, [...path, name]))
      : [];
  return path.length === 0 ? inner : [[path, value], ...inner];
}

/** Replaces one value with another. */
export function replaceAt(args: unknown[], path: Path, by: (value: unknown) => unknown): unknown[] {
  let holder = args as unknown as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as typeof holder;
  const last = path.at(-1)!;
  holder[last] = by(holder[last]);
  return args;
}

/** The result of a verb as comparable values: for a handle, its file without the elapsed time. */
export async function comparable(result: unknown): Promise<unknown> {
  const given = await result;
  if (typeof given === 'object' && given !== null && 'save' in given) {
    const handle = given as { save(): Uint8Array | Promise<Uint8Array>; dispose(): void };
    const file = await handle.save();
    handle.dispose();
    return file;
  }
  return Array.isArray(given) && typeof given[0] === 'object' && given[0] !== null && 'tokensPerSecond' in given[0]
    ? given.map((record: object) => ({ ...record, tokensPerSecond: 0 }))
    : given;
}
