import { formatNumber, formatWhole } from '../../../charts/index.js';

/** What one table costs at a width: tied minus untied, nats per token of held-out text. */
export interface MeasuredWidth {
  readonly width: number;
  /** By seed. */
  readonly costs: readonly number[];
  readonly mean: number;
  /** Of the 95% interval of the mean; null for fewer than three runs. */
  readonly halfWidth: number | null;
  /** Mean loss of the models with two tables, nats per token. */
  readonly untied: number;
}

/** `decision.json`, which the build writes. */
export interface DecisionRun {
  readonly vocabSize: number;
  readonly nLayers: number;
  /** From narrow to wide. */
  readonly widths: readonly MeasuredWidth[];
}

/** The reader's model. */
export interface Sizes {
  readonly vocabSize: number;
  readonly dModel: number;
  readonly nLayers: number;
}

/** A run of the reader's in the training lab. */
export interface OwnRun {
  readonly width: number;
  readonly cost: number;
}

/** Four widths to a doubling, each a multiple of the number of heads. */
const perDoubling = [1, 1.25, 1.5, 1.75];
const doublings = (from: number, to: number): number[] => {
  const found = [];
  for (let base = from; base < to; base *= 2) found.push(...perDoubling.map((factor) => base * factor));
  return [...found, to];
};
export const chosenWidths = doublings(16, 4096);
export const chosenVocabularies = doublings(256, 262_144);

/**
 * What tying saves, as a share of the untied model's parameters. Layers as in the models measured: per layer 12 d² of maps,
 * 5 d of biases in the feed-forward part and two norms; 64 positions, and a final norm. A test compares it with the core's count.
 */
export function savedShare({ vocabSize, dModel, nLayers }: Sizes): number {
  const table = vocabSize * dModel;
  const others = nLayers * (12 * dModel ** 2 + 7 * dModel) + (64 + 1) * dModel;
  return table / (2 * table + others);
}

export type Place =
  | { readonly kind: 'measured'; readonly at: MeasuredWidth }
  | { readonly kind: 'between'; readonly below: MeasuredWidth; readonly above: MeasuredWidth }
  | { readonly kind: 'outside'; readonly nearest: MeasuredWidth };

/** Where a width is among the measured ones. */
export function placeOf({ widths }: DecisionRun, width: number): Place {
  const at = widths.find((one) => one.width === width);
  if (at !== undefined) return { kind: 'measured', at };
  const above = widths.findIndex((one) => one.width > width);
  if (above > 0) return { kind: 'between', below: widths[above - 1]!, above: widths[above]! };
  return { kind: 'outside', nearest: above === 0 ? widths[0]! : widths.at(-1)! };
}

/** 0.24 -> "24%", 0.052 -> "5.2%"; at most half of a model is one of its two tables. */
export const percent = (share: number): string =>
  share < 0.0005 ? 'less than 0.1%' : `${formatNumber(100 * share, { decimals: share < 0.0995 ? 1 : 0 })}%`;

/** A narrow interval has a third decimal. */
const decimalsOf = (halfWidth: number | null): number => (halfWidth !== null && halfWidth < 0.0095 ? 3 : 2);

/** "0.12", of a mean, to the decimals of its interval. */
const meanText = ({ mean, halfWidth }: MeasuredWidth, signed = true): string =>
  formatNumber(signed ? mean : Math.abs(mean), { decimals: decimalsOf(halfWidth) });

/** "0.12 ± 0.02" */
export const intervalText = (one: MeasuredWidth, signed = true): string =>
  one.halfWidth === null
    ? meanText(one, signed)
    : `${meanText(one, signed)} ± ${formatNumber(one.halfWidth, { decimals: decimalsOf(one.halfWidth) })}`;

/** Whether the interval excludes zero. */
const isShown = ({ mean, halfWidth }: MeasuredWidth): boolean => halfWidth !== null && Math.abs(mean) > halfWidth;

interface Said {
  readonly claim: string;
  readonly rest: string;
}

