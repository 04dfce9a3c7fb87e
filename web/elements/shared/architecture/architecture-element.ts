import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type {
  AccountingVerbs,
  Architecture,
  ImportedModel,
  KnownModel,
  TableTying,
} from '../../../core/accounting/types.js';
import type { Lab } from '../../../core/types.js';
import { FileDrop } from '../file-drop.js';
import { kebab, type Settings, type Values, type ValuesOf } from '../settings/setting.js';
import { attributesOf, initialValues, propertiesOf, type Refused } from '../settings/with-settings.js';
import { TiedElement } from '../tied-element.js';
import { namesUnknownModel, readState, settingsOf, type ArchitectureState } from './architecture-state.js';
import type { ArchitectureEvent, ArchitecturePicker } from './architecture-picker.js';
import { architectureStrings, type ArchitectureStrings } from './architecture.strings.js';
import { architectureSettings, settingNames } from './fields.js';
import { modelLine } from './model-name.js';

/** One property per field of an architecture, for differences from the model; undefined = no difference. */
type ArchitectureFields = {
  -readonly [Field in keyof Required<Architecture>]: Architecture[Field] | undefined;
};

type Declared = ValuesOf<typeof architectureSettings>;

// oxlint-disable-next-line no-unused-vars, typescript/no-unsafe-declaration-merging
export interface ArchitectureElement<Strings extends Refusing, Answer>
  extends ArchitectureFields, Omit<Declared, keyof ArchitectureFields> {}

/** A model without differences. */
const unset: Values = initialValues(architectureSettings);

/** What the element says when the core refuses a model while the drawing shows another. */
interface Refusing {
  readonly refused: (problem: string) => string;
}

interface Question {
  readonly state: ArchitectureState;
  readonly byReader: boolean;
}

/** Messages of the core about what it cannot count, and the picker's texts for them. */
const uncountable = [
  [/^architecture is .*\bmore than 2\^64 - 2 parameters/, 'uncountableModel'],
  [/^work or memory of the batch is more than 2\^64 - 2/, 'uncountableBatch'],
] as const;

/** A message of the core, with the picker's texts and labels. */
export function inPickersWords(message: string, texts: ArchitectureStrings): string {
  const found = uncountable.find(([pattern]) => pattern.test(message));
  if (found !== undefined) return texts[found[1]];
  const labels: Readonly<Record<string, unknown>> = texts;
  return message
    .replace(/^architecture\b(?!\.)/, texts.theModel)
    .replace(/\barchitecture\.(\w+)/g, (_, field: string) => {
      const label = labels[field];
      return texts.quoted(typeof label === 'string' ? label : kebab(field));
    });
}

/**
 * An element about one model, which the reader chooses and edits in a `<tied-architecture-picker>`. Its attributes are
 * `model` and the differences from it: `model="gpt2" n-layers="24"`.
 *
 * Subclasses define the initial model in `start`, render the picker with `renderPicker()`, ask the lab in `answerTo()` and draw
 * `answer`.
 */
// `propertiesOf` creates the properties that the interface declares.
export abstract class ArchitectureElement<Strings extends Refusing, Answer> extends TiedElement<Strings> {
  static override properties: PropertyDeclarations = propertiesOf(architectureSettings);
  static override readonly declared: Settings = architectureSettings;

  /** Texts of the picker that replace the English ones. */
  @property({ attribute: false }) pickerStrings: Partial<ArchitectureStrings> = {};

  /** Known models, once the core is loaded. */
  @state() protected models: readonly KnownModel[] = [];
  /** The model of the figure; null while the known models load. */
  @state() protected current: ArchitectureState | null = null;

  /** The lab's answer about the model `drawn`; null before the first answer. */
  @state() protected answer: Answer | null = null;

  /** The preset without attributes. */
  protected abstract readonly start: string;

  /** What the figure draws for a model, with the current settings. */
  protected abstract answerTo(lab: Lab, state: ArchitectureState): Promise<Answer>;

  /** Whether the answer depends on this setting. */
  protected asksFor(_setting: string): boolean {
    return true;
  }

  /** The detail of `tied-change`, once the reader's change has been answered. */
  protected abstract changeOf(answer: Answer, state: ArchitectureState): unknown;

  /** The model of the answer. */
  private answered: ArchitectureState | null = null;
  /** Whether the settings were changed by the reader. */
  private byReader = false;
  private readonly asking = this.task<Question, Answer>({
    run: ({ state }) => this.askLab((lab) => this.answerTo(lab, state)),
    done: (answer, { state, byReader }) => {
      this.answer = answer;
      this.answered = state;
      if (byReader) this.changed(this.changeOf(answer, state));
    },
    failed: (error) => {
      this.fail(error);
      if (this.problem !== null && this.answer !== null) this.problem = this.texts.refused(this.problem);
    },
  });
  /** The reader's choice, until it is shown. */
  private chosen: ArchitectureState | null = null;
  /** A problem with attributes; it stays if the core refuses the others. */
  private attributeProblem: string | null = null;
  private hasModels = false;
  private readonly loading = this.task<void, readonly KnownModel[]>({
    run: () => this.askLab((lab) => lab.knownModels()),
    done: (models) => {
      this.models = models;
      this.hasModels = true;
    },
  });
  private readonly drop = new FileDrop(this, (files) => {
    const picker = this.renderRoot.querySelector<ArchitecturePicker>('tied-architecture-picker');
    void picker?.useFiles(files);
  });

