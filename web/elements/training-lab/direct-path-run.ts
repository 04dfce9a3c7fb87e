import type { BigramBounds, LabComparison, Matrix, NextTokenOptions, TokenPair, Tying } from '../../core/types.js';
import type { GrowingSeries } from './history.js';
import { RunController } from './run-controller.js';
import { directPathPlan } from './run-plan.js';
import { ofArms, RunArm, type ControllerOptions } from './running.js';
import type { LabSettings } from './settings.js';
import { internalIds, type LabText } from './text.js';
import { mapTokensWithPair, type PairNames, type TokenOrder } from './token-choice.js';

/** The number of tokens whose probabilities are stored for the maps, and the maximum number of one-way pairs. */
const mostMapTokens = 96;
const mostPairs = 24;

/** The maximum multiply-adds for one measurement of a model, which takes well under a second. */
const mostMeasuredProducts = 4e9;

/** A text with the data for its maps. */
export interface MappedText extends LabText {
  readonly bounds: BigramBounds;
  /** Ids of the tokens of the maps, most frequent first: the rows and columns of all stored matrices. */
  readonly mapIds: Uint32Array;
  /** Positions in `mapIds` in the orders in which they can be drawn. */
  readonly orders: Readonly<Record<TokenOrder, readonly number[]>>;
  /** [mapIds, mapIds] P(next | current) in the text. */
  readonly probabilities: Float32Array;
  /** The pair to view: the requested one if the text has it, otherwise the first one-way pair. */
  readonly pair: TokenPair;
}

/** What one model predicts at one step. */
export interface ArmView {
  /** [mapIds, mapIds] P(next | current), normalized over the whole vocabulary. */
  readonly probabilities: Float32Array;
  /** [mapIds, mapIds] logits of the direct path. */
  readonly logits: Float32Array;
}

/** What all models predict at one step; arms in the order of the settings. */
export interface Snapshot {
  readonly step: number;
  readonly arms: readonly ArmView[];
}

/** P(to | from), P(from | to), and P(from | from), the probability that the model repeats the token. */
export interface PairValue {
  readonly forward: number;
  readonly backward: number;
  readonly repeated: number;
}

/** The values of a pair in the text, and in the models at the newest step if they were read. */
interface ReadPair {
  readonly inText: PairValue;
  readonly now: readonly PairValue[] | null;
}

/** A pair of a square table [size, size] of next-token probabilities. */
export const valueOf = (table: ArrayLike<number>, size: number, from: number, to: number): PairValue => ({
  forward: table[from * size + to] ?? 0,
  backward: table[to * size + from] ?? 0,
  repeated: table[from * size + from] ?? 0,
});

/** Positions of a pair in the maps; null if one of its tokens is not in them. */
function placesOf(mapIds: Uint32Array, pair: TokenPair): [from: number, to: number] | null {
  const [from, to] = [mapIds.indexOf(pair.from), mapIds.indexOf(pair.to)];
  return from < 0 || to < 0 ? null : [from, to];
}

/** Each arm's predictions for a pair of the maps; null for any other pair. */
export function pairIn({ arms }: Snapshot, mapIds: Uint32Array, pair: TokenPair): PairValue[] | null {
  const places = placesOf(mapIds, pair);
  return places && arms.map(({ probabilities }) => valueOf(probabilities, mapIds.length, ...places));
}

/** The loss over all pairs of the text, nats per token, of the weights after `step` steps. */
export interface Measurement {
  readonly step: number;
  readonly loss: number;
}

/** What is drawn for a model. */
export interface Arm {
  readonly kind: Tying;
  readonly losses: GrowingSeries;
  measured: Measurement | null;
}

/** `wanted`: the pair to view, if the text has it. */
export async function mapped(text: LabText, wanted: PairNames | null): Promise<MappedText> {
  const { corpus, tokens } = text;
  const [frequencies, pairs] = await Promise.all([
    corpus.frequencies(),
    corpus.oneWayPairs({ count: mostPairs, without: internalIds(text) }),
  ]);
  const chosen = mapTokensWithPair({ tokens, frequencies, pairs, wanted, most: mostMapTokens });
  const { data } = await corpus.nextTokenProbabilities({ from: chosen.mapIds, to: chosen.mapIds });
  // No vocabulary of direct paths is too large for floors.
  return { ...text, bounds: text.bounds!, ...chosen, probabilities: data };
}

class TrainingArm extends RunArm<Tying> implements Arm {
  measured: Measurement | null = null;

  override truncate(step: number): void {
    super.truncate(step);
    if (this.measured !== null && this.measured.step > step) this.measured = null;
  }

  measure(step: number, loss: number, wholeTable: boolean): void {
    // If each step uses all pairs, the measurement is the next value of the same series, until the step replaces it.
    if (wholeTable) {
      this.losses.truncate(step);
      this.losses.append([loss]);
    }
    this.measured = { step, loss };
  }
}

/** Direct paths that train together, with their predictions for the tokens of the maps and for one pair. */
export class DirectPathRun extends RunController<LabSettings, MappedText, TrainingArm> {
  protected readonly plan = directPathPlan;
  protected readonly lookEveryMs = 120;
  #stored: Snapshot[] = [];
  #latest: Snapshot | null = null;
  #pair: TokenPair | null = null;
  /** The names of the viewed pair, so it is kept if another text has it too. */
  #pairNames: PairNames | null = null;
  /** The values of a viewed pair that is not in the maps. */
  #read: ReadPair | null = null;

  /** `resting`: the text of the finished run that is drawn, as far as that has it. */
  constructor(
    options: ControllerOptions,
    private readonly resting: () => MappedText | null = () => null,
  ) {
    super(options);
  }

