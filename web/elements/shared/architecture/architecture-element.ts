import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type {
  AccountingVerbs,
  Architecture,
  ImportedModel,
  KnownModel,
  TableTying,
} from '../../../core/accounting-types.js';
import type { Lab } from '../../../core/types.js';
import { FileDrop } from '../file-drop.js';
import { kebab, type Texts, type Values } from '../settings/setting.js';
import { linkedAttributes, propertiesOf, refusalSentence } from '../settings/with-settings.js';
import { TiedElement } from '../tied-element.js';
import {
  namesUnknownModel,
  readState,
  settingNames,
  settingsOf,
  type ArchitectureState,
  type GivenSettings,
} from './architecture-state.js';
import type { ArchitectureEvent, ArchitecturePicker } from './architecture-picker.js';
import { architectureStrings, type ArchitectureStrings } from './architecture.strings.js';
import { architectureSettings } from './fields.js';
import { modelLine } from './model-name.js';

/** A property for each field of an architecture, for differences from the model. undefined = no difference. */
type ArchitectureFields = {
  -readonly [Field in keyof Required<Architecture>]: Architecture[Field] | undefined;
};

// eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
export interface ArchitectureElement<Strings extends Refusing, Answer> extends ArchitectureFields {}

/** What the element says when the core refuses a model while the drawing shows another. */
interface Refusing {
  readonly refused: (problem: string) => string;
}

interface Question {
  readonly state: ArchitectureState;
  readonly byReader: boolean;
}

/**
 * An element about one model, which the reader chooses and edits in a `<tied-architecture-picker>`. Its attributes are
 * `model` and the differences from it: `model="gpt2" n-layers="24"`.
 *
 * Subclasses define the initial model in `start`, render the picker with `renderPicker()`, ask the lab in `answerTo()` and draw
 * `answer`.
 */
// `propertiesOf` creates the properties that the interface declares.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export abstract class ArchitectureElement<Strings extends Refusing, Answer> extends TiedElement<Strings> {
  static override properties: PropertyDeclarations = propertiesOf(architectureSettings);

  static override readonly linkSettings: readonly string[] = linkedAttributes(architectureSettings);

  /** 'tables', a family, the id of a known model, or 'own'; undefined = the element's initial model. */
  declare model: string | undefined;
  /** How the tables are tied, where that differs from the model. */
  declare tying: TableTying | undefined;
  /** The model's name, where that differs from its own. */
  declare modelName: string | undefined;
  /** Whether the reader had edited a model from a file when a link to it was made. */
  declare modelEdited: boolean | undefined;
  /** Texts of the picker that replace the English ones. */
  @property({ attribute: false }) pickerStrings: Partial<ArchitectureStrings> = {};

  /** Known models, once the core is loaded. */
  @state() protected models: readonly KnownModel[] = [];
  /** The model of the figure; null while the known models load. */
  @state() protected current: ArchitectureState | null = null;

  /** What the lab has answered about the model `drawn`; null before the first answer. */
  @state() protected answer: Answer | null = null;

  /** The preset without attributes. */
  protected abstract readonly start: string;

  /** What the figure draws of a model, with the present settings. */
  protected abstract answerTo(lab: Lab, state: ArchitectureState): Promise<Answer>;

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
  private written: GivenSettings | null = null;
  /** A problem with attributes; remains where the core refuses the others. */
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
    for (const name of settingNames) this.setSetting(name, undefined);
    this.model = id;
  }

  // ------------------------------------------------------------ for the element to use

  private ask(byReader: boolean): void {
    const { current: state } = this;
    if (state !== null && this.screen.woken) void this.asking.request({ state, byReader });
  }

  protected override changeSettings(changes: Values): void {
    this.byReader = true;
    super.changeSettings(changes);
  }

  protected override settingsChanged(_changed: PropertyValues): void {
    this.ask(this.byReader);
    this.byReader = false;
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
      @tied-architecture=${(event: ArchitectureEvent) => {
        event.stopPropagation();
        this.choose(event.detail);
      }}
    ></tied-architecture-picker>`;
  }

  /** The model that the drawing shows, which is not the current one where the core has refused that. */
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
    const labels: Readonly<Record<string, unknown>> = texts;
    const named = this.problem
      ?.replace(/^architecture\b(?!\.)/, texts.theModel)
      .replace(/\barchitecture\.(\w+)/g, (_, field: string) => {
        const label = labels[field];
        return texts.quoted(typeof label === 'string' ? label : kebab(field));
      });
    if (named === undefined) return;
    this.problem = this.attributeProblem === null ? named : `${this.attributeProblem} ${named}`;
  }

  /** Writes the reader's choice to the element's attributes. */
  protected choose(state: ArchitectureState): void {
    this.problem = null;
    this.attributeProblem = null;
    const settings = settingsOf(state, this.models, this.start);
    for (const name of settingNames) this.setSetting(name, settings[name]);
    this.written = settings;
    this.current = state;
    this.ask(true);
  }

  protected override settings(): Record<string, string> {
    const settings = this.current === null ? this.given() : settingsOf(this.current, this.models, this.start);
    return Object.fromEntries(Object.entries(settings).map(([name, value]) => [kebab(name), String(value)]));
  }

  // ------------------------------------------------------------ known models

  protected override wake(): void {
    if (!this.hasModels) void this.loading.request();
    this.ask(false);
  }

  private readonly importConfig = (text: string): Promise<ImportedModel> =>
    this.askLab((lab) => lab.importConfig(text));

  // ------------------------------------------------------------ attributes

  private setting(name: string): unknown {
    return (this as unknown as Record<string, unknown>)[name];
  }

  private setSetting(name: string, value: unknown): void {
    (this as unknown as Record<string, unknown>)[name] = value;
  }

  private given(): GivenSettings {
    const named = settingNames.map((name) => [name, this.setting(name)] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== null));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.hasUpdated && changed.has('model') && !same(this.given(), this.written)) {
      // A new model from outside discards the edits of the previous one.
      for (const name of settingNames) if (!changed.has(name)) this.setSetting(name, undefined);
    }
    const given = this.given();
    const isNew = settingNames.some((name) => changed.has(name)) && !same(given, this.written);
    const waited = changed.has('models') && this.current === null;
    if (isNew || waited || !this.hasUpdated) this.readSettings(given);
  }

  private readSettings(given: GivenSettings): void {
    if (!this.hasModels && namesUnknownModel(given, this.models)) {
      this.current = null;
      return;
    }
    const { state, problems } = readState(given, this.models, this.start);
    const sentences = problems.map((one) =>
      refusalSentence(architectureSettings, one, given, this.texts as object as Texts),
    );
    this.attributeProblem = sentences.length === 0 ? null : sentences.join(' ');
    this.problem = this.attributeProblem;
    for (const { name: wrong } of problems) {
      for (const name of settingNames) if (wrong === 'model' || wrong === name) this.setSetting(name, undefined);
    }
    this.written = this.given();
    this.current = state;
    this.ask(false);
  }
}

/** The lab verbs that accounting elements use. */
export type LabAccounting = Pick<Lab, keyof AccountingVerbs>;

const same = (one: GivenSettings, other: GivenSettings | null): boolean =>
  other !== null &&
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);
