import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { LabTrainer } from '../../core/types.js';
import type { CheckpointStrings } from './checkpoint.strings.js';

export interface StoryOptions {
  readonly prompt: string;
  readonly temperature: number;
  readonly tokens: number;
  readonly seed: number;
}

/** A text that is being written: what there is of it, and the way to stop it. */
export class Story implements ReactiveController {
  prompt = '';
  text = '';
  /** Whether there is anything to show. */
  started = false;
  private abort: AbortController | null = null;
  private written = 0;
  private seconds = 0;
  private ended: 'finished' | 'stopped' | null = null;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {}

  get writing(): boolean {
    return this.abort !== null;
  }

  clear(): void {
    this.stop();
    this.started = false;
    this.text = '';
    this.ended = null;
    this.host.requestUpdate();
  }

  stop(): void {
    this.abort?.abort();
  }

  /** Resolves when the text is finished or stopped; rejects with what else went wrong. */
  async write(trainer: LabTrainer, options: StoryOptions): Promise<void> {
    this.stop();
    const abort = new AbortController();
    this.abort = abort;
    this.prompt = options.prompt;
    this.text = '';
    this.started = true;
    this.written = 0;
    this.ended = null;
    this.host.requestUpdate();
    const start = performance.now();
    try {
      await trainer.generate({
        ...options,
        signal: abort.signal,
        onTokens: (tokenIds, text) => {
          if (this.abort !== abort) return;
          this.written += tokenIds.length;
          this.text += text ?? '';
          this.host.requestUpdate();
        },
      });
      if (this.abort === abort) this.ended = 'finished';
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== 'cancelled') throw error;
      if (this.abort === abort) this.ended = 'stopped';
    } finally {
      if (this.abort === abort) {
        this.seconds = (performance.now() - start) / 1000;
        this.abort = null;
      }
      this.host.requestUpdate();
    }
  }

  /** How it stands, for those who cannot see it grow; null where nothing has been written. */
  summary(texts: CheckpointStrings): string | null {
    if (this.writing) return texts.writing;
    if (this.ended === 'stopped') return texts.stopped(formatWhole(this.written));
    if (this.ended === null) return null;
    const speed = formatNumber(this.written / Math.max(this.seconds, 1e-3), { significant: 2 });
    return texts.finished(formatWhole(this.written), speed);
  }
}
