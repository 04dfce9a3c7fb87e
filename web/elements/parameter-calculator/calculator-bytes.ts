/** Bytes of the token tables in the files of programs that quantize, as a table. Loaded with the exact numbers, which few readers open. */
import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { CompleteArchitecture } from '../../core/accounting/types.js';
import { tableBytes, type TableBytes } from '../../core/accounting/table-bytes/rules.js';
import { columnsTable } from '../shared/tables.js';
import type { PackedFiles } from './calculator-counts.js';
import type { ParameterCalculatorStrings } from './parameter-calculator.strings.js';

const programs: Readonly<Record<PackedFiles, string>> = {
  gguf: 'llama.cpp',
  mlx: 'MLX',
  ollama: 'Ollama',
  onnx: 'ONNX Runtime GenAI',
};

export function bytesTable(
  texts: ParameterCalculatorStrings,
  architecture: CompleteArchitecture,
  files: PackedFiles,
): TemplateResult {
  const items = tableBytes(architecture).filter(({ program }) => program === programs[files]);
  if (items.length === 0) return html`<p>${texts.noBytes}</p>`;
  const stored = ({ type, bytes }: TableBytes['shared']): string => texts.storedAs(formatWhole(bytes), type);
  return html`${columnsTable({
      caption: texts.bytesCaption(texts.filesNames[files]),
      items,
      columns: [
        [texts.fileKind, ({ kind }) => kind],
        [texts.sharedTable, ({ shared }) => stored(shared)],
        [texts.parts['input-table'], ({ input }) => stored(input)],
        [texts.parts['output-table'], ({ output }) => stored(output)],
        [texts.savedBytes, ({ saved }) => formatWhole(saved)],
        [
          texts.ofUntiedHead,
          ({ savedOfUntied }) => texts.percent(formatNumber(savedOfUntied * 100, { significant: 4 })),
        ],
      ],
    })}
    <p>${texts.bytesNotes[files]}</p>`;
}
