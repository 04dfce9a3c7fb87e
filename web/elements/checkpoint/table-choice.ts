import { html, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { Checkpoint } from '../../core/checkpoint/types.js';
import type { TableCandidate } from '../../core/runtime/errors.js';
import { button, select } from '../shared/controls.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { bytesInWords } from './refusal.js';

/** The chosen tables, by their position in the list; `output` null: the same tensor. */
export interface ChosenTables {
  readonly input: number;
  readonly output: number | null;
}

/**
 * The first candidate for the input, and for the output another one of the same shape, or of the transposed shape: some
 * files have one column per token.
 */
export function likelyTables(tables: readonly TableCandidate[]): ChosenTables {
  const [first] = tables;
  const shapes = [first?.shape ?? [], [...(first?.shape ?? [])].reverse()].map((shape) => shape.join());
  const isLike = ({ shape }: TableCandidate, at: number): boolean =>
    at > 0 && shape !== null && shapes.includes(shape.join());
  const output = tables.findIndex(isLike);
  return { input: 0, output: output < 0 ? null : output };
}

/** The table of an open file and the matrices that could be the other one; none if the verdict is not in doubt, or nothing can settle it. */
export function tablesInDoubt({ tying, tables: { input, output }, tensors }: Checkpoint): readonly TableCandidate[] {
  const there = input ?? output;
  if (tying.candidates.length === 0 || there === null) return [];
  const could = tensors.filter(({ name }) => tying.candidates.includes(name));
  if (could.length === 0) return [];
  return input === null ? [...could, there] : [there, ...could];
}

export const shapeInWords = (shape: readonly number[]): string => shape.map((size) => formatWhole(size)).join(' × ');

const inWords = ({ name, shape, dtype, bytes }: TableCandidate): string =>
  shape === null || dtype === null || bytes === null
    ? name
    : `${name}: ${shapeInWords(shape)}, ${dtype}, ${bytesInWords(bytes)}`;

const same = 'same';

/** Two lists of matrices, and a button that opens the file with the chosen ones. */
export function tableChoice(options: {
  readonly tables: readonly TableCandidate[];
  readonly chosen: ChosenTables;
  readonly texts: CheckpointStrings;
  readonly onChoose: (chosen: ChosenTables) => void;
  readonly onOpen: () => void;
}): TemplateResult {
  const { tables, chosen, texts, onChoose, onOpen } = options;
  const choices = tables.map((table, at) => ({ value: String(at), label: inWords(table) }));
  return html`<div class="row tables-choice" role="group" aria-label=${texts.tablesChoice}>
    ${select({
      label: texts.inputTable,
      value: String(chosen.input),
      choices,
      onChoose: (value) => onChoose({ ...chosen, input: Number(value) }),
    })}
    ${select({
      label: texts.outputTable,
      value: chosen.output === null ? same : String(chosen.output),
      choices: [{ value: same, label: texts.sameTensor }, ...choices],
      onChoose: (value) => onChoose({ ...chosen, output: value === same ? null : Number(value) }),
    })}
    ${button({ label: texts.openWithThese, kind: 'primary', onPress: onOpen })}
  </div>`;
}
