import { html, type CSSResultGroup, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatNumber } from '../../charts/number-format.js';
import type { Lab } from '../../core/types.js';
import { halfWidth } from '../shared/columns.js';
import { dataTable } from '../shared/figure.js';
import { wholePercent } from '../shared/in-words.js';
import { pairKinds, type Listening, type OpenedPair, type PairKind } from '../shared/model-pair.js';
import { PromptElement } from '../shared/prompt-element.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { bits, divergenceBars, increaseBars, layerCharts, type LayersView } from './layer-bars.js';
import { lensPanel, lensSettings } from './lens.settings.js';
import { lensStrings, type LensStrings } from './lens.strings.js';
import { lensStyles } from './lens.styles.js';
import { measureLens, type LensKind, type Measured, type PerModel } from './measure.js';
import { positionAt, positionsInView, tokenGrid, type GridView } from './token-grid.js';

/** Detail of this element's `tied-change`. */
export interface LensChange {
  readonly prompt: string;
  readonly lens: LensKind;
  /** In tokens, from 1. */
  readonly position: number;
  /** The mean divergence after the embedding, in bits. */
  readonly embedding: PerModel<number>;
}

type Question = Pick<Measured, 'prompt' | 'kind'>;

/**
 * `<tied-lens weights="models.safetensors">`: what each layer of a tied model and of its untied twin would predict if
 * it were the last. Attributes: `weights` (the URL of the trained models), `prompt`, `lens` (`logit`, `tuned`),
 * `chance` (`shown`, `hidden`), `position`. Property: `finished`, earlier measurements of a prompt, by kind of lens.
 *
 * @fires {CustomEvent<LensChange>} tied-change - The reader has measured a prompt, or has chosen a lens or a position.
 */
export class Lens extends withSettings(PromptElement<LensStrings, Question, Measured>, lensSettings) {
  static override styles: CSSResultGroup = [PromptElement.styles, lensStyles];

  /** Earlier measurements, shown until the reader asks for another prompt. */
  @property({ attribute: false }) finished: readonly Measured[] = [];

  protected readonly ownStrings = lensStrings;
  protected readonly controls = lensPanel;

  // ------------------------------------------------------------ measuring

  protected get question(): Question {
    return { prompt: this.prompt, kind: this.lens };
  }

  protected questionOf({ prompt, kind }: Measured): Question {
    return { prompt, kind };
  }

  protected override otherQuestion({ prompt, kind }: Measured): string {
    return this.texts.ofPrompt(prompt, kind);
  }

  protected override get finishedOnes(): readonly Measured[] {
    return this.finished;
  }

  protected measureWith(
    lab: Lab,
    pair: OpenedPair,
    question: Question,
    listening: Listening,
  ): Promise<Measured | null> {
    return measureLens(lab, pair, question, listening);
  }

  protected working(trained: number | null): string {
    const { texts } = this;
    return trained === null ? texts.measuring : texts.training(wholePercent(trained));
  }

  protected changeOf(shown: Measured): LensChange {
    return {
      prompt: shown.prompt,
      lens: shown.kind,
      position: this.viewOf(shown).at + 1,
      embedding: { tied: shown.means.tied[0]!, untied: shown.means.untied[0]! },
    };
  }

  // ------------------------------------------------------------ drawing

  private viewOf(measured: Measured): GridView {
    return { texts: this.texts, measured, at: this.chosenOf(measured.tokens.length), width: this.width.width };
  }

  private layersOf(measured: Measured): LayersView {
    return { texts: this.texts, measured, chance: this.chance === 'shown', width: halfWidth(this.width.width) };
  }

  protected wordsOf(shown: Measured): { claim: string; rest: string } {
    const { texts } = this;
    const { tied, untied } = shown.means;
    const rest = [
      texts.afterFirst(bits(tied[1]!), bits(untied[1]!)),
      ...(this.chance === 'shown' ? [texts.byChance(bits(shown.chance.tied), bits(shown.chance.untied))] : []),
      shown.kind === 'logit' ? texts.logitNote : texts.tunedNote,
    ].join(' ');
    return { claim: texts.claim(bits(tied[0]!), bits(untied[0]!)), rest };
  }

  /** Says which tokens of a long prompt are in view. */
  private cutWords(view: GridView): string {
    const all = view.measured.tokens.length;
    const { first, count } = positionsInView(view);
    return count === all ? '' : this.texts.gridPart(String(first + 1), String(first + count), String(all));
  }

  private tokensAt(kind: PairKind, { measured, at }: GridView): string {
    return measured.layers[kind].map(({ tokens }) => tokens[at] ?? '').join(', ');
  }

  protected renderDrawing(shown: Measured): TemplateResult {
    const { texts } = this;
    const view = this.viewOf(shown);
    const token = shown.tokens[view.at] ?? '';
    const grids = html`
      <p class="part-title" data-picture>${texts.gridTitle(texts.models.tied)}</p>
      ${tokenGrid('tied', view)}
      <p class="part-title" data-picture>${texts.gridTitle(texts.models.untied)}</p>
      ${tokenGrid('untied', view)}
    `;
    return html`<div class="bench">
      <div class="charts halves">${layerCharts(this.layersOf(shown))}</div>
      <div>
        ${this.slider({
          at: view.at,
          count: shown.tokens.length,
          words: texts.positionText(token, this.tokensAt('tied', view), this.tokensAt('untied', view)),
          positionAt: (x) => positionAt(x, view),
          drawing: grids,
        })}
        <p class="note">${texts.gridKey} ${this.cutWords(view)}</p>
        ${this.statusLine(shown)}
      </div>
    </div>`;
  }

  protected renderData(shown: Measured): TemplateResult {
    const { texts } = this;
    const last = shown.means.tied.length - 1;
    const layers = shown.means.tied.map((_, layer) => texts.layer(layer, last));
    const view = this.layersOf(shown);
    const { table: divergence } = divergenceBars(view);
    const byChance = view.chance ? [[texts.dataChance, ...pairKinds.map((kind) => bits(shown.chance[kind]))]] : [];
    return html`
      ${dataTable({ ...divergence, rows: [...divergence.rows, ...byChance] })} ${dataTable(increaseBars(view).table)}
      ${pairKinds.map((kind) =>
        dataTable({
          caption: `${texts.models[kind]}: ${texts.dataTokens}`,
          head: ['', ...layers],
          rows: shown.tokens.map((token, at) => [
            token,
            ...shown.layers[kind].map(({ tokens, probability }) =>
              texts.cell(tokens[at] ?? '', formatNumber(probability[at]!, { decimals: 2 })),
            ),
          ]),
        }),
      )}
    `;
  }
}
