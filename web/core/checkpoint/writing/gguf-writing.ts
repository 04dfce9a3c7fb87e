/** Writes a trainer's model as GGUF, a tensor at a time: matrices in F32 or F16, vectors and positions in F32, as llama.cpp expects. */
import { NAMINGS, namesOf, partRows, type FoundNaming } from '../running/namings.js';
import { TiedError } from '../../runtime/errors.js';
import { ggufArchitecture, ggufFields } from './gguf-fields.js';
import { ggufLayout, type GgufEntry } from './gguf-header.js';
import { halfBits } from '../../runtime/half.js';
import type { AnyModel } from '../../model/model-options.js';
import { checkContinues } from '../../model/options.js';
import type { HeldTrainer } from '../../training/held-trainer.js';
import { allocateResult } from '../../runtime/runtime.js';
import type { FileBytes, GgufOptions, Matrix, ModelConfig, ParameterInfo } from '../../types.js';
import { checkChoice, checkOptions } from '../../runtime/validate.js';
import { verb } from '../../runtime/verb.js';
import type { Work } from '../../runtime/work.js';

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
  check(options: GgufOptions = {}) {
    const { type = 'F32' } = checkOptions('options', options, ['type']);
    return checkChoice('options.type', type, TYPES);
  },
  *work(trainer: WrittenTrainer, type): Work<FileBytes> {
    checkContinues(trainer.model);
    const parameters = trainer.parameters();
    const model = modelNow(trainer.model, parameters);
    const parts = partsOf(model, parameters, type);
    const { header, starts, size } = ggufLayout(ggufFields(model, type, trainer.attached?.bytes ?? null), parts);
    yield 0;
    const file = allocateResult(() => new Uint8Array(size));
    file.set(header);
    for (const [i, part] of parts.entries()) {
      const { cols, data } = trainer.matrix(part.parameter);
      const elements = part.shape.reduce((product, length) => product * length, 1);
      write(file, starts[i]!, part, data.subarray(part.firstRow * cols, part.firstRow * cols + elements));
      yield (i + 1) / parts.length;
    }
    return file;
  },
});

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

function write(file: Uint8Array, start: number, { type, parameter }: Part, values: Float32Array): void {
  if (type === 'F32') {
    file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start);
    return;
  }
  const halves = new Uint16Array(file.buffer, start, values.length);
  for (let i = 0; i < values.length; i++) {
    const bits = halfBits(values[i]!);
    if ((bits & 0x7c00) === 0x7c00)
      throw new TiedError('not-finite', `${parameter} has ${values[i]}; expected at most 65504 in F16: use type 'F32'`);
    halves[i] = bits;
  }
}
