import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type {
  Architecture,
  ImportedModel,
  KnownModel,
  ModelFamily,
  TableTying,
} from '../../../core/accounting/types.js';
import { button } from '../controls.js';
import { controlStyles } from '../controls.styles.js';
import type { Content } from '../figure.js';
import type { Panel } from '../settings/panel-parts.js';
import { renderPanel } from '../settings/panel.js';
import { base, tokens } from '../tokens.styles.js';
import { architecturePickerStyles } from './architecture-picker.styles.js';
import {
  isChanged,
  isEdited,
  withChange,
  withImported,
  withOwn,
  withPreset,
  withTying,
  type ArchitectureState,
} from './architecture-state.js';
import { architectureStrings, type ArchitectureStrings } from './architecture.strings.js';
import { ConfigReader } from './config-reader.js';
import { architectureSettings, morePanel, sizesPanel, tablesPanel } from './fields.js';
import { modelName } from './model-name.js';
import { isDescribed, modelFamilies, ownId, tablesId } from './presets.js';
import { completed, possibleTyings } from './what-follows.js';

/** Event of `<tied-architecture-picker>`; does not leave the owner's shadow root. */
export type ArchitectureEvent = CustomEvent<ArchitectureState>;

/**
 * Chooses and edits a model: a preset, its sizes, all other fields on demand, or a `config.json`. Reports the choice
 * with `tied-architecture`; counts nothing. Internal.
 */
export class ArchitecturePicker extends LitElement {
  static override styles = [tokens, base, controlStyles, architecturePickerStyles];
  static override shadowRootOptions: ShadowRootInit = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  /** Null while unknown; the picker then takes its space but shows nothing. */
  @property({ attribute: false }) state: ArchitectureState | null = null;
  @property({ attribute: false }) models: readonly KnownModel[] = [];
  @property({ attribute: false }) strings: Partial<ArchitectureStrings> = {};
  /** Imports the text of a config.json; null = not offered. */
  @property({ attribute: false }) importConfig: ((text: string) => Promise<ImportedModel>) | null = null;
  /** Selectable ways of tying, as far as the model has them; empty = no choice. */
  @property({ attribute: false }) tyings: readonly TableTying[] = [];
  /** Whether a file hovers over the figure. */
  @property({ type: Boolean }) hovering = false;
  @state() private more = false;
  @state() private configOpen = false;

  private readonly reader = new ConfigReader(this, (model) => this.report(withImported(model, this.state)));

  constructor() {
    super();
    this.addEventListener('paste', this.onPaste);
  }

  private get texts(): ArchitectureStrings {
    return { ...architectureStrings, ...this.strings };
  }

  /** Reads a file dropped on the figure. */
  useFiles(files: readonly File[]): Promise<void> {
    return this.read(files);
  }

  private async read(from: string | readonly File[]): Promise<void> {
    if (this.importConfig === null) return;
    this.configOpen = true;
    await this.reader.read(from, this.importConfig, this.texts);
  }

  // ------------------------------------------------------------ what changes

  private report(state: ArchitectureState): void {
    this.state = state;
    this.dispatchEvent(new CustomEvent('tied-architecture', { detail: state, bubbles: true }));
  }

  private change({ tying, ...change }: Partial<Architecture> & { readonly tying?: TableTying }): void {
    if (this.state === null) return;
    this.report(tying === undefined ? withChange(this.state, change, this.models) : withTying(this.state, tying));
  }

  private choosePreset(id: string): void {
    if (id === ownId && this.state?.model === ownId) {
      this.reset(this.state);
      return;
    }
    const chosen = withPreset(id, this.models);
    if (chosen !== null) this.report(chosen);
  }

  private reset(state: ArchitectureState): void {
    if (state.original !== null) this.report(withOwn(state.name, state.original, state.tying));
    else this.choosePreset(state.model);
  }

  private readonly onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text') ?? '';
    // Other pasted text is a number for a field.
    if (this.importConfig === null || !text.trimStart().startsWith('{')) return;
    event.preventDefault();
    void this.read(text);
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
              ? html`<span class="reset">
                  ${button({ label: this.texts.reset, kind: 'quiet', onPress: () => this.reset(shown) })}
                </span>`
              : nothing
          }
          ${this.importConfig === null ? nothing : html`<span class="rest">${this.renderConfigButton()}</span>`}
        </div>
        ${
          this.configOpen || this.hovering
            ? this.reader.render(this.texts, this.hovering, (from) => void this.read(from))
            : nothing
        }
        ${isDescribed(shown.architecture) ? this.renderPanel(shown, shown.model === tablesId ? tablesPanel : sizesPanel) : nothing}
        ${this.renderMore(shown)}
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
        ${family === 'listed' ? nothing : option(family, texts.anyOf(name))}
        ${models.filter((model) => model.architecture.family === family).map(({ id, name: own }) => option(id, own))}
      </optgroup>`;
    };
    const last = ['plain-formula', 'tied-embeddings'] as const;
    const first = modelFamilies.filter((family) => !(last as readonly string[]).includes(family));
    return html`
      <label class="field preset">
        <span class="legend">${texts.model}</span>
        <select id="model" @change=${(event: Event) => this.choosePreset((event.target as HTMLSelectElement).value)}>
          ${edited ? html`<option value="" .selected=${true}>${modelName(state, models, texts)}</option>` : nothing}
          ${state.model === ownId ? option(ownId, texts.fromFile(state.name ?? texts.unnamed)) : nothing}
          ${option(tablesId, texts.tablesAlone)} ${last.map((family) => option(family, texts.families[family]))}
          ${first.map(group)} ${models.some((model) => !isDescribed(model.architecture)) ? group('listed') : nothing}
        </select>
      </label>
    `;
  }

  private renderPanel(state: ArchitectureState, panel: Panel): Content {
    const { architecture, model, tying } = state;
    const tyings = possibleTyings(architecture).filter((way) => this.tyings.includes(way));
    return renderPanel(architectureSettings, panel, {
      texts: this.texts,
      values: { ...completed(architecture), ...architecture, model, tying, tyings },
      change: (change) => this.change(change),
    });
  }

  private renderMore(state: ArchitectureState): TemplateResult | typeof nothing {
    if (state.model === tablesId || !isDescribed(state.architecture)) return nothing;
    return html`
      <details
        class="rest"
        ?open=${this.more}
        @toggle=${(event: Event) => {
          this.more = (event.target as HTMLDetailsElement).open;
        }}
      >
        <summary>${this.texts.more}</summary>
        <div class="fields">${this.renderPanel(state, morePanel)}</div>
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
