import {
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { Architecture, TyingAdvice, TyingContext } from '../../core/accounting-types.js';
import { ArchitectureElement } from '../shared/architecture/architecture-element.js';
import { sharesVocabulary, type ArchitectureState } from '../shared/architecture/architecture-state.js';
import type { FigureParts } from '../shared/figure.js';
import { valuesOf, withSettings } from '../shared/settings/with-settings.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { contextSettings, tyingContext, type AdvisorContext } from './advisor.settings.js';
import { contextControls } from './advisor-controls.js';
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

interface Question {
  readonly state: ArchitectureState;
  readonly architecture: Architecture;
  readonly context: TyingContext;
  readonly byReader: boolean;
}

/**
 * `<tied-advisor model="gpt2" starts-from="untied">`: whether a model should share its tables, with the reasons, their
 * numbers and the verdict. Attributes: those of the model, as in every accounting element; `starts-from`,
 * `parameter-budget`, `loss-difference` (tied minus untied, nats per token), `precision` and `optimizer` of training.
 *
 * @fires {CustomEvent<AdvisorChange>} tied-change - The model or what is known of its training has changed, and the advice is there.
 */
export class Advisor extends withSettings(ArchitectureElement<AdvisorStrings>, contextSettings) {
  static override properties: PropertyDeclarations = {
    advice: { state: true },
    judged: { state: true },
  };

  static override styles: CSSResultGroup = [ArchitectureElement.styles, advisorStyles];

  declare private advice: TyingAdvice | null;
  declare private judged: readonly JudgedModel[] | null;

  protected readonly ownStrings = advisorStrings;
  protected readonly start = 'gpt-2';
  /** Whether the reader made the latest change. */
  private byReader = false;
  /** The model that the shown advice is about. */
  private answered: ArchitectureState | null = null;
  private readonly balanceWidth = new WidthWatcher(this, '.balance', 560);
  private readonly answer = this.task<Question, TyingAdvice>({
    run: ({ architecture, context }) => this.askLab((lab) => lab.adviseTying(architecture, context)),
    done: (advice, { state, architecture, context, byReader }) => {
      this.advice = advice;
      this.answered = state;
      if (byReader) this.changed({ architecture, context, advice } satisfies AdvisorChange);
    },
    failed: (error) => {
      this.fail(error);
      if (this.problem !== null && this.advice !== null) this.problem = this.texts.refused(this.problem);
    },
  });
  private readonly judging = this.task<void, readonly JudgedModel[]>({
    run: () => this.askLab(judgeModels),
    done: (judged) => {
      this.judged = judged;
    },
  });

  constructor() {
    super();
    this.advice = null;
    this.judged = null;
  }

  // ------------------------------------------------------------ state

  private get context(): AdvisorContext {
    return valuesOf(contextSettings, this);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!Object.keys(contextSettings).some((name) => changed.has(name))) return;
    this.ask(this.byReader);
    this.byReader = false;
  }

  protected override stateChanged(_state: unknown, byReader: boolean): void {
    this.ask(byReader);
  }

  private ask(byReader: boolean): void {
    const { current } = this;
    if (current === null || !this.screen.woken) return;
    const { architecture } = current;
    const context = tyingContext(architecture, this.context);
    void this.answer.request({ state: current, architecture, context, byReader });
  }

  private change(change: Partial<AdvisorContext>): void {
    this.problem = null;
    this.byReader = true;
    Object.assign(this, change);
  }

  protected override wake(): void {
    super.wake();
    this.ask(false);
    if (this.judged === null) void this.judging.request();
  }

  // ------------------------------------------------------------ the figure

  protected override get drawn(): ArchitectureState | null {
    return this.answered ?? this.current;
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
    return html`
      ${this.renderPicker()}
      ${contextControls({
        context: this.context,
        canTie,
        budget: roundedUp(Number(saving?.numbers['untied'] ?? 1e9)),
        texts: this.texts,
        onChange: (change) => {
          this.change(change);
        },
      })}
    `;
  }

  private renderAdvice(advice: TyingAdvice, sentence: string): TemplateResult {
    const { judged, models, texts } = this;
    const headingLevel = this.headingLevel + 1;
    // The verdict is emphasised; the explanation follows.
    const [, choice = sentence, why = ''] = /^([^:]*)(:[\s\S]*)$/.exec(sentence) ?? [];
    const side = advice.tie === null ? '' : advice.tie ? 'is-tied' : 'is-untied';
    return html`
      <p class="verdict" data-picture><strong class=${side}>${choice}</strong>${why === '' ? nothing : why}</p>
      <div class="balance">${balance(advice, this.balanceWidth.width, texts)}</div>
      ${reasonsPage({ advice, models, judged, headingLevel, texts })}
      ${practice({ advice, judged, headingLevel, texts })}
    `;
  }
}

/** Rounded up to three digits, so that the model stays within the limit. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return Math.ceil(value / unit) * unit;
}
