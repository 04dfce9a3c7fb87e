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
import type { TokenPair } from '../../../core/types.js';
import { ColorWatcher } from '../../shared/colors.js';
import { segmented, select } from '../../shared/controls.js';
import type { CellEvent } from '../../shared/heat-map-view.js';
import { symbols } from '../../shared/symbols.js';
import { textMeasure } from '../../shared/text-width.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import type { DirectPathRun, MappedText } from '../direct-path-run.js';
import type { ModeLab } from '../mode-lab.js';
import { armClass } from './arm-style.js';
import {
  blankPainting,
  fittingTokens,
  mapsLayout,
  paintingOf,
  shownPositions,
  tokenNames,
  type MapsLayout,
  type Painting,
} from './painting.js';
import type { Shown } from './shown.js';

type Colors = Readonly<Record<'paper' | 'positive' | 'negative', Rgb>>;

/** A map's width from which its formula fits beside its name. */
const roomForFormula = 150;

const shownChoices = [8, 12, 16, 24, 40, 64, 96];

/** One legend for all maps of a kind. */
function scaleRow({ texts, look }: Shown, { paper, positive, negative }: Colors, limit: number): TemplateResult {
  const logits = look.mapValues === 'logits';
  const scale = logits
    ? divergingScale({ limit, middle: paper, positive, negative })
    : sequentialScale({ limit: 1, from: paper, to: positive });
  /** `at` is the position along the scale, 0 to 1. */
  const ticks = logits
    ? [-1, 0, 1].map((share) => ({ label: formatNumber(share * limit, { significant: 2 }), at: (share + 1) / 2 }))
    : [0, 0.1, 0.5, 1].map((value) => ({ label: formatNumber(value), at: Math.sqrt(value) }));
  const width = 148;
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

function panelsOf(shown: Shown, text: MappedText, positions: readonly number[]): DrawnMap[] {
  const { texts, arms, snapshot } = shown;
  const quantity = shown.look.mapValues;
  const size = text.mapIds.length;
  const logits = quantity === 'logits';
  const ofArms = (snapshot?.arms ?? []).map((view) => paintingOf(view[quantity], size, positions, !logits));
  const unknown = blankPainting(positions.length);
  // Maps that are compared share one scale.
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
    // That of the MLP would take a second line, and its map would stand lower than the others.
    formula: tying === 'tied-mlp' ? '' : texts.armFormulas[tying],
    color: armClass[tying],
    painting: ofArms[index] ?? unknown,
    kind: logits ? 'diverging' : 'sequential',
    limit,
  }));
  return [inText, ...ofModels];
}

/** The text's bigrams and each model's prediction of them, with one cell and its mirror outlined in all maps. */
export class MapsView {
  readonly #width: WidthWatcher;
  readonly #scheme: ColorWatcher<keyof Colors>;
  #layout: MapsLayout | null = null;

  constructor(
    private readonly lab: ModeLab,
    private readonly run: DirectPathRun,
  ) {
    this.#width = new WidthWatcher(lab, '.map-area', 640);
    this.#scheme = new ColorWatcher(lab, ['paper', 'positive', 'negative']);
  }

  /** The drawn tokens, as positions among the stored ones. */
  get positions(): readonly number[] {
    const { text, arms } = this.run;
    const { mapTokens, mapOrder, arms: wanted } = this.lab;
    if (text === null) return [];
    const fitting = (): number =>
      fittingTokens(this.#width.width, (arms.length || wanted.length) + 1, text, mapOrder, textMeasure(this.lab));
    return shownPositions(text, mapOrder, mapTokens ?? fitting());
  }

  pairOf(cell: Cell | null): TokenPair | null {
    const { positions } = this;
    const { mapIds } = this.run.text ?? {};
    const from = mapIds?.[positions[cell?.row ?? -1] ?? -1];
    const to = mapIds?.[positions[cell?.col ?? -1] ?? -1];
    return from === undefined || to === undefined ? null : { from, to };
  }

  /** Null if the pair is not in the maps. */
  #cellOf(pair: TokenPair, { mapIds }: MappedText): Cell | null {
    const { positions } = this;
    const [row, col] = [positions.indexOf(mapIds.indexOf(pair.from)), positions.indexOf(mapIds.indexOf(pair.to))];
    return row < 0 || col < 0 ? null : { row, col };
  }

