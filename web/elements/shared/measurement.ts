import type { ReactiveController } from 'lit';
import type { Listening } from './model-twins.js';
import { Task, type TaskOrder } from './task.js';
import type { Host } from './when-gone.js';

/**
 * Where a measurement stands:
 * - `impossible`: there is nothing to measure
 * - `idle`: nobody has asked for it
 * - `asked`: it begins when the figure is near the screen
 * - `working`: it runs
 * - `shown`: there is a result for what the settings ask
 * - `failed`: there is none, and what was asked is not tried again until the reader asks again
 */
export type MeasurementState = 'impossible' | 'idle' | 'asked' | 'working' | 'shown' | 'failed';

/** What a measurement reports to. */
interface Reporting<Result> extends Listening {
  /** What is measured so far: shown at once, but it answers no question. */
  readonly onPart: (result: Result) => void;
}

export interface MeasurementOptions<Question, Result> {
  /** What the settings ask for. */
  readonly question: () => Question;
  /** Whether there is anything to measure. Default: always. */
  readonly possible?: () => boolean;
  readonly same: (one: Question, other: Question) => boolean;
  /** Whether a result answers a question. `of`: the question for which it was measured; null: it was given. */
  readonly answers: (result: Result, question: Question, of: Question | null) => boolean;
  /** Earlier results that the page provides. */
  readonly given: () => readonly Result[];
  /** Null if the question is too short to be measured. */
  readonly measure: (question: Question, listening: Reporting<Result>) => Promise<Result | null>;
  readonly tooShort?: () => void;
  readonly failed: (error: unknown) => void;
  /** What the page hears of. Default: what answers the question. */
  readonly reported?: () => Result | null;
  /** Called after an update if the reader has changed something, and there is something to report; false: not yet. */
  readonly report: (reported: Result) => boolean;
  /** What a newer question does to a running one. */
  readonly order: TaskOrder;
  /** Whether it may begin. Default: always. */
  readonly ready?: () => boolean;
  /** Whether a new question is measured without the reader asking for it. Default: never. */
  readonly unasked?: () => boolean;
}

/** A figure's long measurement: made when the reader asks for it, and again when the settings ask for something else. */
export class Measurement<Question, Result> implements ReactiveController {
  readonly #host: Host;
  readonly #options: MeasurementOptions<Question, Result>;
  readonly #task: Task<Question, Result | null>;
  #taken: { readonly question: Question; readonly result: Result; readonly whole: boolean } | null = null;
  #tried: Question | null = null;
  #asked = false;
  #byReader = false;

  constructor(host: Host, options: MeasurementOptions<Question, Result>) {
    this.#host = host;
    this.#options = options;
    this.#task = new Task(host, {
      order: options.order,
      run: (question, signal, onProgress) => {
        const onPart = (result: Result): void => {
          if (signal.aborted) return;
          this.#taken = { question, result, whole: false };
          host.requestUpdate();
        };
        return options.measure(question, { signal, onProgress, onPart });
      },
      done: (result, question) => {
        if (result === null) options.tooShort?.();
        else this.#taken = { question, result, whole: true };
      },
      failed: options.failed,
    });
    host.addController(this);
  }

  // ------------------------------------------------------------ what there is

  get state(): MeasurementState {
    if (this.pending) return 'working';
    if (this.fitting !== null) return 'shown';
    if (!this.#isPossible) return 'impossible';
    if (this.#hasTried(this.#options.question())) return 'failed';
    return this.#isAsked ? 'asked' : 'idle';
  }

  get pending(): boolean {
    return this.#task.pending;
  }

  /** What is being measured, or was tried last; null if nothing was. */
  get tried(): Question | null {
    return this.#tried ?? this.#taken?.question ?? null;
  }

  /** The fraction that is measured; null if unknown. */
  get fraction(): number | null {
    return this.#task.fraction;
  }

  /** Whether the reader has stopped the last one. */
  get stopped(): boolean {
    return this.#task.stopped;
  }

  /** The newest result that was measured here, perhaps in part, and for which question. */
  get taken(): { readonly question: Question; readonly result: Result } | null {
    return this.#taken;
  }

  /** The result for what the settings ask, if there is one. */
  get fitting(): Result | null {
    const { question: asked, answers, given } = this.#options;
    const [question, taken] = [asked(), this.#taken];
    if (taken?.whole === true && answers(taken.result, question, taken.question)) return taken.result;
    return given().find((result) => answers(result, question, null)) ?? null;
  }

  /** The same; else the last one, until the reader measures again. */
  get shown(): Result | null {
    return this.fitting ?? this.#taken?.result ?? this.#options.given()[0] ?? null;
  }

  // ------------------------------------------------------------ what the figure does with it

  /** The reader asks for it. */
  ask(): void {
    this.#tried = null;
    this.#asked = this.#byReader = true;
    this.#host.requestUpdate();
  }

  /** The reader has changed settings; `asks`: which is enough to ask for it. */
  change(asks: boolean): void {
    this.#byReader = true;
    if (asks) this.#asked = true;
    this.#host.requestUpdate();
  }

  /** The reader no longer wants it. */
  stop(): void {
    this.dismiss();
    this.#byReader = false;
    this.#tried = null;
    this.#task.stop();
  }

  /** Ends what is running; what the settings ask for then begins with the next update. */
  cancel(): void {
    this.#tried = null;
    this.#task.cancel();
  }

  /** What failed is not tried again before the reader asks for it. */
  dismiss(): void {
    this.#asked = false;
  }

  /** Forgets the result. */
  forget(): void {
    this.#taken = null;
    this.#host.requestUpdate();
  }

  /** The figure has come near the screen, or has returned to it: what failed is tried again. */
  wake(): void {
    this.#tried = null;
    this.hostUpdate();
  }

  /** Measures what was asked for; an existing result is shown at once. */
  hostUpdate(): void {
    const { question: asked, ready = () => true } = this.#options;
    if (!this.#isPossible && this.pending) this.#task.cancel();
    if (!this.#isPossible || !ready() || !this.#isAsked) return;
    if (this.fitting !== null) {
      this.#tried = null;
      // A pending request is for something else.
      if (this.pending) this.#task.cancel();
      return;
    }
    const question = asked();
    if (this.#hasTried(question)) return;
    this.#tried = question;
    void this.#task.request(question);
  }

  hostUpdated(): void {
    const { reported = () => this.fitting, report } = this.#options;
    if (!this.#byReader || this.pending) return;
    const result = reported();
    if (result === null) return;
    this.#byReader = false;
    if (!report(result)) this.#byReader = true;
  }

  get #isPossible(): boolean {
    return this.#options.possible?.() ?? true;
  }

  get #isAsked(): boolean {
    return this.#asked || this.#options.unasked?.() === true;
  }

  #hasTried(question: Question): boolean {
    return this.#tried !== null && this.#options.same(this.#tried, question);
  }
}
