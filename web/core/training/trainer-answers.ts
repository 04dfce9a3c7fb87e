/** Converts the core's answers about a trainer to what users see. */
import type { Answer, Handle } from '../runtime/runtime.js';
import type { Attention, GradientLedger, Matrix, ModelConfig, ParameterInfo } from '../types.js';
import type { CoreModule, ModelsModule } from '../runtime/wasm-module.js';

/** The model with the ids that a culled head was given. */
export function withKept(model: ModelConfig, handle: Handle<CoreModule>): ModelConfig {
  if (model.kind === 'encoder-decoder' || model.head?.kind !== 'culled') return model;
  const kept = handle.call(
    [],
    // Only that module creates trainers with this head.
    (module, trainer) => (module as ModelsModule).keptTokens(trainer),
    (answer) => answer.ids(0),
  );
  return kept.length === 0 ? model : Object.freeze({ ...model, head: Object.freeze({ kind: 'culled', kept }) });
}

export interface ParameterEntry {
  name: string;
  rows: number;
  cols: number;
  isVector: boolean;
  /** Index of the parameter whose storage it shares, or -1. */
  tiedTo: number;
}

export function parametersOf(answer: Answer): ParameterEntry[] {
  const numbers = answer.numbers(0);
  return answer.texts(1).map((name, i) => {
    const [rows, cols, isVector, tiedTo] = numbers.subarray(4 * i, 4 * i + 4);
    return { name, rows: rows!, cols: cols!, isVector: isVector === 1, tiedTo: tiedTo! };
  });
}

export function parameterInfos(entries: readonly ParameterEntry[]): ParameterInfo[] {
  return entries.map(({ name, rows, cols, isVector, tiedTo }) => ({
    name,
    shape: isVector ? [cols] : [rows, cols],
    tiedTo: tiedTo < 0 ? null : entries[tiedTo]!.name,
    count: tiedTo < 0 ? rows * cols : 0,
  }));
}

export function ledgerOf(answer: Answer, model: ModelConfig): GradientLedger {
  const { vocabSize: rows, dModel, tableRank } = model;
  const cols = tableRank ?? dModel;
  const [inputRows, outputRows, inputPositionNorm] = answer.numbers(3);
  const [output, total] = [answer.floats(1), answer.floats(2)];
  const ledger: GradientLedger = {
    input: { rows, cols, data: answer.floats(0) },
    output: { rows: output.length / cols, cols, data: output },
    total: { rows, cols, data: total },
    inputRows: inputRows!,
    outputRows: outputRows!,
    inputPositionNorm: inputPositionNorm!,
  };
  if (tableRank === undefined) return ledger;
  const size = rows * cols;
  ledger.total = { rows, cols, data: total.slice(0, size) };
  const [read, written, sum] = matricesOf(total.subarray(size), tableRank, dModel);
  ledger.factor = { input: read!, output: written!, total: sum! };
  return ledger;
}

/** Splits one block of consecutive matrices [rows, cols]. */
export function matricesOf(block: Float32Array, rows: number, cols: number): Matrix[] {
  const size = rows * cols;
  return Array.from({ length: block.length / size }, (_, i) => ({
    rows,
    cols,
    data: block.slice(i * size, (i + 1) * size),
  }));
}

/** From a block of [from, to] matrices, ordered by layer, then head. */
export function attentionOf(block: Float32Array, from: number, to: number, { nHeads = 1 }: ModelConfig): Attention[] {
  return matricesOf(block, from, to).map((weights, i) => ({
    layer: Math.floor(i / nHeads),
    head: i % nHeads,
    weights,
  }));
}
