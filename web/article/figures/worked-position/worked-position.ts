import { html, LitElement, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatNumber } from '../../../charts/number-format.js';
import { Announcer } from '../../../elements/shared/announcer.js';
import { copyToClipboard } from '../../../elements/shared/clipboard.js';
import { button, segmented } from '../../../elements/shared/controls.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { figureFrame, type Code, type FrameButton } from '../../../elements/shared/figure.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { FocusKeeper } from '../../../elements/shared/focus-keeper.js';
import { LabLease } from '../../../elements/shared/lab-lease.js';
import { commonStrings } from '../../../elements/shared/strings.js';
import { Task } from '../../../elements/shared/task.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { checkWithCore, type Check } from './check.js';
import { codeOf, type Language } from './code.js';
import { firstPosition, withRead, withTenth, work, type Place, type Position } from './position.js';
import { lastStep, sentenceOf, stepNames, workingOf } from './steps.js';
import { similarityTable, workTable } from './views.js';
import { workedPositionStyles } from './worked-position.styles.js';

type Part = 'words' | 'similarity' | Language;

const languageNames: Readonly<Record<Language, string>> = { javascript: 'JavaScript', pytorch: 'PyTorch' };

const hints: Readonly<Record<Language, string>> = {
  javascript: 'The same numbers with this package, in JavaScript (npm install tied-embeddings):',
  pytorch: 'The same in PyTorch, with a check that both tables are one:',
};

const checkText = ({ numbers, largest }: Check): string =>
  largest === 0
    ? `By hand and by the core, ${numbers} numbers: all are equal.`
    : `By hand and by the core, ${numbers} numbers: the largest difference is ${formatNumber(largest, { significant: 2 })}.`;

/** Italics between asterisks. */
const typeset = (text: string): TemplateResult =>
  html`${text.split('*').map((part, i) => (i % 2 === 0 ? part : html`<i>${part}</i>`))}`;

const spoken = (text: string): string => text.replaceAll('*', '');

/**
 * `<article-worked-position>`: one position of a tied model in six steps, with every number by hand. The reader changes the table, the
 * hidden state and the words; the core checks the numbers, and two programs print them.
 */
export class WorkedPosition extends LitElement {
  static override styles = [tokens, base, controlStyles, figureStyles, workedPositionStyles];

  @state() private position: Position = firstPosition;
  @state() private step = 1;
  /** The word whose arithmetic is written out. */
  @state() private row = firstPosition.target;
  @state() private hasMore = false;
  @state() private open: Part | null = null;
  @state() private similarity: 'dot' | 'cosine' = 'dot';
  @state() private note = '';
  @state() private problem: string | null = null;

  private readonly announcer = new Announcer(this);
  private readonly labs = new LabLease(this);
  /** Keeps the keyboard's place in the figure. */
  protected readonly focusKeeper = new FocusKeeper(this);
  private readonly checking = new Task<Position, Check>(this, {
    order: 'newest',
    run: (position) => this.labs.ask((lab) => checkWithCore(lab, position)),
    done: (check, position) => {
      // The numbers may have changed meanwhile.
      if (position === this.position) this.note = checkText(check);
    },
    failed: (error) => {
      this.note = '';
      this.problem = error instanceof Error ? error.message : String(error);
    },
  });

  private set(position: Position): void {
    this.position = position;
    this.note = '';
    this.problem = null;
  }

  private readonly change = (place: Place, value: number): void => {
    const changed = withTenth(this.position, place, value * 10);
    this.set(changed);
  };

  private go(step: number): void {
    this.step = Math.min(lastStep, Math.max(1, step));
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: this.step - 1,
      ArrowRight: this.step + 1,
      Home: 1,
      End: lastStep,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  };

