import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { Architecture, TyingAdvice, TyingContext } from '../../core/accounting/types.js';
import type { Lab } from '../../core/types.js';
import { ArchitectureElement } from '../shared/architecture/architecture-element.js';
import { sharesVocabulary, type ArchitectureState } from '../shared/architecture/architecture-state.js';
import type { FigureParts } from '../shared/figure.js';
import { valuesOf, withSettings } from '../shared/settings/with-settings.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { contextPanel, contextSettings, tyingContext, type AdvisorContext } from './advisor.settings.js';
import { advisorData } from './advisor-data.js';
import { advisorStrings, type AdvisorStrings } from './advisor.strings.js';
import { advisorStyles } from './advisor.styles.js';
import { balance } from './balance.js';
import { judgeModels, practice, type JudgedModel } from './practice.js';
import { reasonsPage } from './reasons-page.js';

/** Detail of the advisor's `tied-change`. */
export interface AdvisorChange {
  readonly architecture: Architecture;
  readonly context: TyingContext;
  readonly advice: TyingAdvice;
}

/** The advice, and what it is based on besides the model. */
interface AdvisorAnswer {
  readonly advice: TyingAdvice;
  readonly context: TyingContext;
}

/**
 * `<tied-advisor model="gpt2" starts-from="untied">`: whether a model should share its tables, with the reasons, their
 * numbers and the verdict. Attributes: the model's, as in every accounting element; `starts-from`, `parameter-budget`,
 * `loss-difference` (tied minus untied, nats per token), `precision` and `optimizer` (of training).
 *
 * @fires {CustomEvent<AdvisorChange>} tied-change - The model, or what is known about its training, has changed, and the new advice is available.
 */
export class Advisor extends withSettings(ArchitectureElement<AdvisorStrings, AdvisorAnswer>, contextSettings) {
  static override styles: CSSResultGroup = [ArchitectureElement.styles, advisorStyles];

  @state() private judged: readonly JudgedModel[] | null = null;

  protected readonly ownStrings = advisorStrings;
  protected readonly start = 'gpt-2';
  private readonly balanceWidth = new WidthWatcher(this, '.balance', 560);
  private readonly judging = this.task<void, readonly JudgedModel[]>({
    run: () => this.askLab(judgeModels),
    done: (judged) => {
      this.judged = judged;
    },
  });

  // ------------------------------------------------------------ state

  private get context(): AdvisorContext {
    return valuesOf(contextSettings, this);
  }

  protected async answerTo(lab: Lab, { architecture }: ArchitectureState): Promise<AdvisorAnswer> {
    const context = tyingContext(architecture, this.context);
    return { advice: await lab.adviseTying(architecture, context), context };
  }

  protected changeOf({ advice, context }: AdvisorAnswer, { architecture }: ArchitectureState): AdvisorChange {
    return { architecture, context, advice };
  }

  protected override wake(): void {
    super.wake();
    if (this.judged === null) void this.judging.request();
  }

  // ------------------------------------------------------------ the figure

  private get advice(): TyingAdvice | null {
    return this.answer?.advice ?? null;
  }

  protected parts(): FigureParts {
    const { advice, judged, texts } = this;
    const sentence = advice === null ? undefined : texts.verdict(advice);
    return {
      title: texts.title,
      controls: this.renderControls(),
      drawing:
        advice === null ? html`<p class="waiting">${texts.loading}</p>` : this.renderAdvice(advice, sentence ?? ''),
      ...(sentence !== undefined && { announcement: sentence }),
      caption: texts.caption,
      ...(advice !== null && { data: () => advisorData(advice, judged, texts) }),
      hasPicture: advice !== null,
    };
  }

  private renderControls(): TemplateResult {
    const canTie = this.architecture === null || sharesVocabulary(this.architecture);
    const saving = this.advice?.reasons.find(({ kind }) => kind === 'saved-share');
    const budget = roundedUp(Number(saving?.numbers['untied'] ?? 1e9));
    return html`${this.renderPicker()}${this.panel(contextPanel, {}, { canTie, budget })}`;
  }

  private renderAdvice(advice: TyingAdvice, sentence: string): TemplateResult {
    const { judged, models, texts } = this;
    const headingLevel = this.headingLevel + 1;
    // The verdict is emphasized; the explanation follows.
    const [, choice = sentence, why = ''] = /^([^:]*)(:[\s\S]*)$/.exec(sentence) ?? [];
    const side = advice.tie === null ? '' : advice.tie ? 'is-tied' : 'is-untied';
    return html`
      <p class="verdict" data-picture><strong class=${side}>${choice}</strong>${why === '' ? nothing : why}</p>
      <div class="balance">${balance(advice, this.balanceWidth.width, texts)}</div>
      <div class="rest">
        ${reasonsPage({ advice, models, judged, headingLevel, texts })}
        ${practice({ advice, judged, headingLevel, texts })}
      </div>
    `;
  }
}

/** Rounded up to three digits, so the model stays within the limit. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return Math.ceil(value / unit) * unit;
}
