import { html, nothing, svg, type TemplateResult } from 'lit';
import { barsPicture } from '../shared/bars.js';
import { keyEntry } from '../../charts/drawing.js';
import { wholePercent } from '../shared/in-words.js';
import { pairKinds } from '../shared/model-pair.js';
import { shareOfTime, shareOfWork } from './race.js';
import { mark, type RaceView } from './scatter.js';

/** The mean over the tied and the untied model. */
export function measuredShare(
  { race }: Pick<RaceView, 'race'>,
  head: RaceView['costs'][number]['head'],
): number | null {
  const shares = pairKinds.map((tying) => (race === null ? null : shareOfTime(race, { head, tying })));
  return shares.every((share) => share !== null) ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null;
}

/** For each head: the counted work as a bar, and the measured time over it. */
export function costRows(view: RaceView, width: number): TemplateResult {
  const { texts, costs, race } = view;
  const full = costs.find(({ head }) => head === 'full')!;
  const whole = full.macs + full.layers;
  // For the full head it is 1, by definition.
  const measured = costs.map(({ head }) =>
    (head === 'full' ? [] : pairKinds).map((tying) => ({
      tying,
      share: race === null ? null : shareOfTime(race, { head, tying }),
    })),
  );
  const most = Math.max(0, ...measured.flat().map(({ share }) => share ?? 0));
  // Leaves space for the marks of heads that take longer than the full head.
  const max = Math.max(1, 1.03 * most);
  const roomy = width >= 560;
  return html`
    <p class="part-title" data-picture>${texts.costTitle}</p>
    <div class="row note" data-picture>
      ${keyEntry(svg`<rect class="layers" y="2" width="14" height="10"></rect>`, texts.counted)}
      ${keyEntry(svg`<rect class="head-bar" y="2" width="14" height="10"></rect>`, texts.countedHead)}
      ${
        race === null
          ? nothing
          : pairKinds.map((kind) =>
              keyEntry(svg`<g class=${kind}>${mark(kind, 7, 7)}</g>`, texts.measured(texts.tyings[kind])),
            )
      }
    </div>
    ${barsPicture({
      width,
      max,
      axis: false,
      barHeight: 14,
      track: true,
      bars: costs.map(({ head, macs, layers }) => {
        const counted = wholePercent(shareOfWork(costs, head));
        const share = measuredShare(view, head);
        return {
          name: roomy ? `${texts.heads[head]}: ${texts.headNotes[head]}` : texts.heads[head],
          number:
            share === null || head === 'full' ? texts.costCounted(counted) : texts.cost(counted, wholePercent(share)),
          parts: [
            { look: 'layers', value: layers / whole },
            { look: 'head-bar', value: macs / whole },
          ],
        };
      }),
      above: ({ bars, barHeight }) => svg`
        ${bars.map(({ y }, at) =>
          (measured[at] ?? []).map(({ tying, share }) =>
            share === null
              ? nothing
              : svg`<g class=${tying}>${mark(tying, 1 + (share / max) * (width - 2), y + barHeight / 2)}</g>`,
          ),
        )}`,
    })}
    ${
      roomy
        ? nothing
        : html`<ul class="notes" data-picture>
            ${costs.map(({ head }) => html`<li>${texts.heads[head]}: ${texts.headNotes[head]}</li>`)}
          </ul>`
    }
  `;
}
