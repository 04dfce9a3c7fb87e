/** Writes a trainer's model as the files that transformers opens, a tensor at a time, under its names and in its arrangement. */
import { NAMINGS, namesOf, partRows, type Arrangement, type FoundNaming } from '../running/namings.js';
import { TiedError } from '../../runtime/errors.js';
import { ggufArchitecture } from './gguf-fields.js';
import { modelNow, type WrittenTrainer } from './gguf-writing.js';
import type { AnyModel } from '../../model/model-options.js';
import { checkContinues } from '../../model/options.js';
import { allocateResult } from '../../runtime/runtime.js';
import { readSavedTokenizer } from '../../text/saved-tokenizer.js';
import { OWN_TOKENIZER_KEY, storedTokenizer } from '../../text/stored-tokenizer.js';
import { tokenizerJson } from './tokenizer-json.js';
import { transformersConfig } from './transformers-config.js';
import type { FileBytes, ParameterInfo, TransformersFiles } from '../../types.js';
import { verb } from '../../runtime/verb.js';
import type { Work } from '../../runtime/work.js';
import { bytesOf, closing, WrittenFile } from './written-file.js';

const ALIGNMENT = 8;
const LENGTH_BYTES = 8;

/** Rows of a parameter that are one tensor. */
interface Part {
  readonly name: string;
  readonly parameter: string;
  readonly firstRow: number;
  /** Of the part, as it is here. */
  readonly rows: number;
  readonly cols: number;
  readonly how: Arrangement;
  /** As it is written. */
  readonly shape: readonly number[];
}

export const toTransformers = verb({
  what: 'saving',
  optionsAt: 0,
  onlyInLab: 'options',
  streams: true,
  check: ({ to }: { to?: MessagePort } = {}) => to,
  work: (trainer: WrittenTrainer, to) => closing(to, writing(trainer, to)),
});

function* writing(trainer: WrittenTrainer, to: MessagePort | undefined): Work<TransformersFiles> {
  checkContinues(trainer.model);
  const parameters = trainer.parameters();
  const model = modelNow(trainer.model, parameters);
  const architecture = ggufArchitecture(model);
  if (architecture === 'own') throw otherArchitecture(model);
  const saved = trainer.attached?.bytes ?? null;
  const tokenizer = saved && tokenizerJson(saved);
  const parts = partsOf(model, architecture, parameters);
  const header = headerOf(parts, saved);
  const config = transformersConfig(model, architecture, saved && readSavedTokenizer(saved));
  yield 0;
  const size = parts.reduce((sum, { rows, cols }) => sum + 4 * rows * cols, header.length);
  const file = new WrittenFile(size, to);
  yield* file.write(header);
  for (const [i, { parameter, firstRow, rows, cols, how }] of parts.entries()) {
    const matrix = trainer.matrix(parameter);
    const values = matrix.data.subarray(firstRow * matrix.cols, firstRow * matrix.cols + rows * cols);
    const arranged =
      how === 'turned'
        ? turned(values, rows, cols)
        : how === 'halves'
          ? halves(values, cols, model.dModel / model.nHeads!)
          : values;
    yield* file.write(bytesOf(arranged));
    yield (i + 1) / parts.length;
  }
  return {
    // The stream has it.
    ...(to ? {} : { 'model.safetensors': file.bytes }),
    'config.json': encoded(config),
    ...(tokenizer === null ? {} : { 'tokenizer.json': encoded(tokenizer) }),
  } as TransformersFiles;
}

const encoded = (text: string): FileBytes => new TextEncoder().encode(text) as FileBytes;

/** The settings that decide the architecture. */
const DECIDING = [
  'kind',
  'tying',
  'norm',
  'biases',
  'positions',
  'feedForward',
  'finalNorm',
  'embeddingScale',
  'outputBias',
] as const;