/** What was measured at a width, after "it". */
function costWords(one: MeasuredWidth): string {
  const few = one.costs.length === 1 ? 'one pair' : `${one.costs.length} pairs`;
  if (one.halfWidth === null) return `; ${few} of runs cost ${meanText(one)} nats, too few for an interval.`;
  if (!isShown(one)) return `; its cost, ${intervalText(one)} nats, cannot be told from zero.`;
  return one.mean > 0 ? ` and cost ${intervalText(one)} nats.` : ` and even gained ${intervalText(one, false)} nats.`;
}

const measuredIn = ({ costs }: MeasuredWidth): string =>
  costs.length === 1 ? '' : `Measured in ${costs.length} pairs of runs.`;

/** The decision at the reader's sizes. Nothing is said of a width that was not measured. */
export function decisionSentence(run: DecisionRun, sizes: Sizes): Said {
  const { dModel } = sizes;
  const saves = `At width ${formatWhole(dModel)} one table saves ${percent(savedShare(sizes))}`;
  const place = placeOf(run, dModel);
  const models = `${run.vocabSize} tokens, ${run.nLayers} layers`;
  const same = sizes.vocabSize === run.vocabSize && sizes.nLayers === run.nLayers;
  const caveat = same ? '' : `Measured with ${models}.`;
  if (place.kind === 'measured') {
    const { at } = place;
    return {
      claim: `${saves}${costWords(at)}`,
      rest: same ? measuredIn(at) : caveat,
    };
  }
  if (place.kind === 'between') {
    const { below, above } = place;
    const rest = `${same ? 'Measured' : `With ${models}`}: ${meanText(below)} nats at ${below.width}, ${meanText(above)} at ${above.width}.`;
    return { claim: `${saves}; its cost was not measured.`, rest };
  }
  const side = place.nearest === run.widths[0] ? 'below' : 'beyond';
  return {
    claim: `${saves}. No measurement ${side} ${place.nearest.width}.`,
    rest: caveat,
  };
}

/** The widths that the reader guesses: the narrowest, and the widest that has an interval. */
export const guessedOf = ({ widths }: DecisionRun): readonly [MeasuredWidth, MeasuredWidth] => [
  widths[0]!,
  widths.filter(({ halfWidth }) => halfWidth !== null).at(-1)!,
];

/** Before the reveal: the guesses, and what would be much. */
export function guessSentence(run: DecisionRun, guesses: readonly [number, number]): Said {
  const { widths } = run;
  const [narrow, wide] = guessedOf(run);
  const [first, last] = guesses.map((guess) => formatNumber(guess, { decimals: 2 }));
  const [from, to] = [widths[2]!, widths[3]!];
  const gain = formatNumber(from.untied - to.untied, { decimals: 2 });
  return {
    claim: `Your guess: ${first!} nats at width ${narrow.width}, ${last!} at ${wide.width}.`,
    rest: `For scale: with two tables, width ${to.width} is ${gain} nats better than width ${from.width}.`,
  };
}

/** What the runs say to the reader's guesses at both ends; null: the reader did not guess. */
export function revealSentence(run: DecisionRun, guesses: readonly [number, number] | null): Said {
  const [narrow, wide] = guessedOf(run);
  const guessed = guesses?.map((guess) => formatNumber(guess, { decimals: 2 }));
  const cannot = isShown(wide) ? '' : ', which cannot be told from zero';
  return {
    claim: `Measured: ${intervalText(narrow)} nats at width ${narrow.width}, ${intervalText(wide)} at ${wide.width}${cannot}.`,
    rest: guessed === undefined ? '' : `You said ${guessed[0]!} and ${guessed[1]!}.`,
  };
}

/** A run of the reader's, beside the measured ones; null: there is none yet. */
export function ownSentence(own: OwnRun | null): string {
  if (own === null) return 'Train the two models below to the end: your own run lands here as a ring.';
  const cost = formatNumber(own.cost, { decimals: 2 });
  return `Ring: your own run at width ${formatWhole(own.width)}, ${cost} nats. One run, on another text, so no interval.`;
}
