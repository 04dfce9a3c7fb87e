import type { Lab } from '../../core/types.js';
import { Arms, type Arm, type PairValue, type Snapshot } from './arms.js';
import { nextKeptStep } from './history.js';
import { prepareText, type PreparationStage, type PreparedText } from './prepare-text.js';
import { changesTokens, settingProblems, type LabSettings } from './settings.js';
import type { TextSource } from './text-source.js';
import type { Pair } from './token-choice.js';

/**
 * - `idle`: nothing is loaded, nothing is held
 * - `preparing`: the text is being read (`stage` says how far)
 * - `ready`: models exist and have done no step
 * - `running`, `paused`
 * - `finished`: the planned number of steps is done; it can be run on
 * - `failed`: `error` says why; a changed source or setting starts again
 */
export type Phase = 'idle' | 'preparing' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';

export interface LabFailure {
  /** Which part of the work went wrong, and so where it is said. */
  where: 'text' | 'training';
  error: unknown;
}

export interface ControllerOptions {
  /** Called when first needed. */
  lab: () => Promise<Lab>;
  loadBuiltIn: (id: string) => Promise<{ title: string; text: string }>;
  /** Called after every change of what the getters return; several times a frame at worst. */
  onChange: () => void;
  /** Called when a chunk of steps is done. */
  onSteps?: () => void;
  now?: () => number;
  wait?: (milliseconds: number) => Promise<void>;
}

/** Time between two looks at what the models think while they run, and the length of a chunk of steps. */
const lookEveryMs = 120;
const chunkMs = 40;
const longestChunk = 1000;

/**
 * The lab without its drawings: source -> tokens -> bigrams -> floors -> models -> history. Verbs return at once or
 * when they are done; a later one makes an earlier one stop after the chunk of steps that it is in.
 */
export class LabController {
  readonly #options: ControllerOptions;
  readonly #now: () => number;
  readonly #wait: (milliseconds: number) => Promise<void>;
  #queue: Promise<void> = Promise.resolve();
  /** Raised by whatever makes the work under way worthless. */
  #generation = 0;
  #abort = new AbortController();
  #halt = false;
  /** The run that was asked for last, and whether it waits for the element to be seen again. */
  #run: { target: number; stepsPerSecond: number } | null = null;
  #suspended = false;
  #msPerStep = 1;
  #lastLook = 0;

