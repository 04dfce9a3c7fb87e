import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { dataTable } from '../shared/figure.js';
import { columnsTable } from '../shared/tables.js';
import type { ComputeCalculatorStrings } from './compute-calculator.strings.js';
import type { BothCounts } from './count-both.js';
import { memoryParts } from './compute-calculator.settings.js';
import { computeParts, ratio } from './work-chart.js';

/** Every number of the figure, unrounded. */
export function computeData({ tied, untied }: BothCounts, texts: ComputeCalculatorStrings): TemplateResult {
  const percent = (share: number): string => texts.percent(formatNumber(share * 100, { significant: 6 }));
  const { parts, macs, flop, heads } = untied;
  const arms = tied === null ? [untied] : [tied, untied];
  const none = arms.map(() => '');
  return html`
    ${dataTable({
      caption: texts.workData,
      head: [texts.quantity, texts.forward, texts.backward, texts.total, texts.share],
      rows: [
        ...computeParts.map((part) => [
          texts.part(part),
          formatWhole(parts[part].forward),
          formatWhole(parts[part].backward),
          formatWhole(parts[part].total),
          percent(ratio(parts[part].total, macs.total)),
        ]),
        [texts.all, formatWhole(macs.forward), formatWhole(macs.backward), formatWhole(macs.total), percent(1)],
        [texts.flop, formatWhole(flop.forward), formatWhole(flop.backward), formatWhole(flop.total), ''],
        [texts.headShare, percent(untied.headShare), '', '', ''],
        [texts.headShareOfWeights, percent(untied.headShareOfWeights), '', '', ''],
      ],
    })}
    ${dataTable({
      caption: texts.memoryData,
      head: [texts.quantity, ...(tied === null ? [] : [texts.tiedShort]), texts.untiedShort],
      rows: [
        ...memoryParts.map((part) => [texts.memoryPart(part), ...arms.map(({ bytes }) => formatWhole(bytes[part]))]),
        [texts.total, ...arms.map(({ bytes }) => formatWhole(bytes.total))],
        ...(tied === null
          ? []
          : [[texts.savedRow, formatWhole(untied.bytes.total - tied.bytes.total), ...none.slice(1)]]),
        ...(
          [
            ['servingWeights', 'weights'],
            ['servingCache', 'cache'],
            ['servingCacheToken', 'cachePerToken'],
            ['servingLogits', 'logits'],
            ['servingTotal', 'total'],
            ['servingRead', 'readPerToken'],
          ] as const
        ).map(([name, key]) => [texts[name], ...arms.map(({ serving }) => formatWhole(serving[key]))]),
      ],
    })}
    ${columnsTable({
      caption: texts.headsData,
      items: heads,
      columns: [
        [texts.headColumn, ({ kind }) => texts.headName(kind)],
        [texts.forwardColumn, (head) => formatWhole(head.macs.forward)],
        [texts.backwardColumn, (head) => formatWhole(head.macs.backward)],
        [texts.shareColumn, ({ shareOfFull }) => percent(shareOfFull)],
        [texts.atMostColumn, ({ atMost }) => formatWhole(atMost.total)],
        [texts.numbersColumn, ({ parameters }) => formatWhole(parameters)],
        [texts.logitsColumn, ({ logits }) => formatWhole(logits)],
        [texts.logitsBytesColumn, ({ logitsBytes }) => formatWhole(logitsBytes)],
      ],
    })}
  `;
}
