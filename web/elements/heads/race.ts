import { pairKinds, type PairKind } from '../shared/model-pair.js';
import { headIds, headOf, type HeadId } from './head-list.js';

/** What is kept of a race of heads, and what is read from it. */

/** One model, evaluated on the held-out tokens by the full softmax, or by its exact one. */
export interface Point {
  readonly steps: number;
  /** Spent in training steps alone. */
  readonly seconds: number;
  /** Nats per token, over the tokens that the head can predict. */
  readonly loss: number;
  /** The fraction of the held-out tokens that it cannot predict. */
  readonly lost: number;
}

export interface ArmRun {
  readonly head: HeadId;
  readonly tying: PairKind;
  /** In the order of training; the first is before it. */
  readonly points: readonly Point[];
}

/** Multiply-accumulates of one training step. */
export interface HeadMacs {
  readonly head: HeadId;
  /** Of the head, forward and backward, and of the layers below it. */
  readonly macs: number;
  readonly layers: number;
}

export interface Race {
  /** The settings that it follows from. */
  readonly key: string;
  /** Steps that are compared. */
  readonly steps: number;
  readonly vocabSize: number;
  /** Trained on, and held out. */
  readonly tokens: number;
  readonly heldOut: number;
  readonly costs: readonly HeadMacs[];
  readonly arms: readonly ArmRun[];
  /** Whether every model has had the time that the slowest took for the steps. */
  readonly complete: boolean;
}

/** What the models are compared at: the same number of steps, or the same measured time. */
export const comparisons = ['time', 'steps'] as const;
export type Comparison = (typeof comparisons)[number];

export const armsOf = (): Pick<ArmRun, 'head' | 'tying'>[] =>
  headIds.flatMap((head) => pairKinds.map((tying) => ({ head, tying })));

const last = ({ points }: ArmRun): Point | null => points.at(-1) ?? null;

/** The point at `target` steps or seconds, on straight lines between the evaluations; the last one where it has not come so far. */
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

/** The time that the slowest model has taken for the steps, or for those that it has done. */
export const timeOf = ({ arms, steps }: Pick<Race, 'arms' | 'steps'>): number =>
  Math.max(0, ...arms.map((arm) => pointAt(arm, 'steps', steps)?.seconds ?? 0));

/** What the models are compared at, for a share of the whole. */
export const targetOf = (race: Race, by: Comparison, share: number): number =>
  share * (by === 'time' ? timeOf(race) : race.steps);

export function secondsPerStep(arm: ArmRun): number | null {
  const end = last(arm);
  return end === null || end.steps === 0 ? null : end.seconds / end.steps;
}

/** A model's time per step as a share of that of the full head with the same tying. */
export function shareOfTime({ arms }: Race, { head, tying }: Pick<ArmRun, 'head' | 'tying'>): number | null {
  const of = (wanted: HeadId): number | null => {
    const arm = arms.find((one) => one.head === wanted && one.tying === tying);
    return arm === undefined ? null : secondsPerStep(arm);
  };
  const [own, full] = [of(head), of('full')];
  return own === null || full === null ? null : own / full;
}

/** A head's multiply-accumulates of a step as a share of those with the full head, layers included. */
export function shareOfWork(costs: readonly HeadMacs[], head: HeadId): number {
  const of = (wanted: HeadId): number => {
    const { macs = 0, layers = 0 } = costs.find((cost) => cost.head === wanted) ?? {};
    return macs + layers;
  };
  return of(head) / of('full');
}

/** By how much a head's loss is lower than the full head's, tied and untied, where both are there. */
export function gainsOf(race: Race, by: Comparison, share: number, head: HeadId): number[] {
  const target = targetOf(race, by, share);
  const lossOf = (wanted: HeadId, tying: PairKind): number | null => {
    const arm = race.arms.find((one) => one.head === wanted && one.tying === tying);
    return arm === undefined ? null : (pointAt(arm, by, target)?.loss ?? null);
  };
  return pairKinds.flatMap((tying) => {
    const [own, full] = [lossOf(head, tying), lossOf('full', tying)];
    return own === null || full === null ? [] : [full - own];
  });
}

/** The gains of cheaper heads. Those that cannot predict all tokens have a loss over others, so there is nothing to compare. */
export const gains = (race: Race, by: Comparison, share: number): { head: HeadId; gains: number[] }[] =>
  headIds
    .filter((head) => headOf(head).cheaper && headOf(head).predictsAll)
    .map((head) => ({ head, gains: gainsOf(race, by, share, head) }))
    .filter((one) => one.gains.length > 0);
