import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { makeScale } from '../../../charts/scale.js';
import { drawing } from '../../../charts/drawing.js';
import type { CardStrings } from './card.strings.js';
import { levelInWords, type Level } from './levels.js';

const [margin, rowHeight, keyHeight] = [8, 46, 46];
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Each measure on an axis from 0 to 1, with its chance level. */
export function profile(levels: readonly Level[], texts: CardStrings, width: number): TemplateResult {
  const scale = makeScale('linear', [0, 1], [margin, width - margin]);
  // A mean cosine below 0 is drawn at the end of the axis; the text states the number.
  const x = (value: number): number => scale(Math.max(0, Math.min(1, value)));
  const end = levels.length * rowHeight;
  const narrow = width < 400;
  const sentences = levels.map(({ name, value, chance }) =>
    texts.profileRow(name, levelInWords(value), chance === null ? null : levelInWords(chance)),
  );
  const row = ({ role, name, value, chance }: Level, at: number): SVGTemplateResult => {
    const y = at * rowHeight + 30;
    return svg`<g class="level ${role}">
      <text class="name" x="0" y=${y - 15}>${name}</text>
      <text class="number" x=${width} y=${y - 15} text-anchor="end">${levelInWords(value)}${
        chance === null || narrow ? '' : svg`<tspan class="faint"> (${levelInWords(chance)})</tspan>`
      }</text>
      <line class="track" x1=${scale(0)} x2=${scale(1)} y1=${y} y2=${y}></line>
      ${chance === null ? '' : svg`<line class="gap" x1=${x(chance)} x2=${x(value)} y1=${y} y2=${y}></line>`}
      ${chance === null ? '' : svg`<circle class="chance" cx=${x(chance)} cy=${y} r="7"></circle>`}
      <circle class="value" cx=${x(value)} cy=${y} r="4.5"></circle>
    </g>`;
  };
  return html`
    <p class="part-title" data-picture>${texts.profileTitle}</p>
    ${drawing(
      { label: texts.profileLabel(sentences.join(' ')), width, height: end + keyHeight },
      svg`
      ${ticks.map(
        (tick) => svg`
          <line class="grid" x1=${scale(tick)} x2=${scale(tick)} y1="22" y2=${end - 6}></line>
          <text class="faint" x=${scale(tick)} y=${end + 16}
            text-anchor=${tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle'}>${String(tick)}</text>`,
      )}
      ${levels.map(row)}
      <g class="level ink">
        <circle class="value" cx="8" cy=${end + 34} r="4.5"></circle>
        <text class="faint" x="20" y=${end + 38}>${texts.measured}</text>
        <circle class="chance" cx="109" cy=${end + 34} r="7"></circle>
        <text class="faint" x="122" y=${end + 38}>${texts.byChance}</text>
      </g>
      `,
    )}
  `;
}
