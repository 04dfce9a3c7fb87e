/** Converts the core's answers about a trainer to what users see. */
import { GRADIENT_LEDGER, type PARAMETER } from '../generated/records.js';
import type { Answer, Read } from '../runtime/answer.js';
import type { Handle } from '../runtime/runtime.js';
import type { Attention, GradientLedger, Matrix, ModelConfig, ParameterInfo } from '../types.js';
import type { CoreModule, ModelsModule } from '../runtime/wasm-module.js';

/** The model with the ids that a culled head was given. */
export function withKept(model: ModelConfig, handle: Handle<CoreModule>): ModelConfig {
  if (model.kind === 'encoder-decoder' || model.head?.kind !== 'culled') return model;
  const kept = handle.call(
    [],
    // Only that module creates trainers with this head.
    (module, trainer) => (module as ModelsModule).keptTokens(trainer),
    (answer) => answer.ids(),
  );
  return kept.length === 0 ? model : Object.freeze({ ...model, head: Object.freeze({ kind: 'culled', kept }) });
}

/** `owner`: index of the parameter whose storage it shares. */
export type ParameterEntry = Read<typeof PARAMETER>;

export function parameterInfos(entries: readonly ParameterEntry[]): ParameterInfo[] {
  return entries.map(({ name, rows, cols, isVector, owner }) => ({
    name,
    shape: isVector ? [cols] : [rows, cols],
    tiedTo: owner === null ? null : entries[owner]!.name,
    count: owner === null ? rows * cols : 0,
  }));
}

export function ledgerOf(answer: Answer, model: ModelConfig): GradientLedger {
  const { vocabSize: rows, dModel, tableRank, valueEmbeddings } = model;
  const cols = tableRank ?? dModel;
  const found = answer.read(GRADIENT_LEDGER);
  const { output, inputRows, outputRows, inputPositionNorm } = found;
  const ledger: GradientLedger = {
    input: { rows, cols, data: found.input },
    output: { rows: output.length / cols, cols, data: output },
    total: { rows, cols, data: found.total },
    ...{ inputRows, outputRows, inputPositionNorm },
  };
  if (valueEmbeddings !== undefined) {
    ledger.value = { rows, cols: found.third.length / rows, data: found.third };
    ledger.valueRows = found.thirdRows;
  }
  if (tableRank === undefined) return ledger;
  const [read, written, sum] = matricesOf(found.factor, tableRank, dModel);
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
