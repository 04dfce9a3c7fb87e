import type { BigramBounds, LabCorpus, TokenPair, Tying } from '../../core/types.js';
import { oncePer } from '../shared/once-per.js';
import type { Values } from '../shared/settings/setting.js';
import { valueOf, type Arm, type ArmView, type MappedText, type PairValue, type Snapshot } from './direct-path-run.js';
import { GrowingSeries } from './history.js';
import type { LabSettings } from './settings.js';
import type { PairNames } from './token-choice.js';

/**
 * A run that was made elsewhere, for example when the page was built, as plain JSON data. The lab shows it, with a
 * badge, until the reader starts a run, and only while its settings are the current ones.
 */
export interface FinishedRun {
  /** The value of the attribute `text-source`. */
  readonly textSource: string;
  readonly settings: LabSettings;
  /** The floors of the text, nats per token. */
  readonly bounds: Omit<BigramBounds, 'symmetricLogitsGap'>;
  /** The n tokens of `probabilities`, in printable form. */
  readonly tokens: readonly string[];
  /** In the order of `settings.arms`. */
  readonly arms: readonly FinishedArm[];
  /** With its text the run is drawn whole, and nothing is prepared before the reader wants more than it has. */
  readonly text?: FinishedText;
}

/** What is drawn of a text. */
export interface FinishedText {
  readonly name: string | null;
  readonly characters: number | null;
  /** The number of tokens in the text. */
  readonly length: number;
  /** The printable form of each token. */
  readonly tokens: readonly string[];
  /** See MappedText, as are the next two. */
  readonly mapIds: readonly number[];
  readonly oneWay: readonly number[];
  readonly pair: TokenPair;
  /** Per row of [mapIds, mapIds] P(next | current): columns of values that are not 0, each followed by its value. */
  readonly probabilities: readonly (readonly number[])[];
}

export interface FinishedArm {
  readonly tying: Tying;
  /** Nats per token of the weights after 0, 1, ... `settings.steps` steps. */
  readonly losses: readonly number[];
  /** [n, n] P(next | current) at the end, normalized over the whole vocabulary. */
  readonly probabilities: readonly number[];
}

/** A text as it is drawn, as plain data. */
export const finishedText = (text: MappedText): FinishedText => {
  const { corpus, name, tokens, mapIds, orders, pair, probabilities } = text;
  const size = mapIds.length;
  return {
    name,
    characters: corpus.characters,
    length: corpus.tokens,
    tokens,
    mapIds: [...mapIds],
    oneWay: orders['one-way'],
    pair,
    probabilities: Array.from(mapIds, (_, row) =>
      [...probabilities.subarray(row * size, (row + 1) * size)].flatMap((value, column) =>
        value === 0 ? [] : [column, Number(value.toPrecision(6))],
      ),
    ),
  };
};

/** The text of a finished run with the pair to view, if it has those tokens. Nothing may be asked of its corpus. */
export function restingText({ text, bounds }: FinishedRun, wanted: Partial<PairNames>): MappedText | null {
  if (text === undefined) return null;
  const { name, characters, length, tokens, mapIds, oneWay, probabilities } = text;
  const { from, to } = { from: tokens[text.pair.from], to: tokens[text.pair.to], ...wanted };
  const pair = { from: tokens.indexOf(from ?? ''), to: tokens.indexOf(to ?? '') };
  const size = mapIds.length;
  const data = new Float32Array(size * size);
  probabilities.forEach((values, row) => {
    for (let at = 0; at < values.length; at += 2) data[row * size + values[at]!] = values[at + 1]!;
  });
  return {
    corpus: { characters, tokens: length, vocabSize: tokens.length } as LabCorpus,
    name,
    tokens,
    bounds: { ...bounds, symmetricLogitsGap: 0 },
    chainBounds: null,
    opening: '',
    mapIds: Uint32Array.from(mapIds),
    orders: { 'one-way': oneWay, frequency: mapIds.map((_, at) => at) },
    probabilities: data,
    pair: pair.from < 0 || pair.to < 0 ? text.pair : pair,
  };
}

/** Whether two records of settings are the same. */
export function areEqual(...records: readonly [object, object]): boolean {
  const [one, other] = records as readonly [Values, Values];
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

/** Whether a lab with these settings would do the same run; false if the data is incomplete. */
export function isRunOf(run: FinishedRun, textSource: string, settings: LabSettings): boolean {
  return (
    run.textSource === textSource &&
    areEqual(run.settings, settings) &&
    run.arms.length === settings.arms.length &&
    run.arms.every(
      ({ tying, losses, probabilities }, index) =>
        tying === settings.arms[index] &&
        losses.length === settings.steps + 1 &&
        probabilities.length === run.tokens.length * run.tokens.length,
    )
  );
}

/**
 * The arms of such a run at its end, in the form in which the reader's own arms are drawn and described. Always returns
 * the same objects.
 */
export const finishedArms = oncePer(({ arms, settings }: FinishedRun): readonly Arm[] =>
  arms.map(({ tying, losses }) => {
    const series = GrowingSeries.of(losses);
    return { kind: tying, losses: series, measured: { step: settings.steps, loss: series.last ?? Number.NaN } };
  }),
);

/** Each arm's predictions for a pair, given by token names; null if they were not stored. */
export function finishedValues(
  { arms, tokens }: FinishedRun,
  names: readonly string[],
  pair: TokenPair,
): PairValue[] | null {
  const from = tokens.indexOf(names[pair.from] ?? '');
  const to = tokens.indexOf(names[pair.to] ?? '');
  if (from < 0 || to < 0) return null;
  return arms.map(({ probabilities }) => valueOf(probabilities, tokens.length, from, to));
}

/** Whether a run has stored all tokens that are at `positions` in a text. */
export const knowsTokens = ({ tokens }: FinishedRun, text: MappedText, positions: readonly number[]): boolean =>
  positions.every((position) => tokens.includes(text.tokens[text.mapIds[position] ?? -1] ?? ''));

/** The models' predictions at the end, for the maps: zero for tokens that the run does not have, and no logits. */
function snapshotOf(run: FinishedRun, { mapIds, tokens }: MappedText): Snapshot {
  const size = mapIds.length;
  const known = Array.from(mapIds, (id) => run.tokens.indexOf(tokens[id] ?? ''));
  const logits = new Float32Array(size * size);
  const arms = run.arms.map((arm): ArmView => {
    const probabilities = new Float32Array(size * size);
    known.forEach((from, row) => {
      known.forEach((to, column) => {
        if (from < 0 || to < 0) return;
        probabilities[row * size + column] = arm.probabilities[from * run.tokens.length + to] ?? 0;
      });
    });
    return { probabilities, logits };
  });
  return { step: run.settings.steps, arms };
}

/** The same arrays for the same text, so maps are not painted again while nothing changes. */
const snapshots = oncePer((run: FinishedRun) => oncePer((text: MappedText) => snapshotOf(run, text)));

export const finishedSnapshot = (run: FinishedRun, text: MappedText): Snapshot => snapshots(run)(text);
