import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { StackPart } from '../../charts/marks.js';
import { formatCompact } from '../../charts/number-format.js';
import { plot } from '../../charts/plot.js';
import type { ParameterCount, TableTying } from '../../core/accounting/types.js';
import { partsOf, type CountedState, type Part } from './calculator-counts.js';
import { percentOf, wayName } from './calculator-words.js';
import type { ParameterCalculatorStrings } from './parameter-calculator.strings.js';

/** One bar per kind of tying, divided into its parts, with a key of the parts below. */

const barHeight = 22;
const swatch = 14;

/** Distances between the dots, and between the lines of the hatching. */
const dotStep = 4;
const lineStep = 7;

function dots(width: number, height: number): string {
  let path = '';
  // A part that is narrower than the distance between dots has dots too.
  for (let x = Math.min(dotStep, width) / 2; x < width + 1; x += dotStep) {
    for (let y = dotStep / 2; y < height; y += dotStep) path += `M${x} ${y}h.01`;
  }
  return path;
}

function hatching(width: number, height: number): string {
  let path = '';
  for (let x = -height; x < width; x += lineStep) path += `M${x} ${height}l${height} ${-height}`;
  return path;
}

const marks: Readonly<Record<string, typeof dots>> = { positions: dots, head: hatching };

/**
 * Dots or lines distinguish narrow parts without color; wide parts contain their name. The dots and lines are drawn one
 * by one, and clipped by their own `svg`: with `fill: url(#…)`, Chromium's style cache would keep a figure alive after
 * it was removed.
 */
function marksOf(id: string, x: number, y: number, width: number, height: number): SVGTemplateResult | '' {
  const drawn = marks[id]?.(width, height);
  if (drawn === undefined) return '';
  return svg`<svg x=${x} y=${y} width=${width} height=${height} pointer-events="none"><path class="marks-${id}" d=${drawn}></path></svg>`;
}

/** Upper estimate of the width of a name inside a bar, in pixels. */
const widthOfName = (name: string): number => name.length * 7.2 + 10;

export interface BarsInput {
  readonly texts: ParameterCalculatorStrings;
  readonly width: number;
  /** The bars; known before they are counted. */
  readonly ways: readonly TableTying[];
  readonly twoStacks: boolean;
  readonly counted: CountedState | null;
}

export function renderWays({ texts, width, ways, twoStacks, counted }: BarsInput): TemplateResult {
  const known: readonly { tying: TableTying; count: ParameterCount | null }[] =
    counted?.ways ?? ways.map((tying) => ({ tying, count: null }));
  const numberOf = (count: ParameterCount | null): string =>
    count === null ? texts.waiting : formatCompact(count.stored);
  const nameOf = (tying: TableTying): string => wayName(texts, tying, twoStacks);
  return plot({
    rows: known,
    width,
    margin: { left: 1, right: 1, top: 0 },
    x: {
      ...{ nice: true, ticks: Math.max(2, Math.round(width / 130)), lines: 'below' },
      ...(counted === null ? { format: () => '' } : {}),
    },
    y: {
      each: 50,
      above: 20,
      name: ({ tying }) => nameOf(tying),
      end: ({ count }) => numberOf(count),
      look: ({ tying }) => (tying === counted?.state.tying ? 'chosen' : ''),
      endLook: ({ tying }) => `number words-${tying === 'untied' ? 'untied' : 'tied'}`,
    },
    marks: ({ stack }) => [
      stack({
        parts: ({ count }) => (count === null ? [] : partsOf(count).map((part) => drawnPart(texts, part))),
        height: barHeight,
      }),
    ],
    describe: ({ tying, count }) => `${nameOf(tying)}: ${numberOf(count)} ${texts.axis}`,
    between: '. ',
  }).drawing;
}

/** A part with its name, or W with its roles, if there is space. */
function drawnPart(texts: ParameterCalculatorStrings, { id, count, roles }: Part): StackPart {
  const mark = roles.join(' = ');
  const name = texts.parts[id];
  const least = mark === '' ? widthOfName(name) : 20 + mark.length * 6;
  const words = mark === '' ? name : svg`W<tspan class="index" dy="3">${mark}</tspan>`;
  return {
    look: `bar bar-${id}`,
    value: count,
    title: `${name}: ${formatCompact(count)}`,
    over: ({ x, width }, middle) =>
      svg`${marksOf(id, x, middle - barHeight / 2, width, barHeight)}${
        width > least
          ? svg`<text class="in-bar on-${id}" x=${x + 6} y=${middle} dominant-baseline="central">${words}</text>`
          : ''
      }`,
  };
}

/** Every part of the highlighted bar, with its count and fraction. */
export function renderKey(
  texts: ParameterCalculatorStrings,
  counted: CountedState | null,
  twoStacks: boolean,
): TemplateResult {
  const way = counted?.chosen ?? null;
  const parts = way === null ? [] : partsOf(way.count);
  const item = ({ id, count }: Part): TemplateResult => html`
    <li>
      <svg class="swatch" width=${swatch} height=${swatch} aria-hidden="true">
        <rect class="bar bar-${id}" width=${swatch} height=${swatch}></rect>
        ${marksOf(id, 0, 0, swatch, swatch)}
      </svg>
      <span class="part">${texts.parts[id]}</span>
      <span class="part-number">${formatCompact(count)}</span>
      <span class="part-share"
        >${way === null ? nothing : percentOf(texts, shareOfStored(count, way.count.stored))}</span
      >
    </li>
  `;
  return html`
    <ul class="key" data-picture aria-label=${texts.keyTitle(way === null ? '' : wayName(texts, way.tying, twoStacks))}>
      ${parts.map(item)}
    </ul>
  `;
}

/** For display only: both may exceed what a double holds exactly. */
const shareOfStored = (count: number, stored: number): number => count / stored;
