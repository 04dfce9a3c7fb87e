// What is bundled into the command: web/command-parts.ts.
import type { Fields } from '../web/core/model/option-codec.js';
import type {
  Checkpoint,
  CompareOptions,
  CompleteArchitecture,
  Lab,
  LabCorpus,
  LabTrainer,
} from '../web/core/types.js';

export type { Fields };
/** The tables of options, and their defaults. */
export const ARCHITECTURE_FIELDS: Fields;
export const MODEL_FIELDS: Fields;
export const TRAINING_FIELDS: Fields;
export const MODEL_DEFAULTS: Readonly<Record<string, unknown>>;
export const TRAINING_DEFAULTS: Readonly<Record<string, unknown>>;

/** A tying, with the changes of a scheduled one that have been made. */
export function tyingInWords(policy: { tying: unknown; tyingChanges: readonly number[] }): string;

/** Bytes of the token tables in the files of programs that quantize. */
export function tableBytes(architecture: CompleteArchitecture, bits?: number): TableBytes[];
export interface StoredTable {
  type: string;
  bytes: number;
}
export interface TableBytes {
  program: string;
  kind: string;
  bits: number;
  shared: StoredTable;
  input: StoredTable;
  output: StoredTable;
  tied: number;
  untied: number;
  saved: number;
  savedOfUntied: number;
}

