import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type {
  AccountingVerbs,
  Architecture,
  ImportedModel,
  KnownModel,
  TableTying,
} from '../../../core/accounting-types.js';
import type { Lab } from '../../../core/types.js';
import { FileDrop } from '../file-drop.js';
import { TiedElement } from '../tied-element.js';
import {
  namesUnknownModel,
  readState,
  settingNames,
  settingsOf,
  withPreset,
  type ArchitectureState,
  type AttributeProblem,
  type GivenSettings,
} from './architecture-state.js';
import type { ArchitectureEvent, ArchitecturePicker } from './architecture-picker.js';
import { architectureStrings, type ArchitectureStrings } from './architecture.strings.js';
import { attributeOf, fieldSpecs } from './fields.js';
import { modelLine } from './model-name.js';

/** The text as a number where it is one; other text is kept for the error message. */
const fromAttribute = (name: string) => (text: string | null) => {
  const spec = (fieldSpecs as Partial<typeof fieldSpecs>)[name as keyof typeof fieldSpecs];
  if (text === null) return undefined;
  return spec?.kind === 'number' && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
};

const settingProperties: PropertyDeclarations = Object.fromEntries(
  settingNames.map((name) => [
    name,
    { attribute: attributeOf(name), reflect: true, converter: { fromAttribute: fromAttribute(name) } },
  ]),
);

/** A property for each field of an architecture, for differences from the model. undefined = no difference. */
type ArchitectureFields = {
  -readonly [Field in keyof Required<Architecture>]: Architecture[Field] | undefined;
};

// eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
export interface ArchitectureElement<Strings extends object> extends ArchitectureFields {}

/**
 * An element about one model, which the reader chooses and edits in a `<tied-architecture-picker>`. Its attributes are
 * `model` and the differences from it: `model="gpt2" n-layers="24"`.
 *
 * Subclasses define the initial model in `start`, render the picker with `renderPicker()`, and override
 * `stateChanged()`.
 */
// `settingProperties` creates the properties that the interface declares.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export abstract class ArchitectureElement<Strings extends object> extends TiedElement<Strings> {
  static override properties: PropertyDeclarations = {
    ...settingProperties,
    pickerStrings: { attribute: false },
    models: { state: true },
    current: { state: true },
  };

  static override readonly linkSettings: readonly string[] = settingNames.map(attributeOf);

  /** 'tables', a family, the id of a known model, or 'own'; undefined = the element's initial model. */
  declare model: string | undefined;
  /** How the tables are tied, where that differs from the model. */
  declare tying: TableTying | undefined;
  /** The model's name, where that differs from its own. */
  declare modelName: string | undefined;
  /** Whether the reader had edited a model from a file when a link to it was made. */
  declare modelEdited: boolean | undefined;
  /** Texts of the picker that replace the English ones. */
  declare pickerStrings: Partial<ArchitectureStrings>;

  /** Known models, once the core is loaded. */
  declare protected models: readonly KnownModel[];
  /** The model of the figure; null while the known models load. */
  declare protected current: ArchitectureState | null;

  /** The preset without attributes. */
  protected abstract readonly start: string;

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

  constructor() {
    super();
    this.pickerStrings = {};
    this.models = [];
    this.current = null;
  }

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

  /** Called with each new model, also while a slider moves. `byReader`: not from attributes. */
  protected stateChanged(_state: ArchitectureState, _byReader: boolean): void {}

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
        this.choose(event.detail.state);
      }}
    ></tied-architecture-picker>`;
  }

  /** The model that the drawing shows, which is not the current one where the core has refused that. */
  protected get drawn(): ArchitectureState | null {
    return this.current;
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
        return texts.quoted(typeof label === 'string' ? label : attributeOf(field));
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
    this.stateChanged(state, true);
  }

  protected override settings(): Record<string, string> {
    const settings = this.current === null ? this.given() : settingsOf(this.current, this.models, this.start);
    return Object.fromEntries(Object.entries(settings).map(([name, value]) => [attributeOf(name), String(value)]));
  }

  // ------------------------------------------------------------ known models

  protected override wake(): void {
    if (!this.hasModels) void this.loading.request();
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
    const sentences = problems.map((problem) => this.sentenceOf(problem));
    this.attributeProblem = sentences.length === 0 ? null : sentences.join(' ');
    this.problem = this.attributeProblem;
    for (const { attribute } of problems) {
      const wrong = settingNames.filter((name) => attribute === 'model' || attributeOf(name) === attribute);
      for (const name of wrong) this.setSetting(name, undefined);
    }
    this.written = this.given();
    this.current = state;
    this.stateChanged(state, false);
  }

  private sentenceOf({ attribute, given, expected, used }: AttributeProblem): string {
    const texts = { ...architectureStrings, ...this.pickerStrings };
    const uses = used === null ? texts.usesFamily : texts.uses(used);
    if (expected.kind === 'number') return `${texts.badNumber(attribute, given, String(expected.least))} ${uses}`;
    if (expected.kind === 'flag') return `${texts.badFlag(attribute, given)} ${uses}`;
    if (expected.kind === 'model') return `${texts.badModel(attribute, given)} ${uses}`;
    return `${texts.badChoice(attribute, given, expected.values.join(', '))} ${uses}`;
  }

  /** The preset with this id as a state, for elements that compare. */
  protected presetState(id: string): ArchitectureState | null {
    return withPreset(id, this.models);
  }
}

/** The lab verbs that accounting elements use. */
export type LabAccounting = Pick<Lab, keyof AccountingVerbs>;

const same = (one: GivenSettings, other: GivenSettings | null): boolean =>
  other !== null &&
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);
