import type { Lab } from '../../core/types.js';
import { Arms, pairIn, type Arm, type PairValue, type Snapshot } from './arms.js';
import { nextKeptStep } from './history.js';
import { prepareText, type PreparedText } from './prepare-text.js';
import { RunController } from './run-controller.js';
import type { ControllerOptions, Preparation } from './running.js';
import { changesTokens, settingProblems, type LabSettings } from './settings.js';
import type { TextSource } from './text-source.js';
import type { Pair, PairNames } from './token-choice.js';

const pace = { chunkMs: 40, longestChunk: 1000, lookEveryMs: 120, firstGuessMs: 1 };

/** The lab of direct paths without its drawings: bigrams, floors, models, and what they think of every kept pair. */
export class LabController extends RunController<LabSettings, PreparedText, Arms> {
  #kept: Snapshot[] = [];
  #latest: Snapshot | null = null;
  #viewedStep: number | null = null;
  #pair: Pair | null = null;
  /** The pair that the reader looks at, by name: it stays where another text has it too. */
  #pairNames: PairNames | null = null;
  #pairNow: PairValue[] = [];

  constructor(options: ControllerOptions) {
    super(options, pace);
  }

  get arms(): readonly Arm[] {
    return this.models?.list ?? [];
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

  /** How many states are kept so far. */
  get keptCount(): number {
    return this.#kept.length;
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
    const { text, viewed } = this;
    if (text === null || viewed === null) return null;
    const known = pairIn(viewed, text.kept, pair);
    if (known !== null) return known;
    const chosen = this.#pair?.from === pair.from && this.#pair.to === pair.to;
    return chosen && viewed === this.#latest && this.#pairNow.length > 0 ? this.#pairNow : null;
  }

  /** A pair in the text itself. */
  inText({ from, to }: Pair): PairValue {
    const { bigrams } = this.text ?? {};
    return { forward: bigrams?.conditional(from)[to] ?? 0, backward: bigrams?.conditional(to)[from] ?? 0 };
  }

  /** Looks at a kept step; null is the newest. */
  view(step: number | null): void {
    const newest = step === null || step >= this.step;
    this.#viewedStep = newest ? null : step;
    this.tell();
  }

  async choosePair(pair: Pair): Promise<void> {
    this.#look(pair);
    this.#pairNow = [];
    this.tell();
    await this.whileStanding(async (arms) => {
      this.#pairNow = await arms.pair(pair);
    });
  }

  /** The pair to look at in the next text that has it. */
  wantPair(names: PairNames): void {
    this.#pairNames = names;
  }

  #look(pair: Pair): void {
    const { tokens = [] } = this.text ?? {};
    this.#pair = pair;
    this.#pairNames = { from: tokens[pair.from] ?? '', to: tokens[pair.to] ?? '' };
  }

  // ---------------------------------------------------------------- what the base asks for

  protected canBeRun(settings: LabSettings): boolean {
    return settingProblems(settings).length === 0;
  }

  protected sameText(source: TextSource, before: LabSettings, after: LabSettings): boolean {
    // The seed of the run is also that of a written text.
    const rewritten = source.kind === 'markov-chain' || source.kind === 'stories';
    return !changesTokens(before, after) && !(rewritten && before.seed !== after.seed);
  }

  protected readText({ lab, ...options }: Preparation<LabSettings>): Promise<PreparedText> {
    return prepareText(lab, { ...options, ...(this.#pairNames === null ? {} : { pair: this.#pairNames }) });
  }

  protected createModels(labs: readonly Lab[], settings: LabSettings, text: PreparedText): Promise<Arms> {
    return Arms.create(labs, settings, text);
  }

  protected started(_arms: Arms, text: PreparedText, newText: boolean): void {
    if (!newText) return;
    this.#pair = text.pair;
    // A text without that pair does not make the reader's choice forgotten.
    this.#pairNames ??= { from: text.tokens[text.pair.from] ?? '', to: text.tokens[text.pair.to] ?? '' };
  }

  protected nextStop(step: number): number {
    return nextKeptStep(step);
  }

  protected async look(arms: Arms, keep: boolean): Promise<void> {
    // All questions at once: the workers do not wait for one answer before they hear the next question.
    const [snapshot, pairNow] = await Promise.all([
      arms.snapshot(),
      this.#pair === null ? this.#pairNow : arms.pair(this.#pair),
      arms.measure(),
    ]);
    this.#pairNow = pairNow;
    this.#latest = snapshot;
    if (keep && this.#kept.at(-1)?.step !== snapshot.step) this.#kept.push(snapshot);
  }

  protected forget(after: number | null): void {
    this.#kept = after === null ? [] : this.#kept.filter(({ step }) => step <= after);
    if (after === null) this.#latest = null;
    this.#pairNow = [];
  }

  protected viewNewest(): void {
    this.#viewedStep = null;
  }
}
