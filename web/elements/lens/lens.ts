import { html, type CSSResultGroup, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { dataTable, titled } from '../shared/figure.js';
import { twinKinds, perModel, type PerModel } from '../shared/model-twins.js';
import { PromptElement } from '../shared/prompt-element.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { bits, layerBars, type View } from './layer-bars.js';
import { lensPanel, lensSettings } from './lens.settings.js';
import { lensStrings, type LensStrings } from './lens.strings.js';
import { lensStyles } from './lens.styles.js';
import { measureLens, type LensKind, type Measured } from './measure.js';
import { positionAt, positionsInView, tokenGrid } from './token-grid.js';

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
  protected readonly measureWith = measureLens;

  // ------------------------------------------------------------ measuring

  protected get question(): Question {
    return { prompt: this.prompt, kind: this.lens };
  }

  protected override otherQuestion({ prompt, kind }: Measured): string {
    return this.texts.ofPrompt(prompt, kind);
  }

  protected changeOf(shown: Measured): LensChange {
    return {
      prompt: shown.prompt,
      lens: shown.kind,
      position: this.viewOf(shown).at + 1,
      embedding: perModel((kind) => shown.means[kind][0]!),
    };
  }

  // ------------------------------------------------------------ drawing

  private viewOf(measured: Measured): View {
    const at = this.chosenOf(measured.tokens.length);
    return { texts: this.texts, measured, at, chance: this.chance === 'shown', width: this.width.width };
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
  private cutWords(view: View): string {
    const all = view.measured.tokens.length;
    const { first, count } = positionsInView(view);
    return count === all ? '' : this.texts.gridPart(String(first + 1), String(first + count), String(all));
  }

  protected renderDrawing(shown: Measured): TemplateResult {
    const { texts } = this;
    const view = this.viewOf(shown);
    const token = shown.tokens[view.at] ?? '';
    const predicted = perModel((kind) => shown.layers[kind].map(({ tokens }) => tokens[view.at] ?? '').join(', '));
    const grids = twinKinds.map((kind) =>
      titled(texts.gridTitle(texts.models[kind]), { drawing: tokenGrid(kind, view) }),
    );
    return html`<div class="charts bench">
      <div class="charts halves">
        <div>${titled(texts.barsTitle(formatWhole(shown.measuredTokens)), layerBars(view, 'divergence'))}</div>
        <div class="rest">${titled(texts.increasesTitle, { drawing: layerBars(view, 'increase').drawing })}</div>
      </div>
      <div>
        ${this.slider({
          at: view.at,
          count: shown.tokens.length,
          words: texts.positionText(token, predicted.tied, predicted.untied),
          positionAt: (x) => positionAt(x, view),
          drawing: html`${grids}`,
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
    const view = this.viewOf(shown);
    const { table: divergence } = layerBars(view, 'divergence');
    const byChance = view.chance ? [[texts.dataChance, ...twinKinds.map((kind) => bits(shown.chance[kind]))]] : [];
    return html`
      ${dataTable({ ...divergence, rows: [...divergence.rows, ...byChance] })}
      ${dataTable(layerBars(view, 'increase').table)}
      ${twinKinds.map((kind) =>
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
