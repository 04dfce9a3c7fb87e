import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type {
  Architecture,
  ImportedModel,
  KnownModel,
  ModelFamily,
  TableTying,
} from '../../../core/accounting-types.js';
import { button, checkbox, select } from '../controls.js';
import { controlStyles } from '../controls.styles.js';
import type { NumberEvent } from '../number-field.js';
import { base, tokens } from '../tokens.styles.js';
import { architecturePickerStyles } from './architecture-picker.styles.js';
import {
  isChanged,
  isEdited,
  withChange,
  withOwn,
  withPreset,
  withTying,
  type ArchitectureState,
} from './architecture-state.js';
import { architectureStrings, type ArchitectureStrings } from './architecture.strings.js';
import { renderConfigPanel } from './config-panel.js';
import { ConfigReader } from './config-reader.js';
import { modelFamilies, type ArchitectureField } from './fields.js';
import { modelName } from './model-name.js';
import { applyingFields, completed } from './picker-fields.js';
import { ownId, tablesId } from './presets.js';
import { possibleTyings } from './what-follows.js';

export interface ArchitectureDetail {
  readonly state: ArchitectureState;
  /** False during a drag. */
  readonly final: boolean;
}

/** Event of `<tied-architecture-picker>`; does not leave the owner's shadow root. */
export type ArchitectureEvent = CustomEvent<ArchitectureDetail>;

type NumberField = 'vocabSize' | 'dModel' | 'nLayers' | Exclude<NumericField, 'normsPerLayer' | 'nSegments'>;
type NumericField = {
  [Field in ArchitectureField]-?: Architecture[Field] extends number | undefined ? Field : never;
}[ArchitectureField];

/** Ends of the sliders; numbers beyond can be typed. */
const sliders: Partial<Record<NumberField, readonly ['linear' | 'log', number, number]>> = {
  vocabSize: ['log', 100, 1_000_000],
  dModel: ['log', 16, 32_768],
  nLayers: ['linear', 0, 128],
};
const canBeNone: readonly string[] = ['nLayers', 'nEncoderLayers', 'nExperts', 'nSharedExperts', 'nDenseLayers'];

/**
 * Chooses and edits a model: a preset, its sizes, all other fields on demand, or a `config.json`. Reports the choice
 * with `tied-architecture`; counts nothing. Internal.
 */
export class ArchitecturePicker extends LitElement {
  static override properties: PropertyDeclarations = {
    state: { attribute: false },
    models: { attribute: false },
    strings: { attribute: false },
    importConfig: { attribute: false },
    tyings: { attribute: false },
    hovering: { type: Boolean },
    more: { state: true },
    configOpen: { state: true },
  };

  static override styles = [tokens, base, controlStyles, architecturePickerStyles];
  static override shadowRootOptions: ShadowRootInit = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  /** Null while unknown; the picker then takes its space but shows nothing. */
  declare state: ArchitectureState | null;
  declare models: readonly KnownModel[];
  declare strings: Partial<ArchitectureStrings>;
  /** Imports the text of a config.json; null = not offered. */
  declare importConfig: ((text: string) => Promise<ImportedModel>) | null;
  /** Selectable ways of tying, as far as the model has them; empty = no choice. */
  declare tyings: readonly TableTying[];
  /** Whether a file hovers over the figure. */
  declare hovering: boolean;
  declare private more: boolean;
  declare private configOpen: boolean;

  private readonly reader = new ConfigReader(this, (model) => {
    this.tell(withOwn(model.name, model.architecture, model.tying), true);
  });

  constructor() {
    super();
    this.state = null;
    this.models = [];
    this.strings = {};
    this.importConfig = null;
    this.tyings = [];
    this.hovering = false;
    this.more = false;
    this.configOpen = false;
    this.addEventListener('paste', this.onPaste);
  }

  private get texts(): ArchitectureStrings {
    return { ...architectureStrings, ...this.strings };
  }

  /** Reads a file dropped on the figure. */
  async useFiles(files: readonly File[]): Promise<void> {
    if (this.importConfig === null) return;
    this.configOpen = true;
    await this.reader.read(files, this.importConfig, this.texts);
  }

