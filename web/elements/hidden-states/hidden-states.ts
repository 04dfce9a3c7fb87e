import { html, type CSSResultGroup, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { dataTable, titled, type Content } from '../shared/figure.js';
import { PromptElement } from '../shared/prompt-element.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { anglePlot, type View } from './angle-plot.js';
import { hiddenStatesPanel, hiddenStatesSettings } from './hidden-states.settings.js';
import { hiddenStatesStrings, type HiddenStatesStrings } from './hidden-states.strings.js';
import { hiddenStatesStyles, plotWidth } from './hidden-states.styles.js';
import { measurePrompt, perTable, type Measured, type PerTable } from './measure.js';
import { summaryOf } from './summary.js';
import { symbolsInHtml } from './symbols.js';
import { cosine } from './in-words.js';
import { triangles, trianglesInWords } from './triangles.js';

/** Detail of this element's `tied-change`. */
export interface HiddenStatesChange {
  readonly prompt: string;
  /** In tokens, from 1. */
  readonly position: number;
  /** |h⊥| / |h∥| at that position, for the row of each table. */
  readonly ratios: PerTable<number>;
}

type Question = Pick<Measured, 'prompt'>;

/**
 * `<tied-hidden-states weights="models.safetensors">`: how far the last hidden state of a prompt is from the row of the
 * predicted token, in the table of a tied model and in both tables of its untied twin. Attributes: `weights` (the URL
 * of the trained models), `prompt`, `target` (`predicted`, `next`), `place` (`after`, `before`), `chance` (`shown`,
 * `hidden`), `position`. Property: `finished`, an earlier measurement of the prompt.
 *
 * @fires {CustomEvent<HiddenStatesChange>} tied-change - The reader has measured a prompt, or has chosen something else in it.
 */
export class HiddenStates extends withSettings(
  PromptElement<HiddenStatesStrings, Question, Measured>,
  hiddenStatesSettings,
) {
  static override styles: CSSResultGroup = [PromptElement.styles, hiddenStatesStyles];

  /** An earlier measurement, shown until the reader asks for another prompt. */
  @property({ attribute: false }) finished: Measured | null = null;

  protected readonly ownStrings = hiddenStatesStrings;
  protected readonly controls = hiddenStatesPanel;
  protected readonly measureWith = measurePrompt;

  // ------------------------------------------------------------ measuring

  protected get question(): Question {
    return { prompt: this.prompt };
  }

  protected override otherQuestion({ prompt }: Measured): string {
    return this.texts.ofPrompt(prompt);
  }

  /** A prompt other than the shown one: measured at once if the page provides a finished one. */
  protected override measuresUnasked(): boolean {
    return this.finished !== null;
  }

  protected changeOf(shown: Measured): HiddenStatesChange {
    const { at, here } = this.viewOf(shown);
    return {
      prompt: shown.prompt,
      position: at + 1,
      ratios: { tied: here.tied.ratio, writing: here.writing.ratio, reading: here.reading.ratio },
    };
  }

  // ------------------------------------------------------------ drawing

  private viewOf({ tokens, splits: all, baseline }: Measured): View {
    const { texts, place, target } = this;
    const splits = perTable((name) => all[name][place][target]);
    const at = this.chosenOf(splits.tied.positions.length);
    return {
      texts,
      tokens,
      splits,
      at,
      here: perTable((name) => splits[name].positions[at]!),
      baseline: this.chance === 'shown' ? baseline : null,
      width: this.width.width,
    };
  }

  protected wordsOf(shown: Measured): ReturnType<typeof summaryOf> {
    return summaryOf(this.viewOf(shown), shown.chance, this.target);
  }

  protected override typeset(words: string): Content {
    return symbolsInHtml(words);
  }

  protected renderDrawing(shown: Measured): TemplateResult {
    const view = this.viewOf(shown);
    const { texts, tokens, at, splits } = view;
    const angles = anglePlot({ ...view, width: plotWidth(view.width) });
    const drawing = this.slider({
      at,
      count: splits.tied.positions.length,
      words: texts.positionText(tokens[at] ?? '', trianglesInWords(view)),
      positionAt: angles.rowAt,
      drawing: angles.drawing,
    });
    return html`<div class="charts bench">
      <div class="all-columns">
        ${titled(symbolsInHtml(texts.trianglesTitle(tokens[at] ?? '')), { drawing: triangles(view) })}
      </div>
      <div>${titled(texts.plotTitle, { key: angles.key, drawing })} ${this.statusLine(shown)}</div>
      <div>
        <p class="part-title">${symbolsInHtml(texts.leftTitle)}</p>
        ${this.renderLeft(shown, view)}
        <p class="aside">${symbolsInHtml(this.wordsOf(shown).left)}</p>
      </div>
    </div>`;
  }

  private renderLeft({ chance }: Measured, { texts, splits, here, baseline }: View): TemplateResult {
    const columns = baseline === null ? 3 : 4;
    return dataTable({
      look: 'numbers',
      head: texts.leftHead.slice(0, columns + 1),
      rows: (['tied', 'writing'] as const).map((name) => {
        const { other, centeredOther } = splits[name].median;
        const numbers = [here[name].other, other, centeredOther, chance[name].other];
        return [texts.tables[name], ...numbers.slice(0, columns).map(cosine)];
      }),
    });
  }

  protected renderData(shown: Measured): TemplateResult {
    const { table } = anglePlot(this.viewOf(shown));
    return dataTable({ ...table, caption: symbolsInHtml(table.caption) });
  }
}
