import { svg } from 'lit';
import { circle } from '../../../charts/drawing.js';
import { plot, type Plot } from '../../../charts/plot.js';
import type { CardStrings } from './card.strings.js';
import { levelInWords, type Level } from './levels.js';

// A mean cosine below 0 is drawn at the end of the axis; the text states the number.
const within = (value: number): number => Math.max(0, Math.min(1, value));

/** Each measure on an axis from 0 to 1, with its chance level. */
export function profile(levels: readonly Level[], texts: CardStrings, width: number): Plot<Level> {
  const narrow = width < 400;
  const rowLook = ({ role }: Level): string => `level ${role}`;
  return plot({
    rows: levels,
    width,
    margin: { top: 6 },
    x: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], format: String },
    y: {
      each: 46,
      above: 18,
      name: ({ name }) => name,
      end: ({ value, chance }) =>
        narrow || chance === null
          ? levelInWords(value)
          : svg`${levelInWords(value)}<tspan class="faint"> (${levelInWords(chance)})</tspan>`,
      endLook: () => 'number',
    },
    marks: ({ dots, rules }) => [
      dots({ x: ({ value }) => within(value), look: 'value', rowLook, sign: circle(4.5), key: texts.measured }),
      dots({
        x: ({ chance }) => (chance === null ? null : within(chance)),
        ...{ look: 'chance', sign: circle(6.5), key: texts.byChance },
      }),
      rules({
        x: ({ value, chance }) => (chance === null ? null : [within(chance), within(value)]),
        ...{ look: 'gap', rowLook },
      }),
      rules({ x: () => [0, 1], look: 'track' }),
    ],
    describe: ({ name, value, chance }) =>
      texts.profileRow(name, levelInWords(value), chance === null ? null : levelInWords(chance)),
    label: texts.profileLabel,
    caption: texts.numbersData,
    head: [texts.measureColumn, texts.valueColumn, texts.byChance],
    cells: ({ name, value, chance }) => [name, levelInWords(value), chance === null ? '–' : levelInWords(chance)],
  });
}
