/** Writes a trainer's model as GGUF, a tensor at a time: matrices in F32 or F16, vectors and positions in F32, as llama.cpp expects. */
import { NAMINGS, namesOf, partRows, type FoundNaming } from '../running/namings.js';
import { TiedError } from '../../runtime/errors.js';
import { ggufArchitecture, ggufFields } from './gguf-fields.js';
import { ggufLayout, type GgufEntry } from './gguf-header.js';
import { halfBits } from '../../runtime/half.js';
import type { AnyModel } from '../../model/model-options.js';
import { checkContinues } from '../../model/options.js';
import type { HeldTrainer } from '../../training/held-trainer.js';
import type { FileBytes, GgufOptions, Matrix, ModelConfig, ParameterInfo } from '../../types.js';
import { checkChoice, checkOptions } from '../../runtime/validate.js';
import { verb } from '../../runtime/verb.js';
import type { Work } from '../../runtime/work.js';
import { allocateResult } from '../../runtime/runtime.js';
import { bytesOf, closing, WrittenFile } from './written-file.js';

const TYPES = ['F32', 'F16'] as const;
type TensorType = (typeof TYPES)[number];

/** What is read from a trainer. */
export interface WrittenTrainer extends Pick<HeldTrainer, 'model' | 'attached'> {
  parameters(): ParameterInfo[];
  matrix(name: string): Matrix;
}

/** Rows of a parameter that are one tensor. */
interface Part extends GgufEntry {
  readonly parameter: string;
  readonly firstRow: number;
}

export const toGguf = verb({
  what: 'saving',
  optionsAt: 0,
  onlyInLab: 'listening',
  streams: true,
  check(options: GgufOptions & { to?: MessagePort } = {}) {
    const { type = 'F32', to } = checkOptions('options', options, ['type'], ['to']);
    // Only a lab makes a port of a stream.
    if (to !== undefined && !(to instanceof MessagePort)) checkOptions('options', { to }, ['type']);
    return { type: checkChoice('options.type', type, TYPES), to };
  },
  work: (trainer: WrittenTrainer, { type, to }) => closing(to, writing(trainer, type, to)),
});

function* writing(trainer: WrittenTrainer, type: TensorType, to: MessagePort | undefined): Work<FileBytes> {
  checkContinues(trainer.model);
  const parameters = trainer.parameters();
  const model = modelNow(trainer.model, parameters);
  const parts = partsOf(model, parameters, type);
  const { header, starts, size } = ggufLayout(ggufFields(model, type, trainer.attached?.bytes ?? null), parts);
  yield 0;
  const file = new WrittenFile(size, to);
  yield* file.write(header);
  for (const [i, part] of parts.entries()) {
    const { cols, data } = trainer.matrix(part.parameter);
    const elements = part.shape.reduce((product, length) => product * length, 1);
    yield* file.fill(starts[i]!);
    yield* file.write(stored(part, data.subarray(part.firstRow * cols, part.firstRow * cols + elements)));
    yield (i + 1) / parts.length;
  }
  yield* file.fill(size);
  return file.bytes;
}

/** A schedule is replaced by the current tying. */
export function modelNow(model: Readonly<ModelConfig>, parameters: readonly ParameterInfo[]): AnyModel {
  if (typeof model.tying === 'string') return model as AnyModel;
  const isTied = parameters.find(({ name }) => name === 'unembedding')!.tiedTo !== null;
  return { ...model, tying: isTied ? 'tied' : 'untied' } as AnyModel;
}

const TABLES: Readonly<Record<string, string>> = { embedding: 'token_embd.weight', unembedding: 'output.weight' };

function partsOf(model: AnyModel, parameters: readonly ParameterInfo[], type: TensorType): Part[] {
  const architecture = ggufArchitecture(model);
  const theirs = architecture === 'gpt2' ? 'gpt-2' : architecture;
  const naming = NAMINGS.find(({ settings, architecture: of }) => settings === 'gguf' && of === theirs);
  const found: FoundNaming | null = naming ? { naming, prefix: '' } : null;
  return parameters
    .filter(({ tiedTo }) => tiedTo === null)
    .flatMap(({ name, shape }) => {
      const isPlain = shape.length === 1 || name === 'positions';
      const partOf = (called: string, firstRow: number, rows: number): Part => {
        const own = shape.length === 1 ? shape : [rows, shape[1]!];
        const stored = isPlain ? 'F32' : type;
        const elements = own.reduce((product, length) => product * length, 1);
        return {
          ...{ name: called, parameter: name, firstRow, shape: own, type: stored },
          bytes: elements * (stored === 'F16' ? 2 : 4),
        };
      };
      if (found === null) return [partOf(name, 0, shape[0]!)];
      const table = TABLES[name];
      if (table !== undefined) return [partOf(table, 0, shape[0]!)];
      return namesOf(found, name).map(({ theirs: called, name: how }) => {
        const { firstRow, rows } = partRows(how.rows, shape[0]!, model.dModel);
        return partOf(called, firstRow, rows);
      });
    });
}

function stored({ type, parameter }: Part, values: Float32Array): Uint8Array {
  if (type === 'F32') return bytesOf(values);
  const halves = allocateResult(() => new Uint16Array(values.length));
  for (let i = 0; i < values.length; i++) {
    const bits = halfBits(values[i]!);
    if ((bits & 0x7c00) === 0x7c00)
      throw new TiedError('not-finite', `${parameter} has ${values[i]}; expected at most 65504 in F16: use type 'F32'`);
    halves[i] = bits;
  }
  return bytesOf(halves);
}
