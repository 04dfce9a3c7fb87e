import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { drawing } from '../../../charts/drawing.js';
import { formatNumber, formatWhole } from '../../../charts/index.js';
import { makeScale, type Scale } from '../../../charts/scale.js';
import {
  chosenWidths,
  guessedOf,
  percent,
  savedShare,
  type DecisionRun,
  type MeasuredWidth,
  type OwnRun,
  type Sizes,
} from './facts.js';

/** Where things are, in CSS pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** From top to bottom. */
  readonly cost: readonly [number, number];
  readonly saving: readonly [number, number];
  readonly x: Scale;
  readonly costY: Scale;
  readonly savingY: Scale;
}

/** What a reader can guess, in nats. */
const guessRange = [-0.05, 0.35] as const;
/** The interval of the widest models reaches below all guesses. */
const lowestCost = -0.08;
/** One of two equal tables is half of them. */
const mostSaved = 0.5;

export function layoutOf(width: number, own: OwnRun | null): Layout {
  const narrow = width < 560;
  const [left, right] = [44, width - 22];
  const cost = [30, 180] as const;
  const saving = [cost[1] + 34, cost[1] + 84] as const;
  const top = Math.max(guessRange[1], 1.12 * (own?.cost ?? 0));
  const bottom = Math.min(lowestCost, 1.12 * (own?.cost ?? 0));
  return {
    width,
    height: saving[1] + (narrow ? 42 : 26),
    left,
    right,
    cost,
    saving,
    x: makeScale('log', [chosenWidths[0]! * 0.86, chosenWidths.at(-1)!], [left, right]),
    costY: makeScale('linear', [bottom, top], [cost[1], cost[0]]),
    savingY: makeScale('linear', [0, mostSaved], [saving[1], saving[0]]),
  };
}

/** The chosen width that is nearest to a place in the drawing. */
export function widthIndexAt({ x }: Layout, position: number): number {
  const wanted = Math.log(x.invert(position));
  const away = chosenWidths.map((width) => Math.abs(Math.log(width) - wanted));
  return away.indexOf(Math.min(...away));
}

