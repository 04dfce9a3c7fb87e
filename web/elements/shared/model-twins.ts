/** The tied and the untied model of a file with trained models, as trainers in a figure's lab. */
import type { Lab, LabTrainer, Matrix, TransformerConfig } from '../../core/types.js';
import type { LabLease } from './lab-lease.js';
import { fetchModels, matrixOf, type FileContent, type MeasuredText } from './models-file.js';
import { openModels, type SavedModel } from './saved-models.js';
import { encodeKnown, type KnownText } from './unknown-words.js';
import { whenGone, type Host } from './when-gone.js';

export const twinKinds = ['tied', 'untied'] as const;
export type TwinKind = (typeof twinKinds)[number];
export type PerModel<Value> = Readonly<Record<TwinKind, Value>>;

export const perModel = <Value>(of: (kind: TwinKind) => Value): PerModel<Value> => ({
  tied: of('tied'),
  untied: of('untied'),
});

/** What a model computes from a sequence: one row or element per position. */
export interface SequenceOutputs {
  /** The last hidden states before the final norm, and after it; logits are computed from the latter. */
  readonly before: Matrix;
  readonly after: Matrix;
  /** The tokens with the largest logits. */
  readonly predicted: Uint32Array;
}

export interface OpenedTwins {
  readonly trainers: PerModel<LabTrainer>;
  readonly read: (kind: TwinKind, ids: Uint32Array) => Promise<SequenceOutputs>;
  readonly tables: Readonly<Record<'tied' | 'reading' | 'writing', Matrix>>;
  /** The table of an untrained model: random directions. */
  readonly random: Matrix;
  readonly tokens: readonly string[];
  readonly contextLength: number;
  /** The text to measure on; null if the file has none. */
  readonly text: MeasuredText | null;
  readonly encode: (text: string) => Promise<Uint32Array>;
  /** The same for a text of the reader. @throws {UnknownWordsError} if the models know none of its words */
  readonly encodeKnown: (text: string) => Promise<KnownText>;
  readonly dispose: () => void;
}

const largestOfRows = ({ rows, cols, data }: Matrix): Uint32Array =>
  Uint32Array.from({ length: rows }, (_, row) => {
    const values = data.subarray(row * cols, (row + 1) * cols);
    return values.indexOf(Math.max(...values));
  });

async function outputsOf(trainer: LabTrainer, ids: Uint32Array): Promise<SequenceOutputs> {
  const [before, after] = (await trainer.hiddenStates(ids, { finalNorm: true })).slice(-2) as [Matrix, Matrix];
  return { before, after, predicted: largestOfRows(await trainer.logits(ids)) };
}

/**
 * The configurations of both models. A file without them has learned positions and the core's default numbers of layers
 * and heads, which the tensors do not show.
 */
export function twinConfigs({ tensor, configs }: FileContent): PerModel<TransformerConfig> {
  const [tied, untied] = twinKinds.map((kind): TransformerConfig => {
    const { rows: vocabSize, cols: dModel } = matrixOf(tensor(`${kind}.embedding`));
    if (configs === null) {
      const { rows: contextLength } = matrixOf(tensor(`${kind}.positions`));
      return { kind: 'transformer', tying: kind, vocabSize, dModel, contextLength };
    }
    const config = configs[kind];
    if (config?.kind !== 'transformer' || config.tying !== kind) throw new RangeError(`no ${kind} transformer`);
    if (config.vocabSize !== vocabSize || config.dModel !== dModel) throw new RangeError('sizes of another model');
    return config;
  }) as [TransformerConfig, TransformerConfig];
  if (tied.vocabSize !== untied.vocabSize) throw new RangeError('models with different tokens');
  return { tied, untied };
}

function savedTwins(content: FileContent): SavedModel[] {
  const configs = twinConfigs(content);
  const weightsOf =
    (kind: TwinKind) =>
    (name: string): Matrix =>
      matrixOf(content.tensor(`${kind}.${name}`));
  return [
    ...twinKinds.map((kind) => ({ model: configs[kind], weights: weightsOf(kind) })),
    { model: configs.tied, weights: () => null },
  ];
}

