import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { Lab } from '../../core/types.js';
import { Announcer } from '../../elements/shared/announcer.js';
import { button } from '../../elements/shared/controls.js';
import { LabLease } from '../../elements/shared/lab-lease.js';
import { Task } from '../../elements/shared/task.js';
import { builtInTexts } from '../../texts/index.js';
import { characterPairs, type PairCounts } from './direction/floors.js';

interface StoryTrainingOptions {
  /** Trains, and passes on what there is to show. `run`: 1, 2 and so on. */
  readonly train: (lab: Lab, pairs: PairCounts, run: number, signal: AbortSignal) => Promise<void>;
  /** What a finished run has shown, for readers who do not see it. */
  readonly words: () => string;
}

/** Models that a figure trains on the pairs of the built-in story when the reader presses its button. */
export class StoryTraining implements ReactiveController {
  /** Null until the text is there. */
  pairs: PairCounts | null = null;
  /** Runs that were finished. */
  runs = 0;
  readonly #host: LitElement;
  readonly #announcer: Announcer;
  readonly #task: Task<number>;
  #problem: string | null = null;

  constructor(host: LitElement, { train, words }: StoryTrainingOptions) {
    this.#host = host;
    this.#announcer = new Announcer(host);
    const labs = new LabLease(host);
    this.#task = new Task(host, {
      order: 'replace',
      run: async (run, signal) => {
        const { pairs } = this;
        if (pairs === null) return;
        await labs.ask((lab) => train(lab, pairs, run, signal));
        if (signal.aborted) return;
        this.runs = run;
        this.#announcer.announce(words());
      },
      failed: (error) => {
        this.#problem = error instanceof Error ? error.message : String(error);
      },
    });
    host.addController(this);
  }

  hostConnected(): void {
    if (this.pairs !== null) return;
    void builtInTexts[0]!.load().then((text) => {
      this.pairs = characterPairs(text);
      this.#host.requestUpdate();
    });
  }

  get pending(): boolean {
    return this.#task.pending;
  }

  button(label: string): TemplateResult {
    const disabled = this.pending || this.pairs === null;
    return html`<div class="row">${button({ label, kind: 'primary', disabled, onPress: () => this.#press() })}</div>`;
  }

  #press(): void {
    if (this.pending) return;
    this.#problem = null;
    void this.#task.request(this.runs + 1);
  }

  /** What went wrong, and what is announced: the end of the figure. */
  messages(): TemplateResult {
    return html`<div role="alert">
        ${this.#problem === null ? nothing : html`<p class="problem">${this.#problem}</p>`}
      </div>
      <div class="visually-hidden" role="status">${this.#announcer.text}</div>`;
  }
}
