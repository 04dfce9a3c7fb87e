import type { ReactiveControllerHost } from 'lit';
import type { ImportedModel } from '../../../core/accounting-types.js';
import { Task } from '../task.js';
import type { Host } from '../when-gone.js';
import type { ArchitectureStrings } from './architecture.strings.js';

type Import = (text: string) => Promise<ImportedModel>;

interface Reading {
  /** The pasted text, or the supplied files. */
  readonly from: string | readonly File[];
  readonly importConfig: Import;
  readonly texts: ArchitectureStrings;
}

/** Bytes; a config.json has a few thousand. */
const largest = 4 * 1024 * 1024;

/** Reads a model's `config.json` and stores the result: a model with assumptions, or a problem. */
export class ConfigReader {
  problem: string | null = null;
  model: ImportedModel | null = null;
  private readonly host: ReactiveControllerHost;
  private readonly reading: Task<Reading, ImportedModel>;

  constructor(host: Host, read: (model: ImportedModel) => void) {
    this.host = host;
    this.reading = new Task<Reading, ImportedModel>(host, {
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
    return this.reading.pending;
  }

  /** Reads text or a file. If two calls overlap, the later one wins. */
  read(from: Reading['from'], importConfig: Import, texts: ArchitectureStrings): Promise<void> {
    this.problem = null;
    this.host.requestUpdate();
    return this.reading.request({ from, importConfig, texts });
  }
}

async function readModel({ from, importConfig, texts }: Reading, signal: AbortSignal): Promise<ImportedModel> {
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