const line = (look: string, x1: number, y1: number, x2: number, y2: number): SVGTemplateResult =>
  svg`<line class=${look} x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;

/** Axes, and where nothing was measured. */
function axes({ x, costY, savingY, cost, saving, left, right, width }: Layout, run: DecisionRun): SVGTemplateResult {
  const everySecond = width < 560;
  const doublings = chosenWidths.filter((value) => Number.isInteger(Math.log2(value)));
  const widest = run.widths.at(-1)!.width;
  // Half a doubling beyond the last dots.
  const edge = x(widest * Math.SQRT2);
  const step = costY.domain()[1]! > 0.6 ? 0.2 : 0.1;
  const costTicks = Array.from({ length: 12 }, (_, i) => step * i).filter((tick) => tick <= costY.domain()[1]!);
  return svg`
    <rect class="unmeasured" x=${edge} y=${cost[0]} width=${right - edge} height=${cost[1] - cost[0]}></rect>
    <text class="faint" x=${(edge + right) / 2} y=${cost[0] + 14} text-anchor="middle">${everySecond ? 'not measured' : `not measured beyond ${widest}`}</text>
    ${costTicks.map((tick) => [
      line(tick === 0 ? 'zero' : 'grid', left, costY(tick), right, costY(tick)),
      svg`<text class="faint" x=${left - 8} y=${costY(tick) + 5} text-anchor="end">${formatNumber(tick, { decimals: tick === 0 ? 0 : 1 })}</text>`,
    ])}
    <text class="panel" x="0" y="14">One table costs<tspan class="unit">${everySecond ? ', nats per token' : ', nats per token of held-out text: tied minus untied'}</tspan></text>
    ${[0, mostSaved].map((tick) => [
      line(tick === 0 ? 'zero' : 'grid', left, savingY(tick), right, savingY(tick)),
      svg`<text class="faint" x=${left - 8} y=${savingY(tick) + 5} text-anchor="end">${100 * tick}%</text>`,
    ])}
    <text class="panel" x="0" y=${saving[0] - 11}>It saves<tspan class="unit">${everySecond ? ', of the parameters' : ', of the parameters of a model with two, by width d (log scale)'}</tspan></text>
    ${doublings.map((value, at) => [
      line('grid', x(value), saving[1], x(value), saving[1] + 5),
      everySecond && at % 2 === 1
        ? nothing
        : svg`<text class="faint" x=${x(value)} y=${saving[1] + 20} text-anchor="middle">${formatWhole(value)}</text>`,
    ])}
    ${everySecond ? svg`<text class="faint" x=${(left + right) / 2} y=${saving[1] + 38} text-anchor="middle">width d (log scale)</text>` : nothing}`;
}

/** What it saves at every width, for the reader's vocabulary and layers. */
function savings({ x, savingY, saving }: Layout, sizes: Sizes): SVGTemplateResult {
  const points = chosenWidths.map(
    (dModel) => `${x(dModel).toFixed(1)} ${savingY(savedShare({ ...sizes, dModel })).toFixed(1)}`,
  );
  const [from, to] = [x(chosenWidths[0]!), x(chosenWidths.at(-1)!)].map((at) => at.toFixed(1));
  return svg`
    <path class="saving-area" d="M${from!} ${saving[1]}L${points.join('L')}L${to!} ${saving[1]}z"></path>
    <path class="line saving" d="M${points.join('L')}"></path>`;
}

/** Every seed a dot, beside the mean and its interval. */
function runsAt({ x, costY, width }: Layout, { width: dModel, costs, mean, halfWidth }: MeasuredWidth, at: number) {
  const [half, between, radius] = width < 560 ? [8, 3, 3.5] : [13, 5, 4.5];
  const center = x(dModel);
  return svg`<g class="runs w${at}">
    ${halfWidth === null ? nothing : svg`<rect class="interval" x=${center - half} width=${2 * half} y=${costY(mean + halfWidth)} height=${costY(mean - halfWidth) - costY(mean + halfWidth)}></rect>`}
    ${line('mean', center - half, costY(mean), center + half, costY(mean))}
    ${costs.map((cost, seed) => svg`<circle class="run" cx=${center + between * (seed - (costs.length - 1) / 2)} cy=${costY(cost)} r=${radius}></circle>`)}
  </g>`;
}

/** Both guesses, as marks. */
const guessMarks = ({ x, costY, width: all }: Layout, run: DecisionRun, guesses: readonly number[]): unknown =>
  guessedOf(run).map(({ width }, at) => {
    const [px, py] = [x(width), costY(guesses[at]!)];
    return svg`<path class="guess" d="M${px - 18} ${py}H${px + 18}"></path>
      ${all < 560 ? nothing : svg`<text class="guess-name" x=${px + 22} y=${py + 5}>you said</text>`}`;
  });

/** The reader's width. */
function crossHair(layout: Layout, sizes: Sizes): SVGTemplateResult {
  const { x, cost, saving, savingY, right } = layout;
  const [at, share] = [x(sizes.dModel), savedShare(sizes)];
  const turned = at > right - 90;
  const anchor = turned ? 'end' : 'start';
  const beside = turned ? -8 : 8;
  const y = savingY(share);
  return svg`
    ${line('cross', at, cost[0], at, cost[1])} ${line('cross', at, saving[0], at, saving[1])}
    <text class="halo" x=${at + beside} y=${cost[1] - 4} text-anchor=${anchor}>d = ${formatWhole(sizes.dModel)}</text>
    <circle class="saved" cx=${at} cy=${y} r="5"></circle>
    <text class="halo number" x=${at + beside + (turned ? -2 : 2)} y=${Math.min(y - 8, saving[1] - 8)} text-anchor=${anchor}>${percent(share)}</text>
    <circle class="grip" cx=${at} cy=${saving[1]} r="11"></circle>
    <path class="arrows" d="M${at - 2} ${saving[1] - 4}l-4 4l4 4M${at + 2} ${saving[1] - 4}l4 4l-4 4"></path>`;
}

function ring({ x, costY }: Layout, { width, cost }: OwnRun): SVGTemplateResult | typeof nothing {
  if (width < chosenWidths[0]!) return nothing;
  return svg`<circle class="own" cx=${x(width)} cy=${costY(cost)} r="9"></circle>
    <text class="halo" x=${x(width) + 14} y=${costY(cost) + 5}>your run</text>`;
}

export interface Shown {
  readonly run: DecisionRun;
  readonly sizes: Sizes;
  /** Null: the reader did not guess. */
  readonly guesses: readonly [number, number] | null;
  readonly own: OwnRun | null;
}

/** After the reveal. The control around it says what it shows. */
export const revealedDrawing = (layout: Layout, { run, sizes, guesses, own }: Shown): TemplateResult =>
  drawing(
    { label: null, width: layout.width, height: layout.height },
    svg`
      ${axes(layout, run)} ${savings(layout, sizes)}
      ${guesses === null ? nothing : guessMarks(layout, run, guesses)}
      ${crossHair(layout, sizes)}
      ${run.widths.map((one, at) => runsAt(layout, one, at))}
      ${own === null ? nothing : ring(layout, own)}`,
  );

export interface GuessOptions {
  readonly run: DecisionRun;
  readonly sizes: Sizes;
  readonly guesses: readonly [number, number];
  readonly onGuess: (at: 0 | 1, value: number) => void;
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowUp: 0.01,
  ArrowRight: 0.01,
  ArrowDown: -0.01,
  ArrowLeft: -0.01,
  PageUp: 0.05,
  PageDown: -0.05,
  Home: -1,
  End: 1,
};

/** Before the reveal: a dot at each end of the measured widths, which the reader drags up and down. */
export function guessDrawing(layout: Layout, { run, sizes, guesses, onGuess }: GuessOptions): TemplateResult {
  const { x, costY, cost, width, height, right } = layout;
  const [least, most] = guessRange;
  const choose = (at: 0 | 1, value: number): void =>
    onGuess(at, Math.round(100 * Math.max(least, Math.min(most, value))) / 100);
  const handle = (at: 0 | 1, measured: MeasuredWidth): SVGTemplateResult => {
    const [px, py] = [x(measured.width), costY(guesses[at])];
    const guessed = formatNumber(guesses[at], { decimals: 2 });
    const onPointer = (event: PointerEvent): void => {
      const target = event.currentTarget as SVGElement;
      if (event.type === 'pointerdown') target.setPointerCapture(event.pointerId);
      if (event.buttons === 0) return;
      choose(at, costY.invert(event.clientY - target.ownerSVGElement!.getBoundingClientRect().top));
    };
    return svg`<g
        class="handle"
        role="slider"
        tabindex="0"
        aria-orientation="vertical"
        aria-label=${`Your guess: what one table costs at width ${measured.width}`}
        aria-valuemin=${least}
        aria-valuemax=${most}
        aria-valuenow=${guesses[at]}
        aria-valuetext=${`${guessed} nats per token`}
        @pointerdown=${onPointer}
        @pointermove=${onPointer}
        @keydown=${(event: KeyboardEvent) => {
          const by = keySteps[event.key];
          if (by === undefined) return;
          event.preventDefault();
          choose(at, guesses[at] + by);
        }}
      >
        <rect class="reach" x=${px - 22} y=${cost[0]} width="44" height=${cost[1] - cost[0]}></rect>
        <path class="rail" d="M${px} ${cost[0]}V${cost[1]}"></path>
        <circle class="knob" cx=${px} cy=${py} r="11"></circle>
        <path class="arrows" d="M${px - 4} ${py - 2}l4 -4l4 4M${px - 4} ${py + 2}l4 4l4 -4"></path>
        <text class="halo number" x=${px + (px > right - 80 ? -18 : 18)} y=${py + 5} text-anchor=${px > right - 80 ? 'end' : 'start'}>${guessed}</text>
      </g>`;
  };
  const [narrow, wide] = guessedOf(run);
  return html`<svg
    width=${width}
    height=${height}
    viewBox="0 0 ${width} ${height}"
    role="group"
    aria-label="Two guesses"
  >
    ${axes(layout, run)} ${savings(layout, sizes)}
    <path class="guess-line" d="M${x(narrow.width)} ${costY(guesses[0])}L${x(wide.width)} ${costY(guesses[1])}"></path>
    ${handle(0, narrow)} ${handle(1, wide)}
  </svg>`;
}
