import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { ImportedModel } from '../../../core/accounting/types.js';
import { fileButton } from '../controls.js';
import { Task } from '../task.js';
import type { Host } from '../when-gone.js';
import type { ArchitectureStrings } from './architecture.strings.js';

type Import = (text: string) => Promise<ImportedModel>;

interface Opening {
  /** The pasted text, or the supplied files. */
  readonly from: string | readonly File[];
  readonly importConfig: Import;
  readonly texts: ArchitectureStrings;
}

/** In bytes; a config.json has a few thousand. */
const largest = 4 * 1024 * 1024;

/** Reads a model's `config.json` and stores the result: a model with assumptions, or a problem. */
export class ConfigReader {
  problem: string | null = null;
  model: ImportedModel | null = null;
  private readonly host: ReactiveControllerHost;
  private readonly opening: Task<Opening, ImportedModel>;

  constructor(host: Host, read: (model: ImportedModel) => void) {
    this.host = host;
    this.opening = new Task<Opening, ImportedModel>(host, {
      order: 'replace',
      run: readModel,
      done: (model) => {
        this.model = model;
        read(model);
      },
      failed: (error) => {
        this.problem = error instanceof Error ? error.message : String(error);
        this.model = null;
      },
    });
  }

  get busy(): boolean {
    return this.opening.pending;
  }

  /** Reads text or a file. If two calls overlap, the later one wins. */
  read(from: Opening['from'], importConfig: Import, texts: ArchitectureStrings): Promise<void> {
    this.problem = null;
    this.host.requestUpdate();
    return this.opening.request({ from, importConfig, texts });
  }

  /** Where to choose, paste or drop a file, and what has been read. */
  render(texts: ArchitectureStrings, hovering: boolean, use: (from: Opening['from']) => void): TemplateResult {
    const { problem } = this;
    return html`
      <div class="config ${hovering ? 'hovering' : ''}">
        <p>${hovering ? texts.dropConfig : texts.configHint}</p>
        ${fileButton({
          label: texts.chooseConfig,
          disabled: this.busy,
          accept: '.json,application/json',
          onFiles: use,
        })}
        <label
          ><span class="legend">${texts.pasteConfig}</span>
          <textarea
            class="text-field"
            rows="3"
            spellcheck="false"
            @input=${(event: Event) => {
              const { value } = event.target as HTMLTextAreaElement;
              if (value.trim() !== '') use(value);
            }}
          ></textarea>
        </label>
        <div role="alert">${problem === null ? nothing : html`<p class="problem">${problem}</p>`}</div>
        <div role="status">${renderReport(texts, this)}</div>
      </div>
    `;
  }
}

async function readModel({ from, importConfig, texts }: Opening, signal: AbortSignal): Promise<ImportedModel> {
  const [file] = typeof from === 'string' ? [] : from;
  const text = typeof from === 'string' ? from : await textOf(file, texts);
  signal.throwIfAborted();
  const model = await importConfig(text);
  return { ...model, name: model.name ?? file?.name ?? texts.unnamed };
}

async function textOf(file: File | undefined, texts: ArchitectureStrings): Promise<string> {
  if (file === undefined) throw new Error(texts.notFiles);
  if (file.size > largest) throw new Error(texts.tooLarge(file.name, '4 MiB'));
  try {
    return await file.text();
  } catch {
    throw new Error(texts.unreadable(file.name));
  }
}

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