/** Opens both models. `otherFile` completes the error message if the file does not contain them. */
export async function openTwins(lab: Lab, bytes: Uint8Array, otherFile: string): Promise<OpenedTwins> {
  const { content, tokenizer, trainers, dispose } = await openModels(lab, bytes, savedTwins, otherFile);
  try {
    const [tied, untied, untrained] = trainers as [LabTrainer, LabTrainer, LabTrainer];
    const random = await untrained.matrix('embedding');
    untrained.dispose();
    return {
      trainers: { tied, untied },
      read: (kind, ids) => outputsOf({ tied, untied }[kind], ids),
      tables: {
        tied: await tied.matrix('embedding'),
        reading: await untied.matrix('embedding'),
        writing: await untied.matrix('unembedding'),
      },
      random,
      tokens: tokenizer.tokens,
      contextLength: Math.min(...[tied, untied].map(({ model }) => (model as TransformerConfig).contextLength ?? 0)),
      text: content.text,
      encode: (text) => tokenizer.encode(text),
      encodeKnown: (text) => encodeKnown(tokenizer, text),
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

export interface Closable {
  readonly dispose: () => void;
}

/** How long measurements report progress and are cancelled. */
export interface Listening {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Measures both models, one after the other. */
export async function measureBoth<Value>(
  { signal, onProgress }: Listening,
  measure: (kind: TwinKind, listening: Listening) => Promise<Value>,
): Promise<PerModel<Value>> {
  const half = (before: number): Listening => ({ signal, onProgress: (done) => onProgress((before + done) / 2) });
  return { tied: await measure('tied', half(0)), untied: await measure('untied', half(1)) };
}

/** The URL of a file, or its bytes. */
type Source = string | { readonly bytes: Uint8Array };

/**
 * Fetches and opens models on first use, and again in a new lab if the lab dies. Disposes of them when other models
 * are opened and when the element leaves.
 */
export class ModelTwins<Opened extends Closable> {
  readonly #host: Host;
  readonly #labs: LabLease;
  readonly #open: (lab: Lab, bytes: Uint8Array, otherFile: string) => Promise<Opened>;
  #file: { readonly url: string; readonly bytes: Uint8Array } | null = null;
  #opened: { readonly lab: Lab; readonly source: Source; readonly models: Opened } | null = null;
  #fetched: number | null = null;

  constructor(host: Host, labs: LabLease, open: (lab: Lab, bytes: Uint8Array, otherFile: string) => Promise<Opened>) {
    this.#host = host;
    this.#labs = labs;
    this.#open = open;
    whenGone(host, () => this.close());
  }

  /** Bytes received so far while a file is being fetched; otherwise null. */
  get fetched(): number | null {
    return this.#fetched;
  }

  /** Asks a question about the models of a file; null after an abort. */
  async ask<Answer>(
    source: Source,
    question: (lab: Lab, models: Opened) => Promise<Answer>,
    { signal, otherFile }: { signal: AbortSignal; otherFile: string },
  ): Promise<Answer | null> {
    const bytes = typeof source === 'string' ? await this.#bytesOf(source, signal) : source.bytes;
    return this.#labs.ask(async (lab) => {
      if (this.#opened?.lab !== lab || this.#opened.source !== source) {
        this.close();
        const models = await this.#open(lab, bytes, otherFile);
        if (signal.aborted) {
          // The element may have left already.
          models.dispose();
          return null;
        }
        // An earlier question may have opened models meanwhile.
        this.close();
        this.#opened = { lab, source, models };
      }
      return question(lab, this.#opened.models);
    });
  }

  close(): void {
    this.#opened?.models.dispose();
    this.#opened = null;
  }

  async #bytesOf(url: string, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#file?.url === url) return this.#file.bytes;
    const onBytes = (bytes: number | null): void => {
      if (signal.aborted) return;
      this.#fetched = bytes;
      this.#host.requestUpdate();
    };
    onBytes(0);
    try {
      const bytes = await fetchModels(url, { signal, onBytes });
      this.#file = { url, bytes };
      return bytes;
    } finally {
      this.#fetched = null;
    }
  }
}
