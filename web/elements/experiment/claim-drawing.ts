/** A claim drawn: the values of every seed, paired by lines, and their difference with its interval. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import { makeScale, niceDomain, type Scale } from '../../charts/scale.js';
import { scaleTicks } from '../../charts/ticks.js';
import type { ClaimOutcome, ClaimValue, Summary } from '../../core/types.js';
import { polyline, type Point } from '../../charts/paths.js';
import type { ExperimentStrings } from './experiment.strings.js';
import { roleOfValue, type ArmRoles } from './roles.js';

export type ClaimPoint = ClaimOutcome['points'][number];

const [nameRoom, dotsRoom, axisRoom] = [22, 26, 34];
/** More would leave no place to see anything. */
const mostValues = 6;
/** Half of a number below the axis. */
const inset = 14;
const narrow = 420;
/** Of the words beside the chance levels. */
const keyRoom = 70;

export const shown = (value: number): string => formatNumber(value);
const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export function intervalInWords(texts: ExperimentStrings, { mean, halfWidth }: Summary): string {
  return halfWidth === null ? shown(mean) : texts.plusMinus(shown(mean), shown(halfWidth));
}

function inWords(texts: ExperimentStrings, { values, difference }: ClaimPoint): string {
  const list = (all: readonly (number | null)[]): string => all.filter(isNumber).map(shown).join(', ');
  const parts = values.map(({ name, values, chance }) =>
    [texts.valueLabel(name, list(values)), ...(chance === null ? [] : [texts.chanceLabel(list(chance))])].join(' '),
  );
  const last = difference && texts.differenceLabel(list(difference.values), intervalInWords(texts, difference));
  return texts.claimLabel(parts.join(' '), last ?? '');
}

/** The drawing of one point of the grid; nothing while no seed has a value. */
export function claimDrawing(options: {
  readonly texts: ExperimentStrings;
  readonly point: ClaimPoint;
  readonly roles: ArmRoles;
  readonly width: number;
}): TemplateResult | typeof nothing {
  const { texts, point, roles, width } = options;
  const { difference } = point;
  const values = point.values.slice(0, mostValues);
  const all = values.flatMap(({ values, chance }) => [...values, ...(chance ?? [])]).filter(isNumber);
  if (all.length === 0) return nothing;
  const scale = makeScale('linear', niceDomain([Math.min(...all), Math.max(...all)]), [inset, width - inset]);
  const valuesEnd = values.length * (nameRoom + dotsRoom);
  const top = valuesEnd + axisRoom;
  const height = top + (difference === null ? 0 : nameRoom + dotsRoom + axisRoom);
  const rowAt = (row: number): number => row * (nameRoom + dotsRoom) + nameRoom + dotsRoom / 2;
  const hasChance = values.some(({ chance }) => chance !== null);
  return html`
    <svg
      data-picture
      role="img"
      aria-label=${inWords(texts, point)}
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
    >
      ${axis(scale, 0, valuesEnd, width)} ${pairs(values, scale, rowAt)}
      ${values.map((one, row) => valueRow(texts, one, roleOfValue(one.name, roles), scale, width, rowAt(row), hasChance && row === 0))}
      ${difference === null ? nothing : differenceRow(texts, difference, width, top)}
    </svg>
  `;
}

function axis(scale: Scale, from: number, to: number, width: number): SVGTemplateResult {
  return svg`${scaleTicks(scale, width < 480 ? 4 : 7).map(
    ({ position, label }) => svg`
      <line class="grid" x1=${position} x2=${position} y1=${from + nameRoom} y2=${to}></line>
      <text class="faint" x=${position} y=${to + 16} text-anchor="middle">${label}</text>`,
  )}`;
}

/** A line per seed, from value to value. */
function pairs(values: readonly ClaimValue[], scale: Scale, rowAt: (row: number) => number): SVGTemplateResult {
  const seeds = values[0]?.values.keys() ?? [];
  return svg`${[...seeds].map((seed) => {
    const points = values.flatMap(({ values }, row): Point[] => {
      const value = values[seed];
      return isNumber(value) ? [[scale(value), rowAt(row)]] : [];
    });
    return svg`<path class="seed" d=${polyline(points)}></path>`;
  })}`;
}

function valueRow(
  texts: ExperimentStrings,
  { name, values, chance }: ClaimValue,
  role: string,
  scale: Scale,
  width: number,
  y: number,
  withKey: boolean,
): SVGTemplateResult {
  const there = values.filter(isNumber);
  const byChance = (chance ?? []).filter(isNumber);
  // Where there is room for it.
  const [left, right] = [scale(Math.min(...byChance)) - 10, scale(Math.max(...byChance)) + 10];
  const atRight = right < width - keyRoom;
  return svg`<g class="role-${role}">
    <text class="name" x="0" y=${y - dotsRoom / 2 - 6}>${name}</text>
    <text class="faint" x=${width} y=${y - dotsRoom / 2 - 6} text-anchor="end">${
      there.length === 0 || width < narrow ? '' : texts.mean(shown(meanOf(there)))
    }</text>
    ${byChance.map((value) => svg`<circle class="chance" cx=${scale(value)} cy=${y} r="4"></circle>`)}
    ${
      withKey && byChance.length > 0
        ? svg`<text class="faint" x=${atRight ? right : left} y=${y} text-anchor=${atRight ? 'start' : 'end'} dominant-baseline="central">${texts.byChance}</text>`
        : nothing
    }
    ${there.map((value) => svg`<circle class="dot" cx=${scale(value)} cy=${y} r="5.5"></circle>`)}
  </g>`;
}

function differenceRow(texts: ExperimentStrings, difference: Summary, width: number, top: number): SVGTemplateResult {
  const { values, mean, halfWidth } = difference;
  const reach = halfWidth ?? 0;
  const ends = [0, ...values, mean - reach, mean + reach];
  const scale = makeScale('linear', niceDomain([Math.min(...ends), Math.max(...ends)]), [inset, width - inset]);
  const y = top + nameRoom + dotsRoom / 2;
  const end = top + nameRoom + dotsRoom;
  const [low, high] = [scale(mean - reach), scale(mean + reach)];
  const name = width < narrow ? '' : intervalInWords(texts, difference);
  return svg`
    ${axis(scale, top, end, width)}
    <line class="zero" x1=${scale(0)} x2=${scale(0)} y1=${top + nameRoom - 4} y2=${end}></line>
    <text x="0" y=${y - dotsRoom / 2 - 6}>${width < narrow ? texts.differenceShort : texts.difference}</text>
    <text x=${width} y=${y - dotsRoom / 2 - 6} text-anchor="end">${name}</text>
    ${values.map((value) => svg`<circle class="difference" cx=${scale(value)} cy=${y - 5} r="4"></circle>`)}
    <line class="interval" x1=${low} x2=${high} y1=${y + 6} y2=${y + 6}></line>
    ${[low, high].map((x) => svg`<line class="interval" x1=${x} x2=${x} y1=${y + 2} y2=${y + 10}></line>`)}
    <line class="mean" x1=${scale(mean)} x2=${scale(mean)} y1=${y} y2=${y + 12}></line>`;
}
