import type { LitElement, ReactiveController } from 'lit';
import type { ImportedModel } from '../../../core/accounting-types.js';
import type { ArchitectureStrings } from './architecture.strings.js';

type Import = (text: string) => Promise<ImportedModel | null>;

/** Bytes; a config.json has a few thousand. */
const largest = 4 * 1024 * 1024;

/** Reads the `config.json` of a model and remembers what came of it: a model with what was assumed, or a problem. */
export class ConfigReader implements ReactiveController {
  busy = false;
  problem: string | null = null;
  model: ImportedModel | null = null;
  /** Of two that overlap the later one counts. */
  private reading = 0;

  constructor(
    private readonly host: LitElement,
    private readonly read: (model: ImportedModel) => void,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.reading++;
    this.busy = false;
  }

  async readFiles(files: readonly File[], importConfig: Import, texts: ArchitectureStrings): Promise<void> {
    const [file] = files;
    if (file === undefined) this.end(texts.notFiles);
    else if (file.size > largest) this.end(texts.tooLarge(file.name, '4 MiB'));
    else {
      let text: string;
      try {
        text = await file.text();
      } catch {
        this.end(texts.unreadable(file.name));
        return;
      }
      await this.readText(text, file.name, importConfig, texts);
    }
  }

  async readText(
    text: string,
    fileName: string | null,
    importConfig: Import,
    texts: ArchitectureStrings,
  ): Promise<void> {
    const mine = ++this.reading;
    this.busy = true;
    this.problem = null;
    this.host.requestUpdate();
    try {
      const model = await importConfig(text);
      if (mine !== this.reading) return;
      if (model === null) {
        this.end(null);
        return;
      }
      this.model = { ...model, name: model.name ?? fileName ?? texts.unnamed };
      this.busy = false;
      this.host.requestUpdate();
      this.read(this.model);
    } catch (error) {
      if (mine === this.reading) this.end(error instanceof Error ? error.message : String(error));
    }
  }

  private end(problem: string | null): void {
    this.busy = false;
    this.problem = problem;
    this.model = null;
    this.host.requestUpdate();
  }
}
