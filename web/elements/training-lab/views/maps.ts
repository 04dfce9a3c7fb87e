import { html, nothing, svg, type TemplateResult } from 'lit';
import {
  colorText,
  divergingScale,
  formatNumber,
  roundLimit,
  sequentialScale,
  type Cell,
  type ColorScale,
  type Rgb,
} from '../../../charts/index.js';
import type { MappedText } from '../direct-path-run.js';
import type { Shown } from '../direct-path-mode.js';
import { segmented, select } from '../../shared/controls.js';
import type { Content } from '../../shared/figure.js';
import type { CellEvent } from '../../shared/heat-map-view.js';
import type { Panel } from '../../shared/settings/panel.js';
import { armClass } from './arm-style.js';
import { blankPainting, paintingOf, tokenNames, type MapsLayout, type Painting } from './painting.js';

export type MapQuantity = 'probabilities' | 'logits';

export interface MapColors {
  paper: Rgb;
  positive: Rgb;
  negative: Rgb;
}

export interface MapsOptions {
  shown: Shown;
  text: MappedText;
  /** The drawn tokens, as positions among the stored ones. */
  positions: readonly number[];
  layout: MapsLayout;
  cell: Cell | null;
  colors: MapColors;
  /** The map that is shown if only one fits; 0 is the text's. */
  chosen: number;
  panel: (parts: Panel) => Content;
  onCell: (event: CellEvent) => void;
}

const shownChoices = [8, 12, 16, 24, 40, 64, 96];

/** One legend for all maps of a kind. */
function legend({ shown: { texts, look }, colors }: MapsOptions, limit: number): TemplateResult {
  const { paper, positive, negative } = colors;
  const logits = look.mapValues === 'logits';
  const scale = logits
    ? divergingScale({ limit, middle: paper, positive, negative })
    : sequentialScale({ limit: 1, from: paper, to: positive });
  /** `at` is the position along the scale, 0 to 1. */
  const ticks = logits
    ? [-1, 0, 1].map((share) => ({ label: formatNumber(share * limit, { significant: 2 }), at: (share + 1) / 2 }))
    : [0, 0.1, 0.5, 1].map((value) => ({ label: formatNumber(value), at: Math.sqrt(value) }));
  const width = 160;
  const bands = 40;
  const [low, high] = scale.domain;
  return html`
    <div class="scale-row">
      <span class="legend" data-picture>${logits ? texts.logit : texts.probability}</span>
      <svg
        class="scale"
        data-picture
        width=${width + 40}
        height="32"
        viewBox="-20 0 ${width + 40} 32"
        aria-hidden="true"
      >
        ${Array.from({ length: bands }, (_, band) => {
          const color = colorText(scale.color(low + ((band + 0.5) / bands) * (high - low)));
          return svg`<rect x=${(band * width) / bands} y="0" width=${width / bands + 0.5} height="11" fill=${color}></rect>`;
        })}
        ${ticks.map(({ label, at }) => svg`<text x=${at * width} y="27" text-anchor="middle">${label}</text>`)}
      </svg>
    </div>
  `;
}

interface DrawnMap {
  name: string;
  formula: string;
  color: string;
  painting: Painting;
  kind: ColorScale['kind'];
  limit: number;
}

function panelsOf({ shown, text, positions }: MapsOptions): DrawnMap[] {
  const { texts, arms, snapshot } = shown;
  const quantity = shown.look.mapValues;
  const size = text.mapIds.length;
  const logits = quantity === 'logits';
  const ofArms = (snapshot?.arms ?? []).map((view) => paintingOf(view[quantity], size, positions, !logits));
  const unknown = blankPainting(positions.length);
  // Maps to be compared share one scale.
  const limit = logits ? Math.max(...ofArms.map(({ values }) => roundLimit(values)), 0.01) : 1;
  const inText: DrawnMap = {
    name: texts.textMap,
    formula: '',
    color: 'is-text',
    painting: paintingOf(text.probabilities, size, positions, true),
    kind: 'sequential',
    limit: 1,
  };
  const ofModels = arms.map(({ kind: tying }, index): DrawnMap => ({
    name: texts.arms[tying],
    formula: texts.armFormulas[tying],
    color: armClass[tying],
    painting: ofArms[index] ?? unknown,
    kind: logits ? 'diverging' : 'sequential',
    limit,
  }));
  return [inText, ...ofModels];
}

function mapControls(options: MapsOptions, limit: number): TemplateResult {
  const { panel } = options;
  const { texts, onLook } = options.shown;
  const kept = options.text.mapIds.length;
  const choices = [...new Set([...shownChoices.filter((count) => count < kept), kept])];
  const nearestChoice = choices.find((count) => count >= options.positions.length) ?? kept;
  return html`
    <div class="row maps-controls">
      <span class="panel-name">${texts.maps}</span>
      ${panel(['mapValues'])}
      ${select({
        label: texts.tokensShown,
        value: String(nearestChoice),
        choices: choices.map((count) => ({ value: String(count), label: String(count) })),
        onChoose: (value) => void onLook({ mapTokens: Number(value) }),
      })}
      ${panel(['mapOrder'])} ${legend(options, limit)}
    </div>
  `;
}

/** The text's bigrams and each model's prediction of them, with one cell and its mirror outlined in all maps. */
export function maps(options: MapsOptions): TemplateResult {
  const { shown, text, positions, cell, layout } = options;
  const { texts } = shown;
  const quantity = shown.look.mapValues;
  const names = tokenNames(text, positions);
  const unnamed = names.map(() => '');
  const panels = panelsOf(options);
  // If only two maps fit side by side, they are shown one at a time in the same place, which makes them easiest to compare.
  const switches = layout.columns === 1 && panels.length > 1;
  return html`
    ${mapControls(options, panels[1]?.limit ?? 1)}
    ${
      switches
        ? html`<div class="map-switch">
            ${segmented({
              legend: texts.mapSwitch,
              hideLegend: true,
              name: 'map',
              value: String(options.chosen),
              choices: panels.map(({ name }, index) => ({ value: String(index), label: name })),
              onChoose: (index) => void shown.onLook({ mapPanel: Number(index) }),
            })}
          </div>`
        : nothing
    }
    <div class="maps columns-${layout.columns}">
      ${panels.map((panel, index) =>
        switches && index !== options.chosen
          ? nothing
          : html`
              <div class="panel">
                <div
                  data-picture
                  class="panel-name ${panel.color} ${layout.sharedRowNames && index === 0 ? 'indented' : ''}"
                >
                  ${panel.name}${panel.formula === '' ? nothing : html` <span class="formula">${panel.formula}</span>`}
                </div>
                <tied-heat-map
                  label=${texts.mapLabel(panel.name)}
                  kind=${panel.kind}
                  .limit=${panel.limit}
                  .maxCell=${layout.maxCell}
                  hide-legend
                  .keys=${texts.gridKeys}
                  .rowLabels=${layout.sharedRowNames && index > 0 ? unnamed : names}
                  .colLabels=${names}
                  .values=${panel.painting.painted}
                  .cell=${cell}
                  .describe=${({ row, col }: Cell) => {
                    const value = panel.painting.values[row * names.length + col] ?? Number.NaN;
                    const told = Number.isNaN(value) ? '–' : formatNumber(value, { decimals: 3 });
                    return `${texts.cell(names[row] ?? '', names[col] ?? '')}: ${told}`;
                  }}
                  @tied-cell=${options.onCell}
                ></tied-heat-map>
              </div>
            `,
      )}
    </div>
    ${quantity === 'logits' ? html`<p class="note">${texts.noLogits}</p>` : nothing}
  `;
}