  /** What a finished run has of its text stands in for the text until there are models. */
  override get text(): MappedText | null {
    return super.text ?? this.resting();
  }

  get pair(): TokenPair | null {
    return this.#pair ?? this.text?.pair ?? null;
  }

  /** All stored states, oldest first; the last one is the newest of the run. */
  get stops(): readonly Snapshot[] {
    const latest = this.#latest;
    if (latest === null) return [];
    return this.#stored.at(-1)?.step === latest.step ? this.#stored : [...this.#stored, latest];
  }

  get storedCount(): number {
    return this.#stored.length;
  }

  /** The viewed state: the newest, unless the reader went back. */
  get viewed(): Snapshot | null {
    if (this.viewsNewest) return this.#latest;
    return this.stops.find(({ step }) => step === this.viewedStep) ?? this.#latest;
  }

  /** Each arm's predictions for a pair at the viewed step; null if they were not stored. */
  valuesOf(pair: TokenPair): readonly PairValue[] | null {
    const { text, viewed } = this;
    if (text === null || viewed === null) return null;
    const stored = pairIn(viewed, text.mapIds, pair);
    if (stored !== null) return stored;
    return viewed === this.#latest ? (this.#readOf(pair)?.now ?? null) : null;
  }

  /** The values of the pair in the text; null until they are known. */
  inText(pair: TokenPair): PairValue | null {
    const { text } = this;
    if (text === null) return null;
    const places = placesOf(text.mapIds, pair);
    if (places !== null) return valueOf(text.probabilities, text.mapIds.length, ...places);
    return this.#readOf(pair)?.inText ?? null;
  }

  #readOf({ from, to }: TokenPair): ReadPair | null {
    return this.#pair?.from === from && this.#pair.to === to ? this.#read : null;
  }

  async choosePair(pair: TokenPair): Promise<void> {
    const { tokens = [] } = this.text ?? {};
    this.#pair = pair;
    this.#pairNames = { from: tokens[pair.from] ?? '', to: tokens[pair.to] ?? '' };
    this.#read = null;
    this.report();
    await this.whileStanding((comparison) => this.#readPair(comparison));
  }

  /** The first pair to view, if the next text has it. */
  wantPair(pair: PairNames): void {
    this.#pairNames = pair;
  }

  // ---------------------------------------------------------------- called by the base class

  protected completeText(text: LabText): Promise<MappedText> {
    return mapped(text, this.#pairNames);
  }

  protected createArms({ arms }: LabSettings): TrainingArm[] {
    return arms.map((tying) => new TrainingArm(tying));
  }

  protected started(text: MappedText, newText: boolean): void {
    if (!newText) return;
    this.#pair = text.pair;
    this.#read = null;
    // If the text lacks the reader's pair, the choice is kept for later texts.
    this.#pairNames ??= { from: text.tokens[text.pair.from] ?? '', to: text.tokens[text.pair.to] ?? '' };
  }

  protected async look(comparison: LabComparison, store: boolean): Promise<void> {
    // All calls are made at once, so the workers do not wait in between.
    const [snapshot] = await Promise.all([
      this.#snapshot(comparison),
      this.#readPair(comparison),
      this.#measure(comparison),
    ]);
    this.#latest = snapshot;
    if (store && this.#stored.at(-1)?.step !== snapshot.step) this.#stored.push(snapshot);
  }

  async #snapshot(comparison: LabComparison): Promise<Snapshot> {
    const { step } = comparison;
    const mapIds = this.text?.mapIds ?? new Uint32Array();
    const options: NextTokenOptions = { from: mapIds, to: mapIds };
    const arms = await ofArms(comparison, this.arms, async (arm): Promise<ArmView> => {
      const [probabilities, logits] = await Promise.all([
        arm.nextTokenProbabilities(options),
        arm.nextTokenLogits(options),
      ]);
      return { probabilities: probabilities.data, logits: logits.data };
    });
    return { step, arms };
  }

  /** Reads the chosen pair if it is not in the maps. */
  async #readPair(comparison: LabComparison): Promise<void> {
    const { text } = this;
    const pair = this.#pair;
    if (text === null || pair === null || placesOf(text.mapIds, pair) !== null) return;
    const ids = Uint32Array.of(pair.from, pair.to);
    const ask = async (of: { nextTokenProbabilities: (options: NextTokenOptions) => Promise<Matrix> }) =>
      valueOf((await of.nextTokenProbabilities({ from: ids, to: ids })).data, 2, 0, 1);
    const inText = this.#read?.inText ?? ask(text.corpus);
    const [known, now] = await Promise.all([inText, ofArms(comparison, this.arms, ask)]);
    if (this.#pair === pair) this.#read = { inText: known, now };
  }

  /** Measures the loss over all pairs of the text; skipped for texts so long that the reader would have to wait. */
  async #measure(comparison: LabComparison): Promise<void> {
    const { text, settings } = this;
    if (text === null || settings === null) return;
    const wholeTable = settings.batchSize === 'whole-table';
    const products = text.corpus.tokens * text.corpus.vocabSize * settings.dModel;
    if (!wholeTable && products > mostMeasuredProducts) return;
    const { step } = comparison;
    const evaluations = await ofArms(comparison, this.arms, (arm) => arm.evaluate());
    this.arms.forEach((arm, index) => arm.measure(step, evaluations[index]?.loss ?? Number.NaN, wholeTable));
  }

  protected forget(after: number | null): void {
    this.#stored = after === null ? [] : this.#stored.filter(({ step }) => step <= after);
    if (after === null) this.#latest = null;
    if (this.#read !== null) this.#read = { ...this.#read, now: null };
  }
}
