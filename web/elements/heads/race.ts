import { twinKinds, type TwinKind } from '../shared/model-twins.js';
import { headIds, headOf, type HeadId } from './head-list.js';

/** The stored data of a race of heads, and what is derived from it. */

/** One model, evaluated on the held-out tokens with the full softmax, or with its own exact one. */
export interface Point {
  readonly steps: number;
  /** Time spent in training steps only. */
  readonly seconds: number;
  /** Nats per token, over the tokens that the head can predict. */
  readonly loss: number;
  /** The fraction of the held-out tokens that it cannot predict. */
  readonly lost: number;
}

export interface ArmRun {
  readonly head: HeadId;
  readonly tying: TwinKind;
  /** In the order of training; the first point is before any step. */
  readonly points: readonly Point[];
}

/** Multiply-accumulates of one training step. */
export interface HeadMacs {
  readonly head: HeadId;
  /** The head's, forward and backward; `layers`: those of the layers below it. */
  readonly macs: number;
  readonly layers: number;
}

export interface Race {
  /** The settings that determine it. */
  readonly key: string;
  /** The number of steps to compare after. */
  readonly steps: number;
  readonly vocabSize: number;
  /** Tokens trained on; `heldOut`: held out. */
  readonly tokens: number;
  readonly heldOut: number;
  readonly costs: readonly HeadMacs[];
  readonly arms: readonly ArmRun[];
  /** Whether every model has trained for as long as the slowest took for the steps. */
  readonly complete: boolean;
}

/** Models are compared after the same number of steps, or after the same measured time. */
export const comparisons = ['time', 'steps'] as const;
export type Comparison = (typeof comparisons)[number];

export const armsOf = (): Pick<ArmRun, 'head' | 'tying'>[] =>
  headIds.flatMap((head) => twinKinds.map((tying) => ({ head, tying })));

const last = ({ points }: ArmRun): Point | null => points.at(-1) ?? null;

/**
 * The point at `target` steps or seconds, interpolated linearly between evaluations; the last point if the model has
 * not got that far.
 */
export function pointAt({ points }: ArmRun, by: Comparison, target: number): Point | null {
  const unit = by === 'time' ? 'seconds' : 'steps';
  const after = points.findIndex((point) => point[unit] >= target);
  const [from, to] = [points[after - 1], points[after]];
  if (to === undefined) return points.at(-1) ?? null;
  if (from === undefined || to[unit] === target) return to;
  const share = (target - from[unit]) / (to[unit] - from[unit]);
  const between = (name: keyof Point): number => from[name] + share * (to[name] - from[name]);
  return { steps: Math.round(between('steps')), seconds: between('seconds'), loss: between('loss'), lost: to.lost };
}

/** The time that the slowest model took for the steps, or for those done so far. */
export const timeOf = ({ arms, steps }: Pick<Race, 'arms' | 'steps'>): number =>
  Math.max(0, ...arms.map((arm) => pointAt(arm, 'steps', steps)?.seconds ?? 0));

/** How far every model has come: while they train, cheap heads have had less time than others, and some models fewer steps. */
const reachedByAll = ({ arms }: Race, by: Comparison): number =>
  arms.length === 0 ? 0 : Math.min(...arms.map((arm) => last(arm)?.[by === 'time' ? 'seconds' : 'steps'] ?? 0));

/** Where the models are compared, given a fraction of the whole, or of what all of them have done so far. */
export function targetOf(race: Race, by: Comparison, share: number): number {
  const whole = by === 'time' ? timeOf(race) : race.steps;
  return share * (race.complete ? whole : Math.min(whole, reachedByAll(race, by)));
}

export function secondsPerStep(arm: ArmRun): number | null {
  const end = last(arm);
  return end === null || end.steps === 0 ? null : end.seconds / end.steps;
}

/** A model's time per step, relative to the full head with the same tying. */
export function shareOfTime({ arms }: Race, { head, tying }: Pick<ArmRun, 'head' | 'tying'>): number | null {
  const of = (wanted: HeadId): number | null => {
    const arm = arms.find((one) => one.head === wanted && one.tying === tying);
    return arm === undefined ? null : secondsPerStep(arm);
  };
  const [own, full] = [of(head), of('full')];
  return own === null || full === null ? null : own / full;
}

/** The multiply-accumulates per step with a head, relative to the full head, layers included. */
export function shareOfWork(costs: readonly HeadMacs[], head: HeadId): number {
  const of = (wanted: HeadId): number => {
    const { macs = 0, layers = 0 } = costs.find((cost) => cost.head === wanted) ?? {};
    return macs + layers;
  };
  return of(head) / of('full');
}

/** How much lower a head's loss is than the full head's, tied and untied, if both are known. */
export function gainsOf(race: Race, by: Comparison, share: number, head: HeadId): number[] {
  const target = targetOf(race, by, share);
  const lossOf = (wanted: HeadId, tying: TwinKind): number | null => {
    const arm = race.arms.find((one) => one.head === wanted && one.tying === tying);
    return arm === undefined ? null : (pointAt(arm, by, target)?.loss ?? null);
  };
  return twinKinds.flatMap((tying) => {
    const [own, full] = [lossOf(head, tying), lossOf('full', tying)];
    return own === null || full === null ? [] : [full - own];
  });
}

/**
 * The gains of cheaper heads. Heads that cannot predict all tokens are excluded: their loss is over fewer tokens and
 * not comparable.
 */
export const gains = (race: Race, by: Comparison, share: number): { head: HeadId; gains: number[] }[] =>
  headIds
    .filter((head) => headOf(head).cheaper && headOf(head).predictsAll)
    .map((head) => ({ head, gains: gainsOf(race, by, share, head) }))
    .filter((one) => one.gains.length > 0);