/** Whether two tables are the ends of a direct path, so far as is known. */
export function areEndsOfPath(
  tying: Checkpoint['tying'],
  input: { readonly name: string } | null,
  output: { readonly name: string } | null,
): boolean;
/** What a URL, or a link to a model's page, is read from; `otherwise`: if that is not there. */
export interface FileLink {
  readonly url: string;
  readonly otherwise: FileLink | null;
}
export function fileLink(text: string): FileLink;
export const headBytes: number;
/** The wasm module that a saved trainer runs in. */
export function moduleOfFile(bytes: Uint8Array): 'core' | 'models';
/** The version of the package. */
export const version: string;
export function fileKind(head: Uint8Array, size: number): { kind: string };
/** Text in one line of Markdown, with its marks escaped. */
export function inMarkdown(text: string): string;
/** Text with the characters that a terminal would interpret escaped. */
export function withoutControls(text: string): string;
/** What a card says of a checkpoint whose tables cannot be measured. */
export function unmeasuredMarkdown(facts: Pick<Checkpoint, 'format' | 'tying' | 'tables'>, why: string): string;
export function nameOf(bytes: Uint8Array): string | null;
export function nearest(name: string, known: readonly string[]): string | null;
/** Throws a TiedError if `value` is not an object with only these names. */
export function checkOptions(argument: string, value: unknown, known: readonly string[]): Record<string, unknown>;
export function completeTokenizer(tokenizer: object, argument: string): object;
export function completeModel(model: object): object;
export function completeTraining(training: object, wholeTable: boolean): object;
/** Names of a word tokenizer's special tokens. */
export const tokenNames: object;
/** Decodes a file as a page does when the reader drops one. */
export function decodeText(bytes: Uint8Array, fileName: string): string;
export function partsOfLink(link: string): { name: string; attributes: ReadonlyMap<string, string> } | null;
export function isRunLink(attributes: ReadonlyMap<string, string>): boolean;
/** Throws a RangeError whose message says what is wrong with the link. */
export function readRunLink(attributes: ReadonlyMap<string, string>): LinkedRun;
export function isTwinLink(attributes: ReadonlyMap<string, string>): boolean;
/** Throws a RangeError whose message says what is wrong with the link. */
export function readTwinLink(attributes: ReadonlyMap<string, string>): LinkedTwins;
/** What another program needs to repeat the measurement, and the values that it should find. */
export interface MeasuredAnew {
  kind: 'alignment' | 'states' | 'lens' | 'pairs';
  ids?: Uint32Array;
  configs?: Record<string, Record<string, unknown>>;
  /** For a tuned lens: how its translators are trained, and on which tokens. */
  translators?: { steps: number; tokensPerStep: number; learningRate: number; seed: number };
  training?: Uint32Array;
  values: Record<string, number>;
}
/** What a figure measures, and which of it is drawn. */
export interface Measurement {
  measured: object;
  drawn: Record<string, number | null>;
  anew: MeasuredAnew;
}
export interface Listening {
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}
export function isModelsLink(attributes: ReadonlyMap<string, string>): boolean;
/** Throws a RangeError whose message says what is wrong with the link. */
export function readModelsLink(attributes: ReadonlyMap<string, string>): {
  name: string;
  /** Null if the link's prompt has too few tokens. Rejects with a ModelsFileError. */
  measure: (lab: Lab, file: Uint8Array, listening: Listening) => Promise<Measurement | null>;
};
export function isBigramsLink(attributes: ReadonlyMap<string, string>): boolean;
/** Throws a RangeError whose message says what is wrong with the link. */
export function readBigramsLink(attributes: ReadonlyMap<string, string>): {
  name: string;
  /** Whether the text is the reader's own. */
  own: boolean;
  measure: (lab: Lab, own: { name: string; text: string } | null, listening: Listening) => Promise<Measurement>;
};
/** Fetches a models file; rejects with a ModelsFileError. */
export function fetchModels(
  url: string,
  listeners: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<Uint8Array>;
export interface LinkedTwins {
  name: string;
  steps: readonly number[];
  seed: number;
  measure: MeasureModel;
  drawn: (report: object) => Record<string, number | null>;
}
type MeasureModel<Report = object> = (trainer: LabTrainer, read: object, listening: object) => Promise<Report>;
/** Trains a tied and an untied model, and measures them after each of `steps`. */
export function trainTwins<Report>(
  lab: Lab,
  options: { seed: number; steps: readonly number[] },
  measure: MeasureModel<Report>,
  listening: { signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<{
  seed: number;
  reports: Record<'tied' | 'untied', Report[]>;
  /** Losses by step. */
  losses: Record<'tied' | 'untied', number[]>;
}>;
export function isSeq2seqLink(attributes: ReadonlyMap<string, string>): boolean;
/** Throws a RangeError whose message says what is wrong with the link. */
export function readSeq2seqLink(attributes: ReadonlyMap<string, string>): LinkedTranslators;
export interface LinkedTranslators {
  plan: TranslatorPlan;
  /** Whether the pairs are the reader's own, which links do not contain. */
  own: boolean;
  steps: number;
}
export interface TranslatorPlan {
  task: string;
  seed: number;
  tyings: readonly string[];
  lines: string | null;
}
/** There are too few pairs to train on some and hold others out. */
export class TooFewPairs extends Error {}
/** Creates the untrained models of an encoder-decoder figure. */
export function openModels(lab: Lab, plan: TranslatorPlan): Promise<TranslatorModels>;
export interface TranslatorModels {
  /** What the models are trained on. */
  trained: { source: Uint32Array[]; target: Uint32Array[] };
  about: {
    vocabSize: number;
    heldOut: number;
    leftOut: number;
    examples: readonly { source: string; target: string }[];
  };
  models: readonly TranslatorModel[];
}
export interface TranslatorModel {
  tying: string;
  trainer: LabTrainer;
  parameters: number;
  tableParameters: number;
  norms: Record<'encoder' | 'input' | 'output', number[]>;
}
/** Trains to the step `to`; resolves to the losses of the steps. */
export function trainModel(model: TranslatorModel, to: number): Promise<ArrayLike<number>>;
export function measureModel(
  lab: Lab,
  model: TranslatorModel,
  step: number,
  examples: readonly { source: string; target: string }[],
): Promise<{
  loss: number;
  exactMatch: number;
  characterErrorRate: number;
  drift: Record<'encoder' | 'input' | 'output', number>;
  alignment: Record<string, { cosine: number; chance: { mean: number; least: number; most: number } }>;
  written: readonly { text: string }[];
}>;
export function isHeadsLink(attributes: ReadonlyMap<string, string>): boolean;
/** Throws a RangeError whose message says what is wrong with the link. */
export function readHeadsLink(attributes: ReadonlyMap<string, string>): {
  own: boolean;
  steps: number;
  seed: number;
  question: (text: string | null) => HeadsQuestion;
};
export interface HeadsQuestion {
  steps: number;
  seed: number;
  dModel: number;
}
export interface HeadsTokens {
  vocabSize: number;
  trained: Uint32Array;
  validation: Uint32Array;
}
/** Null if the text is too short to hold out a part. */
export function openTokens(lab: Lab, question: HeadsQuestion, signal: AbortSignal): Promise<HeadsTokens | null>;
/** Every head, tied and untied. */
export function headModels(
  question: HeadsQuestion,
  tokens: HeadsTokens,
): { head: string; tying: string; options: Parameters<Lab['createTrainer']>[0] }[];
export interface LinkedRun {
  model: 'direct-path' | 'transformer';
  source: TextSource | null;
  settings: { seed: number; steps: number; tokenizer: string };
  plan: { validation: number; alphabet: 'bytes' | 'text' };
  step: number;
  viewStep: number | null;
}
export interface TextSource {
  kind: string;
  id?: string;
  name?: string;
  text?: string;
  length?: number;
  states?: number;
}
export function compareOptions(plan: object, settings: object, corpus: { validationTokens: number }): CompareOptions;
export function loadBuiltIn(id: string): Promise<{ title: string; text: string }>;
/** Rejects with a TextError, or with an error of the lab. */
export function openText(lab: Lab, options: object): Promise<{ corpus: LabCorpus; name: string | null }>;
