import type { LitElement, ReactiveController } from 'lit';
import type { ImportedModel } from '../../../core/accounting-types.js';
import type { ArchitectureStrings } from './architecture.strings.js';

type Import = (text: string) => Promise<ImportedModel | null>;

/** Bytes; a config.json has a few thousand. */
const largest = 4 * 1024 * 1024;

/** Reads the `config.json` of a model and remembers the result: a model with what was assumed, or a problem. */
export class ConfigReader implements ReactiveController {
  busy = false;
  problem: string | null = null;
  model: ImportedModel | null = null;
  /** Counts readings: of two that overlap, the one that began later counts. */
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
    const mine = this.begin();
    const [file] = files;
    if (file === undefined) this.end(mine, texts.notFiles);
    else if (file.size > largest) this.end(mine, texts.tooLarge(file.name, '4 MiB'));
    else {
      let text: string;
      try {
        text = await file.text();
      } catch {
        this.end(mine, texts.unreadable(file.name));
        return;
      }
      await this.import(mine, text, file.name, importConfig, texts);
    }
  }

  readText(text: string, fileName: string | null, importConfig: Import, texts: ArchitectureStrings): Promise<void> {
    return this.import(this.begin(), text, fileName, importConfig, texts);
  }

  /** From here on everything that began earlier is out of date, also a file that is still being read. */
  private begin(): number {
    this.busy = true;
    this.problem = null;
    this.host.requestUpdate();
    return ++this.reading;
  }

  private async import(
    mine: number,
    text: string,
    fileName: string | null,
    importConfig: Import,
    texts: ArchitectureStrings,
  ): Promise<void> {
    if (mine !== this.reading) return;
    try {
      const model = await importConfig(text);
      if (mine !== this.reading) return;
      if (model === null) {
        this.end(mine, null);
        return;
      }
      this.model = { ...model, name: model.name ?? fileName ?? texts.unnamed };
      this.busy = false;
      this.host.requestUpdate();
      this.read(this.model);
    } catch (error) {
      this.end(mine, error instanceof Error ? error.message : String(error));
    }
  }

  private end(mine: number, problem: string | null): void {
    if (mine !== this.reading) return;
    this.busy = false;
    this.problem = problem;
    this.model = null;
    this.host.requestUpdate();
  }
}
