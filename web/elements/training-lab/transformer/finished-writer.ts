import { TiedError } from '../../../core/runtime/errors.js';
import { mostDeaths, type LabSource } from '../../shared/lab-lease.js';
import { Task } from '../../shared/task.js';
import type { TokenNames } from '../../shared/token-names.js';
import { whenGone, type Host } from '../../shared/when-gone.js';
import type { FinishedModels } from './finished-models.js';
import type { FinishedTransformerRun, ModelsFile } from './finished-run.js';
import { type LiveSample, type Prompting, type Sample, SampleWriter } from './samples.js';

const keyOf = ({ prompt, temperature, seed }: Prompting): string => JSON.stringify([prompt, temperature, seed]);

/** Whether a sample was written from this prompt, at this temperature, with this seed. */
export const isWrittenFrom = (sample: Sample, wanted: Prompting): boolean => keyOf(sample) === keyOf(wanted);

export interface FinishedWriterOptions {
  readonly host: Host;
  readonly labs: LabSource;
  /** Names of a word tokenizer's special tokens. */
  readonly names: () => TokenNames;
  readonly onChange: () => void;
}

/** Generates samples that a finished run did not record, with its models, which are fetched and opened on first use. */
export class FinishedWriter {
  readonly #options: FinishedWriterOptions;
  readonly #writer: SampleWriter;
  readonly #task: Task<{ run: FinishedTransformerRun; file: ModelsFile; wanted: Prompting }>;
  #run: FinishedTransformerRun | null = null;
  #models: FinishedModels | null = null;
  /** The last request; it is not repeated until the reader wants something else. */
  #tried = '';
  #fetched: number | null = null;
  #failure: unknown = null;
  #cancelled = false;

  constructor(options: FinishedWriterOptions) {
    const { host, onChange } = options;
    this.#options = options;
    this.#writer = new SampleWriter(onChange);
    this.#task = new Task(host, {
      order: 'queue',
      run: ({ run, file, wanted }, signal) => this.#write(run, file, wanted, signal),
      failed: (error) => {
        this.#failure = error;
      },
    });
    whenGone(host, () => this.close());
  }

  /** The newest complete sample. */
  get sample(): Sample | null {
    return this.#writer.samples.list.at(-1) ?? null;
  }
  get live(): LiveSample | null {
    return this.#writer.samples.live;
  }
  get promptProblem(): unknown {
    return this.#writer.problem;
  }
  /** Why the models could not be opened, or null. */
  get failure(): unknown {
    return this.#failure;
  }
  get cancelled(): boolean {
    return this.#cancelled;
  }
  /**
   * The number of bytes of the models' file that have arrived, while it is being fetched and opened; otherwise null.
   */
  get fetched(): number | null {
    return this.#fetched;
  }

  /** Generates what is wanted, unless that was already tried. To be called after every drawing. */
  follow(run: FinishedTransformerRun, wanted: Prompting): void {
    if (run !== this.#run) this.close();
    this.#run = run;
    const key = keyOf(wanted);
    if (run.models === undefined || this.#task.pending || key === this.#tried) return;
    this.#tried = key;
    this.#failure = null;
    this.#cancelled = false;
    this.#writer.forgetProblem();
    void this.#task.request({ run, file: run.models, wanted });
  }

  /** Lets the next `follow` retry a failed or cancelled sample; false if there was none. */
  retry(): boolean {
    const again = this.#cancelled || this.#failure !== null;
    if (again) this.#tried = '';
    return again;
  }

  /** Stops fetching. */
  cancel(): void {
    this.#cancelled = true;
    this.#task.cancel();
  }

  /** Disposes of the models. */
  close(): void {
    this.#task.cancel();
    this.#models?.dispose();
    this.#models = null;
    this.#writer.samples.forget(null);
    this.#tried = '';
    this.#failure = null;
    this.#cancelled = false;
  }

  async #write(run: FinishedTransformerRun, file: ModelsFile, wanted: Prompting, signal: AbortSignal): Promise<void> {
    for (let deaths = 1; !signal.aborted; deaths++) {
      try {
        this.#models ??= await this.#open(run, file, signal);
        await this.#writer.write(this.#models, wanted);
        return;
      } catch (error) {
        if (deaths > mostDeaths || !(await this.#options.labs.lost(error))) throw error;
        this.#models = null;
      }
    }
  }

  async #open(run: FinishedTransformerRun, file: ModelsFile, signal: AbortSignal): Promise<FinishedModels> {
    const { labs, names } = this.#options;
    const onBytes = (bytes: number | null): void => {
      this.#fetched = bytes;
      this.#options.onChange();
    };
    try {
      onBytes(0);
      const { fetchModels, openModels } = await import('./finished-models.js');
      const bytes = await fetchModels(file, { signal, onBytes });
      const models = await openModels(await labs.lab(), run, bytes, names());
      if (!signal.aborted) return models;
      models.dispose();
      throw new TiedError('cancelled', 'the models are no longer wanted');
    } finally {
      onBytes(null);
    }
  }
}