  private renderSteps(): TemplateResult {
    const { step } = this;
    const isLast = step === lastStep;
    return html`
      <div class="steps row tight" role="group" aria-label="Steps" @keydown=${this.onKey}>
        ${button({ label: 'Back', disabled: step === 1, onPress: () => this.go(step - 1) })}
        ${button({
          label: isLast ? 'From the start' : `Next: ${stepNames[step]!}`,
          kind: 'primary',
          onPress: () => this.go(isLast ? 1 : step + 1),
        })}
        <span class="place">Step ${step} of ${lastStep}: <strong>${stepNames[step - 1]!}</strong></span>
      </div>
    `;
  }

  private renderWords(): TemplateResult {
    const { words, read, target } = this.position;
    const select = (label: string, value: number, choose: (index: number) => void): TemplateResult => html`
      <label class="field"
        >${label}
        <select @change=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
          ${words.map((word, i) => html`<option value=${i} .selected=${i === value}>${word}</option>`)}
        </select></label
      >
    `;
    return html`
      <div class="row">
        ${select('The model reads', read, (index) => this.set(withRead(this.position, index)))}
        ${select('The text goes on with', target, (index) => {
          this.set({ ...this.position, target: index });
          this.row = index;
        })}
        ${button({ label: 'First numbers again', onPress: () => this.set(firstPosition) })}
      </div>
    `;
  }

  private renderSimilarity(): TemplateResult {
    return html`
      ${segmented({
        legend: 'Similarity',
        name: 'similarity',
        value: this.similarity,
        choices: [
          { value: 'dot', label: 'Dot product' },
          { value: 'cosine', label: 'Cosine' },
        ],
        onChoose: (value) => (this.similarity = value),
      })}
      ${similarityTable(this.position, this.similarity)}
    `;
  }

  private get buttons(): FrameButton[] {
    const toggle = (part: Part, label: string): FrameButton => ({
      label,
      expanded: this.open === part,
      onPress: () => (this.open = this.open === part ? null : part),
    });
    return [
      toggle('words', 'Other words'),
      toggle('similarity', 'Similarity'),
      toggle('javascript', languageNames.javascript),
      toggle('pytorch', languageNames.pytorch),
      {
        label: 'Check with the core',
        onPress: () => {
          this.note = 'Asking the core …';
          void this.checking.request(this.position);
        },
      },
    ];
  }

  private get code(): Code | null {
    const { open } = this;
    if (open !== 'javascript' && open !== 'pytorch') return null;
    return { hint: hints[open], text: codeOf(open, this.position), rows: 22 };
  }

  private readonly copy = (text: string): void => {
    void copyToClipboard(text).then((copied) => {
      this.note = copied ? commonStrings.copied : commonStrings.copyFailed;
    });
  };

  protected override render(): TemplateResult {
    const { position, step, row, open } = this;
    const worked = work(position);
    const sentence = sentenceOf(step, position, worked);
    this.announcer.announce(spoken(`Step ${step} of ${lastStep}, ${stepNames[step - 1]!}. ${sentence}`));
    const panel =
      open === 'words' ? () => this.renderWords() : open === 'similarity' ? () => this.renderSimilarity() : null;
    return figureFrame(
      {
        title: 'One position, worked by hand',
        controls: html`${this.renderSteps()}
          <p class="sentence">${typeset(sentence)}</p>`,
        drawing: html`
          <div class="sheet">
            ${workTable({
              position,
              worked,
              step,
              row,
              change: this.change,
              point: (index) => (this.row = index),
            })}
          </div>
        `,
        readOut: typeset(workingOf(step, position, worked, row)),
        caption: html`Here what the layers add is given. In a model it depends on the row that was read, too.`,
        ...(panel === null ? {} : { data: panel }),
      },
      {
        strings: { ...commonStrings, showData: open === 'words' ? 'Words' : 'Similarity' },
        headingLevel: 3,
        isEnglish: true,
        problem: this.problem,
        announcement: this.announcer.text,
        open: panel === null ? null : 'data',
        options: {
          label: 'Words, similarity, code and check',
          expanded: this.hasMore,
          onPress: () => {
            this.hasMore = !this.hasMore;
            this.open = null;
            this.note = '';
          },
        },
        buttons: this.buttons,
        note: this.note,
        code: this.code,
        copy: this.copy,
      },
    );
  }
}
