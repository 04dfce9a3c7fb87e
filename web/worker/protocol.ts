/** What page and worker say to each other. Both ends, and the lab on the page's own thread, speak in these terms. */
import type { BigramTableData } from '../core/bigram-table.js';
import { TiedError, type ErrorCode } from '../core/errors.js';
import type { CompiledCore } from '../core/module-source.js';
import type { ModuleName } from '../core/modules.js';
import type {
  Core,
  Corpus,
  LabTokenizer,
  LabTrainer,
  ModelConfig,
  Simd,
  Tokenizer,
  Trainer,
  TrainingConfig,
} from '../core/types.js';

/** Names of the methods of T but `dispose`. */
type VerbOf<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T] & string;
type Verb<T> = Exclude<VerbOf<T>, 'dispose'>;

export type CoreVerb = Verb<Core>;
export type TrainerVerb = Verb<Trainer>;
export type TokenizerVerb = Verb<Tokenizer>;

/** A verb that is missing here, or one too many, does not compile: see the checks below. */
export const CORE_VERBS = [
  'directPath',
  'symmetry',
  'directPathSymmetry',
  'solveUnembedding',
  'fitBounds',
  'bigramBounds',
  'irreversibility',
  'trainTokenizer',
  'loadTokenizer',
  'bigrams',
  'openCorpus',
  'compare',
  'writeStories',
  'randomMarkovChain',
  'sampleMarkovChain',
  'markovBounds',
  'createTrainer',
  'loadTrainer',
  'loadModel',
  'estimateMemory',
  'countParameters',
  'countCompute',
  'adviseTying',
  'knownModels',
  'importConfig',
] as const satisfies readonly CoreVerb[];

export const TRAINER_VERBS = [
  'run',
  'evaluate',
  'parameters',
  'matrix',
  'setMatrix',
  'gradient',
  'nextTokenLogits',
  'nextTokenProbabilities',
  'logits',
  'hiddenStates',
  'attention',
  'generate',
  'tokenizer',
  'save',
  'toSafetensors',
  'rewind',
] as const satisfies readonly TrainerVerb[];

export const TOKENIZER_VERBS = ['encode', 'decode', 'save'] as const satisfies readonly TokenizerVerb[];

export const CORPUS_VERBS = [
  'tokenIds',
  'frequencies',
  'bigrams',
  'irreversibility',
  'nextTokenProbabilities',
] as const satisfies readonly Verb<Corpus>[];

/** Verbs between the two ends, which no user sees: a corpus in another worker, and the parts of a comparison. */
export const INNER_CORE_VERBS: readonly string[] = ['adoptCorpus'];
export const INNER_CORPUS_VERBS: readonly string[] = ['share'];
export const COMPARISON_VERBS: readonly string[] = ['advance', 'goTo'];

type Complete<All extends string, Listed extends string> = [Exclude<All, Listed>] extends [never] ? true : false;
true satisfies Complete<CoreVerb, (typeof CORE_VERBS)[number]>;
true satisfies Complete<Verb<Corpus>, (typeof CORPUS_VERBS)[number]>;
true satisfies Complete<TrainerVerb, (typeof TRAINER_VERBS)[number]>;
true satisfies Complete<TokenizerVerb, (typeof TOKENIZER_VERBS)[number]>;

/** Which argument of a verb has a tokenizer among its options. */
export const TOKENIZER_PLACES: Readonly<Partial<Record<string, number>>> = {
  createTrainer: 0,
  loadModel: 1,
} satisfies Partial<Record<CoreVerb, number>>;

/** The core itself as the target of a call; handles count from 1. */
export const CORE_TARGET = 0;

export interface Call {
  target: number;
  verb: string;
  args: unknown[];
  /** Names the call in `cancel` and in its news. */
  ticket: number;
  /** Whether the caller wants news of it. */
  listens: boolean;
}

/** What stands for a tokenizer in the options of a call: the handle itself lives on the other side. */
export interface HandleReference {
  handle: number;
}

/** What a verb gave, in a form that survives structured cloning. */
export type Value =
  | { kind: 'plain'; value: unknown }
  | { kind: 'bigrams'; data: BigramTableData }
  | TrainerValue
  | TokenizerValue
  | { kind: 'corpus'; id: number; facts: CorpusFacts; tokenizer: TokenizerValue | null }
  | ComparisonValue;

export interface TrainerValue {
  kind: 'trainer';
  id: number;
  model: ModelConfig;
  training: TrainingConfig;
  step: number;
}
export interface TokenizerValue {
  kind: 'tokenizer';
  id: number;
  tokenizerKind: Tokenizer['kind'];
  tokens: readonly string[];
}
export type CorpusFacts = Pick<Corpus, 'vocabSize' | 'tokens' | 'validationTokens' | 'characters' | 'bounds'>;
/** Some of the arms of a comparison. */
export interface ComparisonValue {
  kind: 'comparison';
  id: number;
  arms: { name: string; trainer: TrainerValue }[];
}

/** `step`: of the trainer that was called, after the call. */
export interface ValueReply {
  ok: true;
  value: Value;
  step?: number;
}
export interface ErrorReply {
  ok: false;
  code: ErrorCode;
  message: string;
  step?: number;
}
export type Reply = ValueReply | ErrorReply;

export interface Started {
  ok: true;
  version: string;
  simd: Simd;
}

export interface Added {
  ok: true;
}

/** What the listener of the call with this ticket is to be called with. */
export type OnNews = (ticket: number, news: unknown[]) => void;

/** The lab's side that owns the core, wherever it runs. */
export interface LabBackend {
  call(call: Call): Promise<Reply>;
  /** Starts a module that the core was started without. */
  add(name: ModuleName, compiled: WebAssembly.Module): Promise<Added | ErrorReply>;
  /** Takes effect within one step, or token, of the sliced verb with this ticket. */
  cancel(ticket: number): void;
  /** Frees what a handle holds. */
  release(target: number): void;
}

/** Functions of the worker that the page calls. */
export interface WorkerFunctions extends LabBackend {
  /** Errors are values here too: only their message would survive being thrown across. */
  start(compiled: CompiledCore): Promise<Started | ErrorReply>;
}

/** Functions of the page that the worker calls. */
export interface PageFunctions {
  ready(): void;
  news: OnNews;
}

export type LabHandle = LabTrainer | LabTokenizer;

export function errorReply(error: unknown, step?: number): ErrorReply {
  const { code, message } =
    error instanceof TiedError ? error : new TiedError('unsupported', `the lab failed: ${String(error)}`);
  return step === undefined ? { ok: false, code, message } : { ok: false, code, message, step };
}

/** The buffers of all typed arrays in a value of our own, which can move instead of being copied. */
export function buffersOf(value: unknown): Transferable[] {
  const seen = new Set<unknown>();
  const found = new Set<Transferable>();
  const visit = (item: unknown): void => {
    // Lists of records or strings can be long and hold no arrays: what is not an object is passed over.
    if (typeof item !== 'object' || item === null || seen.has(item)) return;
    seen.add(item);
    if (!ArrayBuffer.isView(item)) Object.values(item).forEach(visit);
    else if (item.buffer instanceof ArrayBuffer) found.add(item.buffer);
  };
  visit(value);
  return [...found];
}

/** Arguments are copies of the caller's, made for this call; `a` is where the protocol of birpc has them. */
export function argumentBuffers(message: unknown): Transferable[] {
  const [call] = (message as { a?: Partial<Call>[] }).a ?? [];
  return buffersOf(call?.args);
}
