/** A claim, drawn: the values of every seed, paired by lines, and their difference with its interval. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { circle } from '../../charts/drawing.js';
import { plot, type PlotOptions } from '../../charts/plot.js';
import type { ClaimOutcome, Summary } from '../../core/types.js';
import type { ExperimentStrings } from './experiment.strings.js';
import { roleOfValue, type ArmRoles } from './roles.js';
import { intervalInWords, isNumber, listOf, meanOf, shown, valuesInWords, type SeedValues } from './value-words.js';

export type ClaimPoint = ClaimOutcome['points'][number];

/** More values would leave no space to see anything. */
const mostValues = 6;
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

interface ValuesDrawing {
  readonly texts: ExperimentStrings;
  readonly values: readonly DrawnValues[];
  readonly differences: readonly DrawnDifference[];
  readonly width: number;
  /** For screen readers. */
  readonly label: string;
}

/** Rows of values, then rows of differences on a separate scale; nothing if there are no values. */
export const valuesDrawing = (shown: ValuesDrawing): TemplateResult | typeof nothing =>
  shown.values.every(({ values, chance }) => ![...values, ...(chance ?? [])].some(isNumber))
    ? nothing
    : html`${valueRows(shown)}${shown.differences.length === 0 ? nothing : differenceRows(shown)}`;

/** Rows with their names above them. The margin has space for half the width of a number below the axis. */
const frame = (width: number) =>
  ({
    width,
    margin: { left: 14, right: 14, top: 0, bottom: 34 },
    x: { nice: true, ticks: width < 480 ? 4 : 7 },
  }) satisfies Partial<PlotOptions<never>>;

function valueRows({ texts, values, width, label }: ValuesDrawing): TemplateResult {
  const withChance = values.findIndex(({ chance }) => chance !== null);
  const role = (row: DrawnValues): string => `role-${row.role}`;
  return plot({
    ...frame(width),
    rows: values,
    y: {
      each: 48,
      above: 18,
      look: (row) => `name ${role(row)}`,
      name: ({ name }) => name,
      end: ({ name, values: all }) =>
        all.some(isNumber) ? besides(name, texts.mean(shown(meanOf(all.filter(isNumber)))), width) : '',
    },
    marks: ({ dots, line }) => [
      dots({ x: (row) => row.values, look: 'dot', rowLook: role, sign: circle(5.5) }),
      {
        draw: ({ x, place }) => {
          const byChance = (values[withChance]?.chance ?? []).filter(isNumber);
          if (byChance.length === 0) return nothing;
          // On a side that has space for it.
          const [left, right] = [x(Math.min(...byChance)) - 10, x(Math.max(...byChance)) + 10];
          const atRight = right < width - keyRoom;
          return svg`<text class="faint" x=${atRight ? right : left} y=${place(withChance)} text-anchor=${atRight ? 'start' : 'end'} dominant-baseline="central">${texts.byChance}</text>`;
        },
      },
      dots({ x: ({ chance }) => chance, look: 'chance' }),
      // A line per seed, from value to value.
      line({ x: (row) => row.values, look: 'seed' }),
    ],
    describe: () => '',
    label: () => label,
  }).drawing;
}

function differenceRows({ texts, differences, width }: ValuesDrawing): TemplateResult {
  const interval = ({ difference: { mean, halfWidth } }: DrawnDifference): number[] =>
    [-1, 1].map((side) => mean + side * (halfWidth ?? 0));
  return plot({
    ...frame(width),
    rows: differences,
    y: {
      each: 48,
      above: 18,
      look: 'named',
      name: ({ name }) => name,
      end: ({ name, difference }) => besides(name, intervalInWords(texts, difference), width),
    },
    marks: ({ dots, ticks, rules, level }) => [
      ticks({ x: ({ difference }) => difference.mean, dy: 6, height: 12, look: 'mean' }),
      ticks({ x: interval, dy: 6, height: 8, look: 'interval' }),
      rules({ x: interval, dy: 6, look: 'interval' }),
      dots({ x: ({ difference }) => difference.values, dy: -5, look: 'difference' }),
      level({ x: 0, look: 'zero' }),
    ],
  }).drawing;
}
