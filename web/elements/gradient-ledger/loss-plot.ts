import { html, nothing, svg, type TemplateResult } from 'lit';
import type { LossBand } from '../../core/types.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { makeScale } from '../../charts/scale.js';
import { drawing, keyEntry } from '../shared/drawing.js';
import { columnsTable, type Content } from '../shared/figure.js';
import { pairKinds, type PairKind } from '../shared/model-pair.js';
import { bandName } from './band-bars.js';
import { mark, modelKeys, type View } from './step-plot.js';

const [rowHeight, top, bottom, right] = [34, 8, 40, 16];

const nats = (value: number): string => formatNumber(value, { decimals: 2 });

const bandsOf = ({ measured, at }: View, kind: PairKind): readonly LossBand[] =>
  measured.reports[kind][at]!.losses.bands;

/**
 * How much lower or higher the untied model's loss is, on the most frequent tokens and on the rarest predicted ones.
 */
export function gainWords(view: View): string {
  const { texts } = view;
  const [tied, untied] = [bandsOf(view, 'tied'), bandsOf(view, 'untied')];
  const words = tied.map(({ loss }, index) => {
    const gain = loss - untied[index]!.loss;
    return gain < 0 ? texts.higher(nats(-gain)) : texts.lower(nats(gain));
  });
  return tied.length < 2 ? '' : texts.gains(words.at(-1)!, words[0]!, formatWhole(tied[0]!.tokens));
}

/** For each band of tokens: the loss of both models, and of a reader who knows only how often tokens occur. */
export function lossPlot(view: View): TemplateResult {
  const { texts, chance, width } = view;
  const [tied, untied] = pairKinds.map((kind) => bandsOf(view, kind)) as [readonly LossBand[], readonly LossBand[]];
  const left = width < 420 ? 112 : 132;
  const largest = Math.max(
    ...[...tied, ...untied].map(({ loss }) => loss),
    ...(chance ? tied.map((b) => b.chance) : []),
  );
  const x = makeScale('linear', [0, Math.max(1, Math.ceil(largest))], [left, width - right]);
  const [last, height] = [top + tied.length * rowHeight, top + tied.length * rowHeight + bottom];
  const described = tied.map((band, index) =>
    texts.lossLabel(bandName(texts, band), formatWhole(band.tokens), nats(band.loss), nats(untied[index]!.loss)),
  );
  return html`
    <p class="part-title" data-picture>${texts.lossTitle}</p>
    <div class="row note" data-picture>
      ${modelKeys(texts)}
      ${chance ? keyEntry(svg`<line class="level" x1="7" x2="7" y2="14"></line>`, texts.lossByChance) : nothing}
    </div>
    ${drawing(
      { label: described.join(' '), width, height },
      svg`
      ${x.ticks(width < 420 ? 4 : 7).map(
        (tick) => svg`
          <line class="grid" x1=${x(tick)} x2=${x(tick)} y1=${top} y2=${last}></line>
          <text class="faint" x=${x(tick)} y=${last + 17} text-anchor="middle">${formatNumber(tick, { decimals: 0 })}</text>`,
      )}
      <text class="faint" x=${(left + width - right) / 2} y=${height - 5} text-anchor="middle">${texts.lossAxis}</text>
      ${tied.map((band, index) => {
        const middle = top + (index + 0.5) * rowHeight;
        const other = untied[index]!.loss;
        return svg`
          <text class="name" x=${left - 8} y=${middle} text-anchor="end" dominant-baseline="central">${bandName(texts, band)}</text>
          ${
            chance
              ? svg`<line class="level" x1=${x(band.chance)} x2=${x(band.chance)} y1=${middle - 12} y2=${middle + 12}></line>`
              : nothing
          }
          <line class="between" x1=${x(band.loss)} x2=${x(other)} y1=${middle} y2=${middle}></line>
          <g class="untied">${mark('untied', x(other), middle)}</g>
          <g class="tied">${mark('tied', x(band.loss), middle)}</g>`;
      })}
      `,
    )}
  `;
}

/** The plot as a table. */
export function lossData(view: View): Content {
  const [tied, untied] = pairKinds.map((kind) => bandsOf(view, kind)) as [readonly LossBand[], readonly LossBand[]];
  const { texts } = view;
  const [occur, predictions, chance] = texts.lossHead;
  const byChance = [chance, (index: number) => nats(tied[index]!.chance)] as const;
  const losses = (bands: readonly LossBand[]) => (index: number) => {
    const { loss, standardError } = bands[index]!;
    // A single prediction has no standard error; in earlier measurements it is null.
    return Number.isFinite(standardError) ? `${nats(loss)} ± ${nats(standardError)}` : nats(loss);
  };
  return columnsTable({
    caption: texts.lossTitle,
    items: tied.map((_, index) => index),
    columns: [
      [occur, (index) => bandName(texts, tied[index]!)],
      [predictions, (index) => formatWhole(tied[index]!.tokens)],
      [texts.names.tied, losses(tied)],
      [texts.names.untied, losses(untied)],
      ...(view.chance ? [byChance] : []),
    ],
  });
}
