import { html, type TemplateResult } from 'lit';
import type { ComputeCount, ComputePart } from '../../core/accounting/types.js';
import { columnsTable } from '../shared/tables.js';
import { macsText, percentText } from './amounts.js';
import type { ComputeCalculatorStrings } from './compute-calculator.strings.js';
import { stackedBars } from './stacked-bars.js';

/** In the order in which a token passes through them. */
export const computeParts = [
  'lookup',
  'projections',
  'scores',
  'feed-forward',
  'head',
] as const satisfies readonly ComputePart[];

/** Which parts of the model the multiply-accumulates of a step are in. */
export function workChart(count: ComputeCount, width: number, texts: ComputeCalculatorStrings): TemplateResult {
  const { parts, macs } = count;
  const passes = ['forward', 'backward'] as const;
  const bars = passes.map((pass) => {
    const [name, amount] = [texts[pass], macsText(macs[pass])];
    const list = computeParts.map((part) => `${texts.part(part)} ${macsText(parts[part][pass])}`).join(', ');
    return {
      name,
      number: texts.macs(amount),
      spoken: texts.barLabel(name, amount, list),
      role: 'ink',
      parts: computeParts.map((part) => ({ id: part, value: parts[part][pass], under: texts.partInBar(part) })),
    };
  });
  return html`
    <div class="bars">${stackedBars(bars, width)}</div>
    <div class="rest" data-picture>
      ${columnsTable({
        look: 'numbers key',
        items: computeParts,
        rowLooks: computeParts,
        columns: [
          ['', (part) => html`<span class="swatch part-${part} of-ink"></span>${texts.part(part)}`],
          [texts.forward, (part) => macsText(parts[part].forward)],
          [texts.backward, (part) => macsText(parts[part].backward)],
          [texts.share, (part) => texts.percent(percentText(ratio(parts[part].total, macs.total)))],
        ],
      })}
    </div>
  `;
}

/** Zero if the whole is zero. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
