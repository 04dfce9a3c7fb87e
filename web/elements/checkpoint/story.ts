import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { LabTrainer } from '../../core/types.js';
import { Task } from '../shared/task.js';
import { encodeKnown } from '../shared/unknown-words.js';
import type { Host } from '../shared/when-gone.js';
import type { CheckpointStrings } from './checkpoint.strings.js';

export interface StoryOptions {
  readonly prompt: string;
  readonly temperature: number;
  readonly tokens: number;
  readonly seed: number;
}

/** Calls `act` with the model, and again with a new one if the first one's lab has died. */
export type UseModel = (act: (trainer: LabTrainer) => Promise<unknown>) => Promise<unknown>;

/** A text that is being generated, and the means to stop it. */
export class Story {
  prompt = '';
  /** Words of the prompt that the model does not know, and did not read. */
  leftOut: readonly string[] = [];
  text = '';
  /** Whether there is text to show. */
  started = false;
  /** Null while generating, and after a failure. */
  ended: 'finished' | 'stopped' | null = null;
  private written = 0;
  private start = 0;
  private seconds = 0;
  private readonly task: Task<{ use: UseModel; options: StoryOptions }, unknown>;

  constructor(
    private readonly host: Host,
    failed: (error: unknown) => void,
  ) {
    this.task = new Task(host, {
      order: 'replace',
      run: ({ use, options }, signal) => use((trainer) => this.generate(trainer, options, signal)),
      done: () => this.end('finished'),
      failed,
    });
  }

  get writing(): boolean {
    return this.task.pending;
  }

  clear(): void {
    this.task.cancel();
    this.started = false;
    this.text = '';
    this.ended = null;
    this.host.requestUpdate();
  }

  stop(): void {
    if (this.writing) this.end('stopped');
    this.task.cancel();
  }

  /** Resolves when generation has finished, stopped or failed. */
  write(use: UseModel, options: StoryOptions): Promise<void> {
    this.prompt = options.prompt;
    this.started = true;
    this.begin();
    return this.task.request({ use, options });
  }

  private begin(): void {
    this.leftOut = [];
    this.text = '';
    this.written = 0;
    this.ended = null;
    this.start = performance.now();
  }

  private end(how: 'finished' | 'stopped'): void {
    this.ended = how;
    this.seconds = (performance.now() - this.start) / 1000;
  }

  private async generate(trainer: LabTrainer, options: StoryOptions, signal: AbortSignal): Promise<unknown> {
    this.begin();
    const tokenizer = await trainer.tokenizer();
    // What the model does not know is left out, and named where the prompt stands.
    const read = await (tokenizer === null ? null : encodeKnown(tokenizer, options.prompt))?.finally(() =>
      tokenizer?.dispose(),
    );
    this.leftOut = read?.leftOut ?? [];
    const onTokens = (tokenIds: Uint32Array, text: string | null): void => {
      if (signal.aborted) return;
      this.written += tokenIds.length;
      this.text += text ?? '';
      this.host.requestUpdate();
    };
    const prompt = read?.leftOut === undefined ? options.prompt : read.ids;
    return trainer.generate({ ...options, prompt, signal, onTokens });
  }

  /** A summary for screen readers; null if nothing has been generated. */
  summary(texts: CheckpointStrings): string | null {
    if (this.writing) return texts.writing;
    if (this.ended === 'stopped') return texts.stopped(formatWhole(this.written));
    if (this.ended === null) return null;
    const speed = formatNumber(this.written / Math.max(this.seconds, 1e-3), { significant: 2 });
    return texts.finished(formatWhole(this.written), speed);
  }
}