  /** Called after the element has been drawn. */
  drawn(): void {
    const grid = this.lab.renderRoot.querySelector<HTMLElement>('.maps');
    if (grid === null) return;
    const widths = this.#layout?.widths ?? null;
    grid.style.gridTemplateColumns = widths === null ? '' : widths.map((width) => `${String(width)}px`).join(' ');
    // The titles of the maps line up with the cells.
    const [first = 0, second = first] = widths ?? [];
    grid.style.setProperty('--row-names', `${String(first - second)}px`);
  }

  legend(shown: Shown): TemplateResult | typeof nothing {
    const { text } = this.run;
    if (text === null) return nothing;
    return scaleRow(shown, this.#scheme.colors, panelsOf(shown, text, this.positions)[1]?.limit ?? 1);
  }

  render(shown: Shown, pair: TokenPair, onCell: (event: CellEvent) => void): TemplateResult | typeof nothing {
    const { lab, positions } = this;
    const { text } = this.run;
    if (text === null) return nothing;
    const { texts } = shown;
    const names = tokenNames(text, positions);
    const unnamed = names.map(() => '');
    const panels = panelsOf(shown, text, positions);
    const layout = mapsLayout(this.#width.width, panels.length, names, textMeasure(lab));
    this.#layout = layout;
    const cell = this.#cellOf(pair, text);
    // If the maps do not fit side by side, they are shown one at a time in the same place, which makes them easiest to
    // compare.
    const switches = layout.columns === 1 && panels.length > 1;
    const formulas = (layout.widths?.at(-1) ?? Infinity) >= roomForFormula;
    const chosen = Math.min(lab.mapPanel, shown.arms.length);
    return html`
      <div class="row maps-controls rest">
        <span class="panel-name">${texts.maps}</span>
        ${lab.panel(['mapValues'])} ${this.#tokensShown(shown, text.mapIds.length, positions.length)}
        ${lab.panel(['mapOrder'])}
      </div>
      ${
        switches
          ? html`<div class="map-switch">
              ${segmented({
                legend: texts.mapSwitch,
                hideLegend: true,
                name: 'map',
                value: String(chosen),
                choices: panels.map(({ name }, index) => ({ value: String(index), label: name })),
                onChoose: (index) => void shown.onLook({ mapPanel: Number(index) }),
              })}
            </div>`
          : nothing
      }
      <div class="maps">
        ${panels.map((panel, index) =>
          switches && index !== chosen
            ? nothing
            : html`
                <div class="panel">
                  <div
                    data-picture
                    class="panel-name ${panel.color} ${layout.sharedRowNames && index === 0 ? 'indented' : ''}"
                  >
                    ${panel.name}${!formulas || panel.formula === '' ? nothing : html` <span class="formula">${symbols(panel.formula)}</span>`}
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
                      const number = Number.isNaN(value) ? '–' : formatNumber(value, { decimals: 3 });
                      return `${texts.cell(names[row] ?? '', names[col] ?? '')}: ${number}`;
                    }}
                    @tied-cell=${onCell}
                  ></tied-heat-map>
                </div>
              `,
        )}
      </div>
      ${lab.mapValues === 'logits' ? html`<p class="note">${texts.noLogits}</p>` : nothing}
    `;
  }

  #tokensShown({ texts, onLook }: Shown, kept: number, shown: number): TemplateResult {
    const choices = [...new Set([...shownChoices.filter((count) => count < kept), kept])];
    return select({
      label: texts.tokensShown,
      value: String(choices.find((count) => count >= shown) ?? kept),
      choices: choices.map((count) => ({ value: String(count), label: String(count) })),
      onChoose: (value) => void onLook({ mapTokens: Number(value) }),
    });
  }
}
