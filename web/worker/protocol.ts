/** The messages between page and worker, also used by a lab on the page's own thread. */
import type { CORE_VERBS } from '../core/api/core-verbs.js';
import type { BigramTableData } from '../core/text/bigram-table.js';
import { TiedError, type ErrorCode } from '../core/runtime/errors.js';
import type { CompiledCore } from '../core/runtime/module-source.js';
import type { ModuleName } from '../core/runtime/modules.js';
import type { TRAINER_VERBS } from '../core/training/trainer-verbs.js';
import type { Core, Corpus, ModelConfig, Simd, Tokenizer, Trainer, TrainingConfig } from '../core/types.js';

/** Names of T's methods, except `dispose`. */
type VerbOf<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T] & string;
type Verb<T> = Exclude<VerbOf<T>, 'dispose'>;

/** Without those that a lab runs on the thread that opened it. */
export type CoreVerb = Exclude<Verb<Core>, 'runExperiment' | 'openCheckpoint' | 'modelCard'>;
export type TrainerVerb = Verb<Trainer>;
export type TokenizerVerb = Verb<Tokenizer>;

/** A missing or extra verb does not compile, see the checks below. */
export const TOKENIZER_VERBS = ['encode', 'decode', 'save'] as const satisfies readonly TokenizerVerb[];

export const CORPUS_VERBS = [
  'tokenIds',
  'frequencies',
  'bigrams',
  'irreversibility',
  'nextTokenProbabilities',
  'oneWayPairs',
] as const satisfies readonly Verb<Corpus>[];

/** Internal verbs between the two ends. */
export const INTERNAL_TRAINER_VERBS: readonly string[] = ['fill', 'begin'];
export const TABLE_SUMS_VERBS: readonly string[] = [
  ...['add', 'product', 'join', 'asymmetry', 'table', 'alignment', 'drift', 'findings'],
];
export const INTERNAL_CORPUS_VERBS: readonly string[] = ['share'];

type Complete<All extends string, Listed extends string> = [Exclude<All, Listed>] extends [never] ? true : false;
true satisfies Complete<CoreVerb, (typeof CORE_VERBS)[number]>;
true satisfies Complete<Verb<Corpus>, (typeof CORPUS_VERBS)[number]>;
true satisfies Complete<TrainerVerb, (typeof TRAINER_VERBS)[number]>;
true satisfies Complete<TokenizerVerb, (typeof TOKENIZER_VERBS)[number]>;

/** Index of the argument whose options may include a tokenizer. */
export const TOKENIZER_ARGUMENT_INDEX: Readonly<Partial<Record<string, number>>> = {
  createTrainer: 0,
  encodePairs: 0,
  loadModel: 1,
  startModel: 0,
} satisfies Partial<Record<CoreVerb | 'startModel', number>>;

/** The core itself as the target of a call; handles count from 1. */
export const CORE_TARGET = 0;

export interface Call {
  target: number;
  verb: string;
  args: unknown[];
  /** Identifies the call in `cancel` and in its news. */
  ticket: number;
  /** Whether the caller listens to news. */
  listens: boolean;
}

/** Refers to a tokenizer in the options of a call; the handle itself exists on the other side. */
export interface HandleReference {
  handle: number;
}

/** A verb's result, in a form that survives structured cloning. */
export type Value =
  | { kind: 'plain'; value: unknown }
  | { kind: 'bigrams'; data: BigramTableData }
  | TrainerValue
  | TokenizerValue
  | { kind: 'corpus'; id: number; facts: CorpusFacts; tokenizer: TokenizerValue | null }
  | ComparisonValue
  | { kind: 'table-sums'; id: number };

/** What a handle knows about its trainer between two calls. */
export interface TrainerState {
  step: number;
  threads: number;
  tyingChanges: readonly number[];
}
export interface TrainerValue extends TrainerState {
  kind: 'trainer';
  id: number;
  model: ModelConfig;
  training: TrainingConfig;
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

/** With the called trainer's state after the call. */
export interface ValueReply extends Partial<TrainerState> {
  ok: true;
  value: Value;
}
export interface ErrorReply extends Partial<TrainerState> {
  ok: false;
  code: ErrorCode;
  message: string;
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

/** Passes on the arguments for the listener of the call with this ticket. */
export type OnNews = (ticket: number, news: unknown[]) => void;

/** What a worker tells of the team of one of its trainers: that it wants so many more workers, or which it no longer needs. */
export type TeamNews = { wants: number; model: Readonly<ModelConfig> } | { left: readonly number[] };
export type OnTeamNews = (target: number, news: TeamNews) => void;

/** Ports to the other members of a team, and their places. */
interface Connections {
  places: readonly number[];
  ports: readonly MessagePort[];
}
/** To the worker of the trainer that leads a team, or to one that follows it; `team` is the page's number for it. */
export type TeamOrder =
  | ({ kind: 'lead'; target: number } & Connections)
  | { kind: 'lost'; target: number; place: number }
  | ({ kind: 'follow'; team: number; place: number } & Connections)
  | { kind: 'leave'; team: number };

/** The side of the lab that owns the core, wherever it runs. */
export interface LabBackend {
  call(call: Call): Promise<Reply>;
  /** Starts an optional module. */
  add(name: ModuleName, compiled: WebAssembly.Module): Promise<Added | ErrorReply>;
  /** Takes effect within one step or token of the sliced verb with this ticket. */
  cancel(ticket: number): void;
  /** Frees a handle's resources. */
  release(target: number): void;
  /** Has several workers train one model. Absent on the page's own thread. */
  team?(order: TeamOrder): void;
}

/** Functions of the worker that the page calls. */
export interface WorkerFunctions extends LabBackend {
  /** Returns errors as values, because thrown errors lose everything but their message. */
  start(compiled: CompiledCore): Promise<Started | ErrorReply>;
}

/** Functions of the page that the worker calls. */
export interface PageFunctions {
  ready(): void;
  news: OnNews;
  team: OnTeamNews;
}

export function errorReply(error: unknown, state: Partial<TrainerState> = {}): ErrorReply {
  const { code, message } =
    error instanceof TiedError ? error : new TiedError('unsupported', `the lab failed: ${String(error)}`);
  return { ok: false, code, message, ...state };
}

/** The buffers of all typed arrays in a value created here, which can be transferred instead of copied, and its ports. */
export function buffersOf(value: unknown): Transferable[] {
  const seen = new Set<unknown>();
  const found = new Set<Transferable>();
  const visit = (item: unknown): void => {
    // Lists can be long and hold no arrays; only objects need a visit.
    if (typeof item !== 'object' || item === null || seen.has(item)) return;
    seen.add(item);
    if (item instanceof MessagePort) found.add(item);
    else if (!ArrayBuffer.isView(item)) Object.values(item).forEach(visit);
    else if (item.buffer instanceof ArrayBuffer) found.add(item.buffer);
  };
  visit(value);
  return [...found];
}

/** Arguments are copies made for this call, so they can be transferred; birpc stores them in `a`. */
export function argumentBuffers(message: unknown): Transferable[] {
  const [first] = (message as { a?: Partial<Call & Connections>[] }).a ?? [];
  return first?.ports ? [...first.ports] : buffersOf(first?.args);
}
