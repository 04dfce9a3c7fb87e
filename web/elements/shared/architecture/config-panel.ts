import { html, nothing, type TemplateResult } from 'lit';
import { fileButton } from '../controls.js';
import type { ArchitectureStrings } from './architecture.strings.js';
import type { ConfigReader } from './config-reader.js';

export interface ConfigPanel {
  readonly texts: ArchitectureStrings;
  readonly reader: ConfigReader;
  /** Whether a file hovers over the figure. */
  readonly hovering: boolean;
  readonly useFiles: (files: readonly File[]) => void;
  readonly useText: (text: string) => void;
}

/** Input of a `config.json`, and the result of reading it. */
export const renderConfigPanel = ({ texts, reader, hovering, useFiles, useText }: ConfigPanel): TemplateResult => html`
  <div class="config ${hovering ? 'hovering' : ''}">
    <p>${hovering ? texts.dropConfig : texts.configHint}</p>
    ${fileButton({
      label: texts.chooseConfig,
      disabled: reader.busy,
      accept: '.json,application/json',
      onFiles: useFiles,
    })}
    <label
      ><span class="legend">${texts.pasteConfig}</span>
      <textarea
        class="text-field"
        rows="3"
        spellcheck="false"
        @input=${(event: Event) => {
          const { value } = event.target as HTMLTextAreaElement;
          if (value.trim() !== '') useText(value);
        }}
      ></textarea>
    </label>
    <div role="alert">${reader.problem === null ? nothing : html`<p class="problem">${reader.problem}</p>`}</div>
    <div role="status">${renderReport(texts, reader)}</div>
  </div>
`;

function renderReport(texts: ArchitectureStrings, { busy, model }: ConfigReader): TemplateResult | typeof nothing {
  if (busy) return html`<p>${texts.reading}</p>`;
  if (model === null) return nothing;
  const { assumptions, name } = model;
  if (assumptions.length === 0) return html`<p>${texts.read(name ?? texts.unnamed)}</p>`;
  return html`
    <p>${texts.read(name ?? texts.unnamed)} ${texts.assumed}</p>
    <ul>
      ${assumptions.map((assumption) => html`<li>${assumption}</li>`)}
    </ul>
  `;
}