  #phase: Phase = 'idle';
  #stage: PreparationStage | null = null;
  #failure: LabFailure | null = null;
  #settings: LabSettings | null = null;
  #text: PreparedText | null = null;
  #textOf: TextSource | null = null;
  #arms: Arms | null = null;
  #kept: Snapshot[] = [];
  #latest: Snapshot | null = null;
  #viewedStep: number | null = null;
  #pair: Pair | null = null;
  #pairNow: PairValue[] = [];

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  }

  get phase(): Phase {
    return this.#phase;
  }
  get stage(): PreparationStage | null {
    return this.#stage;
  }
  get failure(): LabFailure | null {
    return this.#failure;
  }
  get text(): PreparedText | null {
    return this.#text;
  }
  get arms(): readonly Arm[] {
    return this.#arms?.list ?? [];
  }
  /** True while a run waits for `resume`. */
  get suspended(): boolean {
    return this.#suspended;
  }
  /** Steps done. */
  get step(): number {
    return this.#arms?.step ?? 0;
  }
  get pair(): Pair | null {
    return this.#pair;
  }

  /** Every state that can be looked at, oldest first; the last one is the newest of the run. */
  get stops(): readonly Snapshot[] {
    const latest = this.#latest;
    if (latest === null) return [];
    return this.#kept.at(-1)?.step === latest.step ? this.#kept : [...this.#kept, latest];
  }

  /** The state that is looked at: the newest unless the reader went back. */
  get viewed(): Snapshot | null {
    if (this.#viewedStep === null) return this.#latest;
    return this.stops.find(({ step }) => step === this.#viewedStep) ?? this.#latest;
  }

  get viewsNewest(): boolean {
    return this.#viewedStep === null;
  }

  /** What each arm thinks of a pair at the viewed step; null where that step was not kept for this pair. */
  valuesOf(pair: Pair): readonly PairValue[] | null {
    const { viewed } = this;
    if (this.#text === null || viewed === null) return null;
    const { kept } = this.#text;
    const from = kept.indexOf(pair.from);
    const to = kept.indexOf(pair.to);
    if (from >= 0 && to >= 0) {
      return viewed.arms.map(({ probabilities }) => ({
        forward: probabilities[from * kept.length + to] ?? 0,
        backward: probabilities[to * kept.length + from] ?? 0,
      }));
    }
    const chosen = this.#pair?.from === pair.from && this.#pair.to === pair.to;
    return chosen && viewed === this.#latest && this.#pairNow.length > 0 ? this.#pairNow : null;
  }

  /** A pair in the text itself. */
  inText({ from, to }: Pair): PairValue {
    const { bigrams } = this.#text ?? {};
    return { forward: bigrams?.conditional(from)[to] ?? 0, backward: bigrams?.conditional(to)[from] ?? 0 };
  }

  /**
   * Reads the source where it or the tokens changed, and starts new models at step 0. Resolves when they stand,
   * or when it has failed, or when something newer has taken its place.
   */
  async configure(source: TextSource, settings: LabSettings): Promise<void> {
    if (settingProblems(settings).length > 0) throw new RangeError('The settings cannot be run: see settingProblems.');
    const before = this.#settings;
    const sameText =
      this.#text !== null && before !== null && this.#textOf === source && !changesTokens(before, settings);
    // The seed of the run is also that of a written text.
    const rewritten = source.kind === 'markov-chain' || source.kind === 'stories';
    const keepText = sameText && !(rewritten && before.seed !== settings.seed);
    this.#settings = settings;
    this.#abandon();
    this.#phase = 'preparing';
    this.#stage = 'loading';
    if (!keepText) this.#text = null;
    await this.#enqueue(async () => {
      this.#releaseArms();
      this.#changed();
      await this.#prepare(source, settings);
    }, 'text');
  }

  /** Gives up what is being prepared. */
  cancel(): void {
    if (this.#phase !== 'preparing') return;
    this.#abandon();
    this.#phase = 'idle';
    this.#stage = null;
    void this.#enqueue(async () => {
      this.#releaseArms();
    });
    this.#changed();
  }

  /** Runs to the planned end at `stepsPerSecond` (Infinity: as fast as it goes); past the end, until paused. */
  async play(stepsPerSecond: number): Promise<void> {
    const planned = this.#settings?.steps ?? 0;
    await this.runTo(this.step < planned ? planned : Number.POSITIVE_INFINITY, stepsPerSecond);
  }

  /** Runs to `target`; where that lies behind, goes back to the weights of that step. */
  async runTo(target: number, stepsPerSecond = Number.POSITIVE_INFINITY): Promise<void> {
    if (!this.#canRun()) return;
    this.#viewedStep = null;
    this.#suspended = false;
    this.#run = { target, stepsPerSecond };
    this.#phase = 'running';
    this.#changed();
    await this.#enqueue(async (arms) => {
      if (target < arms.step) await this.#goBack(arms, target);
      await this.#advance(arms, target, stepsPerSecond);
    });
  }

  /** Takes effect at once on what runs. */
  async changeSpeed(stepsPerSecond: number): Promise<void> {
    if (this.#phase === 'running' && this.#run !== null) await this.runTo(this.#run.target, stepsPerSecond);
  }

  async stepOnce(): Promise<void> {
    if (!this.#canRun()) return;
    this.#viewedStep = null;
    this.#suspended = false;
    await this.#enqueue(async (arms) => this.#advance(arms, arms.step + 1, Number.POSITIVE_INFINITY));
  }

  /** Takes effect after the chunk of steps under way. */
  pause(): void {
    this.#suspended = false;
    if (this.#phase !== 'running') return;
    this.#halt = true;
    this.#phase = 'paused';
    this.#changed();
  }

  /** Pauses what runs until `resume`, because nobody can see it. */
  suspend(): void {
    if (this.#phase !== 'running') return;
    this.pause();
    this.#suspended = true;
    this.#changed();
  }

  async resume(): Promise<void> {
    if (!this.#suspended || this.#run === null) return;
    await this.runTo(this.#run.target, this.#run.stepsPerSecond);
  }

  /** Back to the same weights. The curves of a rewound run are forgotten: it would draw the same ones again. */
  async rewind(): Promise<void> {
    if (this.#arms === null) return;
    this.#viewedStep = null;
    this.#suspended = false;
    await this.#enqueue(async (arms) => {
      this.#failure = null;
      await this.#goBack(arms, 0);
      this.#settle();
    });
  }

  /** Looks at a kept step; null is the newest. */
  view(step: number | null): void {
    const newest = step === null || step >= this.step;
    this.#viewedStep = newest ? null : step;
    this.#changed();
  }

  async choosePair(pair: Pair): Promise<void> {
    this.#pair = pair;
    this.#pairNow = [];
    this.#changed();
    // A run looks at the pair by itself before long; a run that stands must be asked.
    if (this.#phase !== 'running' && this.#arms !== null) {
      await this.#enqueue(async (arms) => {
        this.#pairNow = await arms.pair(pair);
      });
      this.#changed();
    }
  }

  /** Resolves when everything asked for so far is done. */
  async idle(): Promise<void> {
    await this.#queue;
  }

  dispose(): void {
    this.#abandon();
    this.#phase = 'idle';
    void this.#enqueue(async () => {
      this.#releaseArms();
    });
  }

  // ---------------------------------------------------------------- inside

  #canRun(): boolean {
    return this.#arms !== null && this.#phase !== 'preparing' && this.#failure === null;
  }

  #changed(): void {
    this.#options.onChange();
  }

  #abandon(): void {
    this.#generation += 1;
    this.#halt = true;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#failure = null;
    this.#viewedStep = null;
    this.#suspended = false;
  }

  #releaseArms(): void {
    this.#arms?.dispose();
    this.#arms = null;
    this.#kept = [];
    this.#latest = null;
    this.#pairNow = [];
  }

  /** Lets what runs come to a stop, then does `task`, unless something newer has made it worthless. */
  #enqueue(task: (arms: Arms) => Promise<void>, where: LabFailure['where'] = 'training'): Promise<void> {
    const generation = this.#generation;
    this.#halt = true;
    this.#queue = this.#queue.then(async () => {
      if (generation !== this.#generation) return;
      this.#halt = false;
      try {
        // A task of kind 'text' is the one that makes the arms.
        await task(this.#arms as Arms);
      } catch (error) {
        if (generation !== this.#generation) return;
        this.#failure = { where, error };
        this.#phase = 'failed';
        this.#stage = null;
        this.#changed();
      }
    });
    return this.#queue;
  }

  async #prepare(source: TextSource, settings: LabSettings): Promise<void> {
    const generation = this.#generation;
    const { signal } = this.#abort;
    const lab = await this.#options.lab();
    if (generation !== this.#generation) return;
    if (this.#text === null) {
      const text = await prepareText(lab, {
        settings,
        source,
        signal,
        loadBuiltIn: this.#options.loadBuiltIn,
        onStage: (stage) => {
          if (generation !== this.#generation) return;
          this.#stage = stage;
          this.#changed();
        },
      });
      if (generation !== this.#generation) return;
      this.#text = text;
      this.#textOf = source;
      this.#pair = text.oneWay;
    }
    this.#stage = 'bounding';
    const arms = await Arms.create(lab, settings, this.#text);
    if (generation !== this.#generation) {
      arms.dispose();
      return;
    }
    this.#arms = arms;
    await this.#look(arms, true);
    if (generation !== this.#generation) return;
    this.#stage = null;
    this.#phase = 'ready';
    this.#changed();
  }

  async #goBack(arms: Arms, step: number): Promise<void> {
    await arms.rewind(step);
    this.#kept = this.#kept.filter((snapshot) => snapshot.step <= step);
    await this.#look(arms, step === 0);
  }

  async #look(arms: Arms, keep: boolean): Promise<void> {
    await arms.measure();
    const snapshot = await arms.snapshot();
    if (this.#pair !== null) this.#pairNow = await arms.pair(this.#pair);
    this.#lastLook = this.#now();
    this.#latest = snapshot;
    if (keep && this.#kept.at(-1)?.step !== snapshot.step) this.#kept.push(snapshot);
  }

  #chunk(stepsPerSecond: number): number {
    const perChunk = Number.isFinite(stepsPerSecond) ? (stepsPerSecond * chunkMs) / 1000 : Number.POSITIVE_INFINITY;
    const affordable = chunkMs / Math.max(this.#msPerStep, 0.001);
    return Math.max(1, Math.min(Math.round(perChunk), Math.floor(affordable), longestChunk));
  }

  async #advance(arms: Arms, target: number, stepsPerSecond: number): Promise<void> {
    let due = this.#now();
    while (!this.#halt && arms.step < target) {
      const kept = nextKeptStep(arms.step);
      const steps = Math.min(target - arms.step, kept - arms.step, this.#chunk(stepsPerSecond));
      const started = this.#now();
      await arms.run(steps);
      const ended = this.#now();
      this.#msPerStep += ((ended - started) / steps - this.#msPerStep) / 3;
      const stops = this.#halt || arms.step >= target;
      if (stops || arms.step === kept || ended - this.#lastLook >= lookEveryMs) {
        await this.#look(arms, arms.step === kept);
      }
      this.#changed();
      this.#options.onSteps?.();
      if (Number.isFinite(stepsPerSecond) && !stops) {
        due = Math.max(due + (steps * 1000) / stepsPerSecond, this.#now() - chunkMs);
        const early = due - this.#now();
        if (early > 0) await this.#wait(early);
      }
    }
    // A run that was stopped by a later verb leaves it to that verb to say how things stand.
    if (!this.#halt || this.#phase === 'paused') this.#settle();
  }

  /** The phase of models that stand still. */
  #settle(): void {
    const planned = this.#settings?.steps ?? 0;
    if (this.step === 0) this.#phase = 'ready';
    else this.#phase = this.step >= planned ? 'finished' : 'paused';
    this.#changed();
  }
}