  /** The current model, including the reader's edits. */
  get architecture(): Architecture | null {
    return this.current?.architecture ?? null;
  }

  /** Shows a listed model and discards all edits. */
  openModel(id: string): void {
    Object.assign(this, unset, { model: id });
  }

  // ------------------------------------------------------------ for the element to use

  private ask(byReader: boolean): void {
    const { current: state } = this;
    if (state !== null && this.screen.woken) void this.asking.request({ state, byReader });
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.byReader ||= this.isUpdatePending;
  }

  /** `tyings`: the ways of tying that the reader can choose. */
  protected renderPicker(options: { tyings?: readonly TableTying[] } = {}): TemplateResult {
    return html`<tied-architecture-picker
      .state=${this.current}
      .models=${this.models}
      .strings=${this.pickerStrings}
      .tyings=${options.tyings ?? []}
      .importConfig=${this.importConfig}
      .hovering=${this.drop.hovering}
      ?at-rest=${!this.optionsOpen}
      @tied-architecture=${(event: ArchitectureEvent) => {
        event.stopPropagation();
        this.choose(event.detail);
      }}
    ></tied-architecture-picker>`;
  }

  /** The model that the drawing shows; not the current one if the core has refused that. */
  protected get drawn(): ArchitectureState | null {
    return this.answered ?? this.current;
  }

  protected override pictureNote(): string {
    const texts = { ...architectureStrings, ...this.pickerStrings };
    return this.drawn === null ? '' : modelLine(this.drawn, this.models, texts);
  }

  /** Errors of the core, with the picker's labels. */
  protected override fail(error: unknown): void {
    super.fail(error);
    const texts = { ...architectureStrings, ...this.pickerStrings };
    if (this.problem === null) return;
    const named = inPickersWords(this.problem, texts);
    this.problem = this.attributeProblem === null ? named : `${this.attributeProblem} ${named}`;
  }

  /** Writes the reader's choice to the element's attributes. */
  private choose(state: ArchitectureState): void {
    this.problem = null;
    this.attributeProblem = null;
    this.byReader = true;
    this.chosen = state;
    Object.assign(this, unset, settingsOf(state, this.models, this.start));
    this.requestUpdate();
  }

  protected override settings(): Record<string, string> {
    const { current, declared, settingValues: values } = this;
    const differences = current === null ? values : settingsOf(current, this.models, this.start);
    const written = settingNames
      .filter((name) => (differences[name] ?? null) !== null)
      .map((name) => [kebab(name), String(differences[name])]);
    return { ...Object.fromEntries(written), ...attributesOf(declared, { ...values, ...unset }) };
  }

  /** Values that a link shares with the previous settings are not edits of the previous model. */
  protected override followLink(found: Readonly<Record<string, string>>): void {
    Object.assign(this, unset);
    super.followLink(found);
  }

  // ------------------------------------------------------------ known models

  protected override wake(): void {
    if (!this.hasModels) void this.loading.request();
    this.ask(false);
  }

  private readonly importConfig = (text: string): Promise<ImportedModel> =>
    this.askLab((lab) => lab.importConfig(text));

  // ------------------------------------------------------------ attributes

  protected override refusals(values: Values): Refused[] {
    const others = super.refusals(values).filter(({ name }) => !(name in unset));
    return this.isWaiting ? others : [...readState(values, this.models, this.start).problems, ...others];
  }

  /** An unset field has the model's value. Differences from an unknown model mean nothing. */
  protected override replace(refused: Refused): void {
    if (refused.name === 'model') Object.assign(this, unset);
    else super.replace(refused.name in unset ? { ...refused, used: undefined } : refused);
  }

  /** Whether the model may be a known one while the known models are not loaded yet. */
  private get isWaiting(): boolean {
    return !this.hasModels && namesUnknownModel(this.settingValues, this.models);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { chosen, byReader, hasUpdated } = this;
    const isNew = settingNames.some((name) => changed.has(name)) || !hasUpdated;
    const fromOutside = chosen === null && (isNew || (this.current === null && changed.has('models')));
    if (fromOutside) {
      this.problem = null;
      // A new model discards the edits of the previous one.
      const old = hasUpdated && changed.has('model') ? settingNames.filter((name) => !changed.has(name)) : [];
      for (const name of old) Object.assign(this, { [name]: undefined });
    }
    super.willUpdate(changed);
    if (fromOutside) {
      this.attributeProblem = this.problem;
      this.current = this.isWaiting ? null : readState(this.settingValues, this.models, this.start).state;
    } else if (chosen !== null) this.current = chosen;
    this.chosen = null;
    this.byReader = false;
    const asks = Object.keys(this.declared).some((name) => changed.has(name) && this.asksFor(name));
    if (fromOutside || chosen !== null || asks) this.ask(byReader);
  }
}

/** The lab verbs that accounting elements use. */
export type LabAccounting = Pick<Lab, keyof AccountingVerbs>;
