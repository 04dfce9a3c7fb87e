import {
  html,
  nothing,
  svg,
  type CSSResultGroup,
  type PropertyDeclarations,
  type SVGTemplateResult,
  type TemplateResult,
} from 'lit';
import { barChart, type BarChartDrawing } from '../../charts/bar-chart.js';
import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import { embeddingParameters, shareOfModel, type EmbeddingParameters } from '../../core/embedding-parameters.js';
import { button } from '../shared/controls.js';
import { dataTable, type FigureParts } from '../shared/figure.js';
import type { NumberEvent } from '../shared/number-field.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { parameterCalculatorStrings, type ParameterCalculatorStrings } from './parameter-calculator.strings.js';
import { parameterCalculatorStyles } from './parameter-calculator.styles.js';

/** What `tied-change` of the calculator carries. */
export interface ParameterCalculatorChange {
  readonly vocabSize: number;
  readonly dModel: number;
  readonly tied: bigint;
  readonly untied: bigint;
  readonly saved: bigint;
}

const defaults = { vocabSize: 50_000, dModel: 4096 };

/** Nominal sizes that the saving is compared with, in parameters. */
const models = [
  { name: '1B', size: 1e9 },
  { name: '7B', size: 7e9 },
  { name: '70B', size: 70e9 },
] as const;

/** A size from an attribute, or the default where it is not a whole number above 0; the reader is told. */
const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

/**
 * `<tied-parameter-calculator vocab-size="50000" d-model="4096">`: what the token tables of a model cost, tied and
 * untied, and what share of models of 1B, 7B and 70B parameters tying saves. Event: `tied-change`.
 */
export class ParameterCalculator extends TiedElement<ParameterCalculatorStrings> {
  static override properties: PropertyDeclarations = {
    vocabSize: { type: Number, attribute: 'vocab-size', reflect: true },
    dModel: { type: Number, attribute: 'd-model', reflect: true },
  };

  static override styles: CSSResultGroup = [TiedElement.styles, parameterCalculatorStyles];

  declare vocabSize: number;
  declare dModel: number;

  protected readonly ownStrings = parameterCalculatorStrings;
  private readonly chartWidth = new WidthWatcher(this, '.bars', 560);

  constructor() {
    super();
    this.vocabSize = defaults.vocabSize;
    this.dModel = defaults.dModel;
  }

  protected override willUpdate(): void {
    for (const [property, attribute] of [
      ['vocabSize', 'vocab-size'],
      ['dModel', 'd-model'],
    ] as const) {
      if (isSize(this[property])) continue;
      const given = this.getAttribute(attribute) ?? String(this[property]);
      this.problem = this.texts.badAttribute(attribute, given, formatWhole(defaults[property]));
      this[property] = defaults[property];
    }
  }

  protected settings(): Record<string, string> {
    return { 'vocab-size': String(this.vocabSize), 'd-model': String(this.dModel) };
  }

  protected parts(): FigureParts {
    const texts = this.texts;
    const counts = embeddingParameters(this.vocabSize, this.dModel);
    const shares = models.map((model) => ({ ...model, share: shareOfModel(counts.saved, model.size) }));
    const sentence = this.sentence(counts, shares);
    return {
      title: texts.title,
      controls: this.renderControls(),
      drawing: html`
        <div class="charts">
          <div>
            <p class="chart-title">${texts.tablesTitle}</p>
            <div class="bars">${this.renderTables(counts)}</div>
          </div>
          <div>
            <p class="chart-title">${texts.modelsTitle}</p>
            <div class="bars">${this.renderModels(shares)}</div>
          </div>
        </div>
      `,
      readOut: sentence.content,
      announcement: sentence.text,
      caption: texts.caption,
      data: () => this.renderData(counts, shares),
    };
  }

  private renderControls(): TemplateResult {
    const texts = this.texts;
    const largest = Number.MAX_SAFE_INTEGER;
    return html`
      <div class="sizes">
        <tied-number-field
          id="vocab-size"
          slider="log"
          whole
          .label=${texts.vocabulary}
          .value=${this.vocabSize}
          .min=${1}
          .max=${largest}
          .sliderMin=${100}
          .sliderMax=${1_000_000}
          @tied-number=${(event: NumberEvent) => {
            this.choose({ vocabSize: event.detail.value });
          }}
        ></tied-number-field>
        <tied-number-field
          id="d-model"
          slider="log"
          whole
          .label=${texts.width}
          .value=${this.dModel}
          .min=${1}
          .max=${largest}
          .sliderMin=${16}
          .sliderMax=${32_768}
          @tied-number=${(event: NumberEvent) => {
            this.choose({ dModel: event.detail.value });
          }}
        ></tied-number-field>
      </div>
      ${
        this.vocabSize === defaults.vocabSize && this.dModel === defaults.dModel
          ? nothing
          : button({
              label: texts.reset,
              kind: 'quiet',
              onPress: () => {
                this.choose(defaults);
              },
            })
      }
    `;
  }

  private choose(sizes: Partial<typeof defaults>): void {
    const { vocabSize = this.vocabSize, dModel = this.dModel } = sizes;
    if (vocabSize === this.vocabSize && dModel === this.dModel) return;
    this.problem = null;
    this.vocabSize = vocabSize;
    this.dModel = dModel;
    const { tied, untied, saved } = embeddingParameters(vocabSize, dModel);
    const change: ParameterCalculatorChange = { vocabSize, dModel, tied, untied, saved };
    this.changed(change);
  }