  private useText(text: string): void {
    if (this.importConfig !== null) void this.reader.read(text, this.importConfig, this.texts);
  }

  // ------------------------------------------------------------ what changes

  private tell(state: ArchitectureState, final: boolean): void {
    this.state = state;
    const detail: ArchitectureDetail = { state, final };
    this.dispatchEvent(new CustomEvent('tied-architecture', { detail, bubbles: true }));
  }

  private change(change: Partial<Architecture>, final = true): void {
    if (this.state !== null) this.tell(withChange(this.state, change, this.models), final);
  }

  private choosePreset(id: string): void {
    if (id === ownId && this.state?.model === ownId) {
      this.reset(this.state);
      return;
    }
    const chosen = withPreset(id, this.models);
    if (chosen !== null) this.tell(chosen, true);
  }

  private reset(state: ArchitectureState): void {
    if (state.original !== null) this.tell(withOwn(state.name, state.original, state.tying), true);
    else this.choosePreset(state.model);
  }

  private readonly onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text') ?? '';
    // Other pasted text is a number for a field.
    if (this.importConfig === null || !text.trimStart().startsWith('{')) return;
    event.preventDefault();
    this.configOpen = true;
    this.useText(text);
  };

  // ------------------------------------------------------------ drawing

  protected override render(): TemplateResult {
    const { state } = this;
    // An unknown model is replaced by a placeholder of the same size.
    const shown = state ?? withPreset('gpt-2', []);
    if (shown === null) return html``;
    return html`
      <div class="picker ${state === null ? 'waiting' : ''}">
        <div class="row">
          ${this.renderPresets(shown)}
          ${
            isChanged(shown, this.models)
              ? button({
                  label: this.texts.reset,
                  kind: 'quiet',
                  onPress: () => {
                    this.reset(shown);
                  },
                })
              : nothing
          }
          ${this.importConfig === null ? nothing : this.renderConfigButton()}
        </div>
        ${
          this.configOpen || this.hovering
            ? renderConfigPanel({
                texts: this.texts,
                reader: this.reader,
                hovering: this.hovering,
                useFiles: (files) => void this.useFiles(files),
                useText: (text) => {
                  this.useText(text);
                },
              })
            : nothing
        }
        ${this.renderSizes(shown)} ${this.renderMore(shown)}
      </div>
    `;
  }

  private renderPresets(state: ArchitectureState): TemplateResult {
    const { texts, models } = this;
    const edited = isEdited(state, models);
    const option = (id: string, label: string): TemplateResult =>
      html`<option value=${id} .selected=${id === state.model && !edited}>${label}</option>`;
    const group = (family: ModelFamily): TemplateResult => {
      const name = texts.families[family];
      return html`<optgroup label=${name}>
        ${option(family, texts.anyOf(name))}
        ${models.filter((model) => model.architecture.family === family).map(({ id, name: own }) => option(id, own))}
      </optgroup>`;
    };
    const last = ['plain-formula', 'tied-embeddings'] as const;
    const first = modelFamilies.filter((family) => !(last as readonly string[]).includes(family));
    return html`
      <label class="field preset">
        <span class="legend">${texts.model}</span>
        <select
          id="model"
          @change=${(event: Event) => {
            this.choosePreset((event.target as HTMLSelectElement).value);
          }}
        >
          ${edited ? html`<option value="" .selected=${true}>${modelName(state, models, texts)}</option>` : nothing}
          ${state.model === ownId ? option(ownId, texts.fromFile(state.name ?? texts.unnamed)) : nothing}
          ${option(tablesId, texts.tablesAlone)} ${last.map((family) => option(family, texts.families[family]))}
          ${first.map(group)}
        </select>
      </label>
    `;
  }

  private renderSizes(state: ArchitectureState): TemplateResult {
    const twoStacks = completed(state.architecture)?.stack === 'encoder-decoder';
    const layers = twoStacks ? this.texts.nDecoderLayers : this.texts.nLayers;
    return html`
      <div class="sizes ${state.model === tablesId ? 'two' : ''}">
        ${this.renderNumber(state, 'vocabSize')} ${this.renderNumber(state, 'dModel')}
        ${state.model === tablesId ? nothing : this.renderNumber(state, 'nLayers', layers)}
      </div>
    `;
  }

  private renderNumber(state: ArchitectureState, field: NumberField, label = this.texts[field]): TemplateResult {
    const value = state.architecture[field] ?? completed(state.architecture)?.[field] ?? 0;
    const [slider, sliderMin, sliderMax] = sliders[field] ?? [null, 0, 1];
    return html`<tied-number-field
      id=${field}
      .slider=${slider}
      whole
      .label=${label}
      .value=${value}
      .min=${canBeNone.includes(field) ? 0 : 1}
      .max=${Number.MAX_SAFE_INTEGER}
      .sliderMin=${sliderMin}
      .sliderMax=${sliderMax}
      @tied-number=${(event: NumberEvent) => {
        event.stopPropagation();
        const { value: wanted, final } = event.detail;
        if (wanted !== value || final) this.change({ [field]: wanted }, final);
      }}
    ></tied-number-field>`;
  }

  private renderChoice<Field extends 'stack' | 'feedForward' | 'positions' | 'biases'>(
    state: ArchitectureState,
    field: Field,
    names: Readonly<Record<NonNullable<Architecture[Field]>, string>>,
  ): TemplateResult {
    const value = (state.architecture[field] ?? completed(state.architecture)?.[field] ?? '') as string;
    return select({
      label: this.texts[field],
      value,
      choices: Object.entries<string>(names).map(([id, label]) => ({ value: id, label })),
      onChoose: (chosen) => {
        this.change({ [field]: chosen });
      },
    });
  }

  private renderMore(state: ArchitectureState): TemplateResult | typeof nothing {
    const { texts } = this;
    const shown = applyingFields(state);
    const ways = possibleTyings(state.architecture).filter((way) => this.tyings.includes(way));
    if (shown.size === 0) return nothing;
    const number = (field: NumberField, label = texts[field]): TemplateResult | typeof nothing =>
      shown.has(field) ? this.renderNumber(state, field, label) : nothing;
    const experts = shown.has('nActiveExperts');
    const { outputBias } = completed(state.architecture) ?? state.architecture;
    return html`
      <details
        ?open=${this.more}
        @toggle=${(event: Event) => {
          this.more = (event.target as HTMLDetailsElement).open;
        }}
      >
        <summary>${texts.more}</summary>
        <div class="fields">
          ${shown.has('stack') ? this.renderChoice(state, 'stack', texts.stacks) : nothing} ${number('nEncoderLayers')}
          ${number('outputVocabSize')}
          ${
            ways.length < 2
              ? nothing
              : select({
                  label: texts.tying,
                  value: state.tying,
                  choices: ways.map((way) => ({ value: way, label: texts.tyings[way] })),
                  onChoose: (way) => {
                    this.tell(withTying(state, way), true);
                  },
                })
          }
          ${number('lowRank')} ${number('nHeads')} ${number('nKeyValueHeads')} ${number('dHead')}
          ${shown.has('feedForward') ? this.renderChoice(state, 'feedForward', texts.feedForwards) : nothing}
          ${number('dFeedForward', experts ? texts.dExpert : texts.dFeedForward)} ${number('nExperts')}
          ${number('nActiveExperts')} ${number('nSharedExperts')} ${number('nDenseLayers')}
          ${number('dDenseFeedForward')}
          ${shown.has('positions') ? this.renderChoice(state, 'positions', texts.positionKinds) : nothing}
          ${number('contextLength')} ${number('relativeBuckets')}
          ${shown.has('biases') ? this.renderChoice(state, 'biases', texts.biasKinds) : nothing}
          ${
            shown.has('outputBias')
              ? checkbox({
                  label: texts.outputBias,
                  checked: outputBias ?? false,
                  onChange: (checked) => {
                    this.change({ outputBias: checked });
                  },
                })
              : nothing
          }
        </div>
      </details>
    `;
  }

  // ------------------------------------------------------------ config.json

  private renderConfigButton(): TemplateResult {
    return button({
      label: this.texts.openConfig,
      kind: 'quiet',
      expanded: this.configOpen,
      onPress: () => {
        this.configOpen = !this.configOpen;
      },
    });
  }
}