function otherArchitecture(model: AnyModel): TiedError {
  const found = DECIDING.flatMap((name) => {
    const value: unknown = model[name];
    return value === undefined ? [] : [`${name} ${typeof value === 'string' ? `'${value}'` : JSON.stringify(value)}`];
  });
  return new TiedError(
    'unsupported',
    `the model has ${found.join(', ')}; expected GPT-2's architecture (norm 'layer-norm', biases 'all', positions 'learned', feedForward 'gelu') ` +
      "or Llama's (norm 'rms-norm', biases 'none', positions 'rotary', feedForward 'swiglu'), tied or untied, with a full head and nothing else",
  );
}

// ---------------------------------------------------------------- names

const PREFIXES = { gpt2: 'transformer.', llama: 'model.' } as const;
const TABLES = {
  gpt2: { embedding: 'transformer.wte.weight', unembedding: 'lm_head.weight' },
  llama: { embedding: 'model.embed_tokens.weight', unembedding: 'lm_head.weight' },
} as const;

function partsOf({ dModel }: AnyModel, architecture: 'gpt2' | 'llama', parameters: readonly ParameterInfo[]): Part[] {
  const ours = architecture === 'gpt2' ? 'gpt-2' : architecture;
  const naming = NAMINGS.find(({ settings, architecture: of }) => settings === 'config' && of === ours)!;
  const found: FoundNaming = { naming, prefix: PREFIXES[architecture] };
  const tables: Readonly<Record<string, string>> = TABLES[architecture];
  return parameters
    .filter(({ tiedTo }) => tiedTo === null)
    .flatMap(({ name, shape }) => {
      const isVector = shape.length === 1;
      const [all, cols] = isVector ? [1, shape[0]!] : [shape[0]!, shape[1]!];
      const whole = { parameter: name, firstRow: 0, rows: all, cols, how: 'rows' as const, shape };
      const table = tables[name];
      if (table !== undefined) return [{ ...whole, name: table }];
      return namesOf(found, name).map(({ theirs, name: how }): Part => {
        if (isVector) return { ...whole, name: theirs };
        const { firstRow, rows } = partRows(how.rows, all, dModel);
        const written = how.how === 'turned' ? [cols, rows] : [rows, cols];
        return { ...whole, name: theirs, firstRow, rows, how: how.how, shape: written };
      });
    });
}

/** The length of the JSON, then the JSON, which ends where the first tensor begins. */
function headerOf(parts: readonly Part[], tokenizer: Uint8Array | null): Uint8Array {
  let end = 0;
  const entries = parts.map(({ name, shape, rows, cols }) => {
    const begin = end;
    end += 4 * rows * cols;
    return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }] as const;
  });
  const metadata = {
    format: 'pt',
    ...(tokenizer === null ? {} : { [OWN_TOKENIZER_KEY]: storedTokenizer(tokenizer) }),
  };
  const json = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) });
  const bytes = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / ALIGNMENT) * ALIGNMENT));
  const header = new Uint8Array(LENGTH_BYTES + bytes.length);
  new DataView(header.buffer).setBigUint64(0, BigInt(bytes.length), true);
  header.set(bytes, LENGTH_BYTES);
  return header;
}

// ---------------------------------------------------------------- arrangements

/** Rows as columns. */
function turned(values: Float32Array, rows: number, cols: number): Float32Array {
  const result = allocateResult(() => new Float32Array(values.length));
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) result[col * rows + row] = values[row * cols + col]!;
  return result;
}

/** In each head, from adjacent pairs that are rotated to all first elements followed by all second ones. */
function halves(values: Float32Array, cols: number, headWidth: number): Float32Array {
  const result = allocateResult(() => new Float32Array(values.length));
  const half = headWidth / 2;
  for (let row = 0; row < values.length / cols; row++) {
    const within = row % headWidth;
    const to = row - within + (within % 2) * half + Math.floor(within / 2);
    result.set(values.subarray(row * cols, (row + 1) * cols), to * cols);
  }
  return result;
}