  // ------------------------------------------------------------ drawings

  private renderTables({ table, tied, untied }: EmbeddingParameters): TemplateResult {
    const texts = this.texts;
    const drawing = barChart({
      width: this.chartWidth.width,
      bars: [
        { id: 'tied', segments: [{ id: 'tied', value: Number(tied) }] },
        {
          id: 'untied',
          segments: [
            { id: 'untied-in', value: Number(table) },
            { id: 'untied-out', value: Number(untied - table) },
          ],
        },
      ],
    });
    const names = [
      { text: texts.tied, number: formatCompact(tied), role: 'tied' },
      { text: texts.untied, number: formatCompact(untied), role: 'untied' },
    ];
    const label = names.map(({ text, number }) => `${text}: ${number} ${texts.axis}`).join('. ');
    return html`
      <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height}>
        ${drawing.ticks.map(
          (tick) => svg`
            <line class="tick-line" x1=${tick.position} x2=${tick.position} y1=${drawing.axisY - 4} y2=${drawing.axisY + 2}></line>
            <text class="tick" x=${tick.position} y=${drawing.axisY + 15} text-anchor=${anchor(tick.position, drawing.width)}>${tick.label}</text>`,
        )}
        ${this.renderBars(drawing, names)}
        ${drawing.bars[1]?.segments.map((segment, at) =>
          segment.width < 40
            ? nothing
            : svg`<text class="in-bar" x=${segment.x + 6} y=${(drawing.bars[1]?.y ?? 0) + drawing.barHeight / 2} dominant-baseline="central">W<tspan class="index" dy="3">${at === 0 ? 'E' : 'U'}</tspan></text>`,
        )}
      </svg>
    `;
  }

  private renderModels(shares: readonly { name: string; share: number }[]): TemplateResult {
    const texts = this.texts;
    const drawing = barChart({
      width: this.chartWidth.width,
      max: 1,
      axis: false,
      bars: shares.map(({ name, share }) => ({ id: name, segments: [{ id: 'tied', value: share }] })),
    });
    const names = shares.map(({ name, share }) => ({
      text: texts.model(name),
      number: share > 1 ? texts.doesNotFit(percent(share)) : texts.percent(percent(share)),
      role: 'tied',
    }));
    const label = names.map(({ text, number }) => `${text}: ${number}`).join('. ');
    return html`
      <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height}>
        ${drawing.bars.map(
          (bar) =>
            svg`<rect class="track" x="0.5" y=${bar.y + 0.5} width=${drawing.width - 1} height=${drawing.barHeight - 1}></rect>`,
        )}
        ${this.renderBars(drawing, names)}
      </svg>
    `;
  }

  private renderBars(
    drawing: BarChartDrawing,
    names: readonly { text: string; number: string; role: string }[],
  ): SVGTemplateResult {
    return svg`${drawing.bars.map((bar, at) => {
      const { text = '', number = '', role = '' } = names[at] ?? {};
      return svg`
        <text x="0" y=${bar.nameY}>${text}</text>
        <text class="number words-${role}" x=${drawing.width} y=${bar.nameY} text-anchor="end">${number}</text>
        ${bar.segments.map(
          (segment) =>
            svg`<rect class="bar bar-${segment.id} ${segment.cut ? 'cut' : ''}" x=${segment.x} y=${bar.y} width=${segment.width} height=${drawing.barHeight}></rect>`,
        )}`;
    })}`;
  }

  // ------------------------------------------------------------ words

  private sentence(
    { saved, savedShare }: EmbeddingParameters,
    shares: readonly { name: string; share: number }[],
  ): { content: TemplateResult; text: string } {
    const texts = this.texts;
    const count = formatCompact(saved);
    const list = shares.map(({ name, share }) => texts.shareOf(percent(share), name));
    const rest = `${texts.half(percent(savedShare, 0))}. ${texts.shares(`${list.slice(0, -1).join(', ')} ${texts.and} ${list.at(-1) ?? ''}`)}`;
    return {
      content: html`<strong class="is-tied">${texts.saves(count)}</strong>, ${rest}`,
      text: `${texts.saves(count)}, ${rest}`,
    };
  }

  private renderData(counts: EmbeddingParameters, shares: readonly { name: string; share: number }[]): TemplateResult {
    const texts = this.texts;
    return dataTable({
      caption: texts.dataCaption,
      head: [texts.quantity, texts.value],
      rows: [
        [texts.vocabularyRow, formatWhole(this.vocabSize)],
        [texts.widthRow, formatWhole(this.dModel)],
        [texts.tiedRow, formatWhole(counts.tied)],
        [texts.untiedRow, formatWhole(counts.untied)],
        [texts.savedRow, formatWhole(counts.saved)],
        [texts.savedShareRow, texts.percent(percent(counts.savedShare, 0))],
        ...shares.map(({ name, share }) => [
          texts.shareRow(name),
          texts.percent(formatNumber(share * 100, { significant: 6 })),
        ]),
      ],
    });
  }
}

const percent = (share: number, decimals = 1): string => formatNumber(share * 100, { decimals });

/** Keeps the labels of the outermost ticks inside the drawing. */
const anchor = (position: number, width: number): 'start' | 'middle' | 'end' =>
  position < 20 ? 'start' : position > width - 20 ? 'end' : 'middle';
