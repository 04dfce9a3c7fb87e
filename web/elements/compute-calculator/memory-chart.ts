import { html, type TemplateResult } from 'lit';
import type { ComputeCount } from '../../core/accounting/types.js';
import { dataTable } from '../shared/figure.js';
import { bytesText } from './amounts.js';
import { memoryParts } from './compute-calculator.settings.js';
import type { ComputeCalculatorStrings } from './compute-calculator.strings.js';
import { stackedBars } from './stacked-bars.js';

export interface MemoryChart {
  readonly texts: ComputeCalculatorStrings;
  readonly width: number;
  /** Null if there is nothing to tie. */
  readonly tied: ComputeCount | null;
  readonly untied: ComputeCount;
}

/** The memory of training, tied and untied. */
export function memoryChart({ texts, width, tied, untied }: MemoryChart): TemplateResult {
  const arms = [
    ...(tied === null
      ? []
      : [{ role: 'tied', name: tiedName(tied, texts), short: texts.tiedShort, bytes: tied.bytes }]),
    { role: 'untied', name: texts.untied, short: texts.untiedShort, bytes: untied.bytes },
  ];
  const bars = arms.map(({ role, name, bytes }) => {
    const number = bytesText(bytes.total);
    const list = memoryParts.map((part) => `${texts.memoryPart(part)} ${bytesText(bytes[part])}`).join(', ');
    return {
      name,
      number,
      spoken: texts.memoryLabel(name, number, list),
      role,
      parts: memoryParts.map((part) => ({
        id: part,
        value: Number(bytes[part]),
        under: texts.memoryPart(part).toLowerCase(),
      })),
    };
  });
  return html`
    <div class="bars">${stackedBars(bars, width)}</div>
    <div class="rest" data-picture>
      ${dataTable({
        look: 'numbers key',
        head: ['', ...arms.map(({ role, short }) => ({ content: short, look: `words-${role}` }))],
        rows: [
          ...memoryParts.map((part) => [
            html`${arms.map(({ role }) => html`<span class="swatch part-${part} of-${role}"></span>`)}${texts.memoryPart(part)}`,
            ...arms.map(({ bytes }) => bytesText(bytes[part])),
          ]),
          ...(tied === null ? [] : [[texts.savedRow, bytesText(untied.bytes.total - tied.bytes.total), '']]),
        ],
        rowLooks: [...memoryParts.map(() => ''), 'saved'],
      })}
    </div>
  `;
}

/** An encoder-decoder can share three tables, or two. */
function tiedName({ tying, architecture }: ComputeCount, texts: ComputeCalculatorStrings): string {
  if (tying === 'tied-decoder') return texts.tiedDecoder;
  return architecture.stack === 'encoder-decoder' ? texts.tiedTables : texts.tied;
}
