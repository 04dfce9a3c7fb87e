/** A claim, drawn: the values of every seed, paired by lines, and their difference with its interval. */
import { nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { makeScale, niceDomain, type Scale } from '../../charts/scale.js';
import { scaleTicks } from '../../charts/ticks.js';
import type { ClaimOutcome, Summary } from '../../core/types.js';
import { polyline, type Point } from '../../charts/paths.js';
import { drawing } from '../../charts/drawing.js';
import type { ExperimentStrings } from './experiment.strings.js';
import { roleOfValue, type ArmRoles } from './roles.js';
import { intervalInWords, isNumber, listOf, meanOf, shown, valuesInWords, type SeedValues } from './value-words.js';

export type ClaimPoint = ClaimOutcome['points'][number];

const [nameRoom, dotsRoom, axisRoom] = [22, 26, 34];
/** More values would leave no space to see anything. */
const mostValues = 6;
/** Half the width of a number below the axis. */
const inset = 14;
const narrow = 420;
/** Approximate width of a bold letter in a name. */
const letter = 7.4;
/** Width of the words beside the chance levels. */
const keyRoom = 70;

/** The words at the end of a row, if its name leaves space for them. */
const besides = (name: string, words: string, width: number): string =>
  width < narrow || letter * (name.length + words.length + 2) > width ? '' : words;

function inWords(texts: ExperimentStrings, { values, difference }: ClaimPoint): string {
  const last = difference && texts.differenceLabel(listOf(difference.values), intervalInWords(texts, difference));
  return texts.claimLabel(valuesInWords(texts, values), last ?? '');
}

/** The drawing of one point of the grid; nothing as long as no seed has a value. */
export function claimDrawing(options: {
  readonly texts: ExperimentStrings;
  readonly point: ClaimPoint;
  readonly roles: ArmRoles;
  readonly width: number;
}): TemplateResult | typeof nothing {
  const { texts, point, roles, width } = options;
  const name = width < narrow ? texts.differenceShort : texts.difference;
  return valuesDrawing({
    texts,
    width,
    label: inWords(texts, point),
    values: point.values.slice(0, mostValues).map((one) => ({ ...one, role: roleOfValue(one.name, roles) })),
    differences: point.difference === null ? [] : [{ name, difference: point.difference }],
  });
}

/** A row of dots, one per seed. */
export interface DrawnValues extends SeedValues {
  /** Determines the color. */
  readonly role: string;
}

export interface DrawnDifference {
  readonly name: string;
  readonly difference: Summary;
}

/** Rows of values, then rows of differences on a separate scale; nothing if there are no values. */
export function valuesDrawing(options: {
  readonly texts: ExperimentStrings;
  readonly values: readonly DrawnValues[];
  readonly differences: readonly DrawnDifference[];
  readonly width: number;
  /** For screen readers. */
  readonly label: string;
}): TemplateResult | typeof nothing {
  const { texts, values, differences, width, label } = options;
  const all = values.flatMap(({ values, chance }) => [...values, ...(chance ?? [])]).filter(isNumber);
  if (all.length === 0) return nothing;
  const scale = makeScale('linear', niceDomain([Math.min(...all), Math.max(...all)]), [inset, width - inset]);
  const valuesEnd = values.length * (nameRoom + dotsRoom);
  const top = valuesEnd + axisRoom;
  const height = top + (differences.length === 0 ? 0 : differences.length * (nameRoom + dotsRoom) + axisRoom);
  const rowAt = (row: number): number => row * (nameRoom + dotsRoom) + nameRoom + dotsRoom / 2;
  const withChance = values.findIndex(({ chance }) => chance !== null);
  return drawing(
    { label, width, height },
    svg`
      ${axis(scale, 0, valuesEnd, width)} ${pairs(values, scale, rowAt)}
      ${values.map((one, row) => valueRow(texts, one, scale, width, rowAt(row), row === withChance))}
      ${differences.length === 0 ? nothing : differenceRows(texts, differences, width, top)}
    `,
  );
}

function axis(scale: Scale, from: number, to: number, width: number): SVGTemplateResult {
  return svg`${scaleTicks(scale, width < 480 ? 4 : 7).map(
    ({ position, label }) => svg`
      <line class="grid" x1=${position} x2=${position} y1=${from + nameRoom} y2=${to}></line>
      <text class="faint" x=${position} y=${to + 16} text-anchor="middle">${label}</text>`,
  )}`;
}

/** A line per seed, from value to value. */
function pairs(values: readonly DrawnValues[], scale: Scale, rowAt: (row: number) => number): SVGTemplateResult {
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
  { name, role, values, chance }: DrawnValues,
  scale: Scale,
  width: number,
  y: number,
  withKey: boolean,
): SVGTemplateResult {
  const there = values.filter(isNumber);
  const byChance = (chance ?? []).filter(isNumber);
  // On a side that has space for it.
  const [left, right] = [scale(Math.min(...byChance)) - 10, scale(Math.max(...byChance)) + 10];
  const atRight = right < width - keyRoom;
  return svg`<g class="role-${role}">
    <text class="name" x="0" y=${y - dotsRoom / 2 - 6}>${name}</text>
    <text class="faint" x=${width} y=${y - dotsRoom / 2 - 6} text-anchor="end">${
      there.length === 0 ? '' : besides(name, texts.mean(shown(meanOf(there))), width)
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

function differenceRows(
  texts: ExperimentStrings,
  differences: readonly DrawnDifference[],
  width: number,
  top: number,
): SVGTemplateResult {
  const ends = differences.flatMap(({ difference: { values, mean, halfWidth } }) => {
    const reach = halfWidth ?? 0;
    return [...values, mean - reach, mean + reach];
  });
  const scale = makeScale('linear', niceDomain([Math.min(0, ...ends), Math.max(0, ...ends)]), [inset, width - inset]);
  const end = top + differences.length * (nameRoom + dotsRoom);
  return svg`
    ${axis(scale, top, end, width)}
    <line class="zero" x1=${scale(0)} x2=${scale(0)} y1=${top + nameRoom - 4} y2=${end}></line>
    ${differences.map((one, row) => differenceRow(texts, one, scale, width, top + row * (nameRoom + dotsRoom) + nameRoom + dotsRoom / 2))}`;
}

function differenceRow(
  texts: ExperimentStrings,
  { name, difference }: DrawnDifference,
  scale: Scale,
  width: number,
  y: number,
): SVGTemplateResult {
  const { values, mean, halfWidth } = difference;
  const reach = halfWidth ?? 0;
  const [low, high] = [scale(mean - reach), scale(mean + reach)];
  return svg`
    <text class="named" x="0" y=${y - dotsRoom / 2 - 6}>${name}</text>
    <text x=${width} y=${y - dotsRoom / 2 - 6} text-anchor="end">${besides(name, intervalInWords(texts, difference), width)}</text>
    ${values.map((value) => svg`<circle class="difference" cx=${scale(value)} cy=${y - 5} r="4"></circle>`)}
    <line class="interval" x1=${low} x2=${high} y1=${y + 6} y2=${y + 6}></line>
    ${[low, high].map((x) => svg`<line class="interval" x1=${x} x2=${x} y1=${y + 2} y2=${y + 10}></line>`)}
    <line class="mean" x1=${scale(mean)} x2=${scale(mean)} y1=${y} y2=${y + 12}></line>`;
}
