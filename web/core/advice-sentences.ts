/**
 * Advice in English. Each sentence is made from its reason's numbers alone: a test takes every number that a sentence has
 * and looks for it among them.
 */
import type { ReasonKind, TyingAdvice, TyingReason } from './accounting-types.js';

// ---------------------------------------------------------------- numbers

const few = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const two = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });
const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Words and units from the largest down: what is at least so large is said in it. */
type Scale = readonly (readonly [size: number, unit: string])[];

const COUNTS: Scale = [
  [1e15, ' quadrillion'],
  [1e12, ' trillion'],
  [1e9, ' billion'],
  [1e6, ' million'],
];
const BYTES: Scale = [
  [1e15, '\u00a0PB'],
  [1e12, '\u00a0TB'],
  [1e9, '\u00a0GB'],
  [1e6, '\u00a0MB'],
  [1e3, '\u00a0kB'],
];

/** Three digits of the largest unit that fits, after rounding: 999,999,999 is 1 billion. Null below the smallest unit. */
function scaled(value: number, scale: Scale): string | null {
  const rounded = Number(value.toPrecision(3));
  const found = scale.find(([size]) => rounded >= size);
  return found === undefined ? null : few.format(rounded / found[0]) + found[1];
}

/** 235,328; 38.6 million. */
export function amount(value: number | bigint): string {
  return (value < 1_000_000 ? null : scaled(Number(value), COUNTS)) ?? whole.format(value);
}

/** In full: 38,597,376. */
export function exactly(value: number | bigint): string {
  return whole.format(value);
}

/** 618 MB, of a million bytes each. */
export function bytes(value: number | bigint): string {
  return scaled(Number(value), BYTES) ?? `${whole.format(value)} bytes`;
}

/** Of a share: 23.7 %, 31.0 %, and 0.35 % where it is below one. */
export function percent(share: number): string {
  const hundredths = share * 100;
  return `${(hundredths >= 1 ? tenths : two).format(hundredths)}\u00a0%`;
}

/** Of a share that somebody chose: 10 %. */
export function chosenPercent(share: number): string {
  return `${few.format(share * 100)}\u00a0%`;
}

/** Three digits: 0.116, 4.2, 608. */
export function digits(value: number): string {
  return few.format(value);
}

/** '1 parameter', '38.6 million parameters'. */
const of = (text: string, unit: string): string => `${text} ${unit}${text === '1' ? '' : 's'}`;
const parameters = (value: number | bigint): string => of(amount(value), 'parameter');
const exactParameters = (value: number | bigint): string => of(exactly(value), 'parameter');
const nats = (value: number): string => `${of(digits(value), 'nat')} per token`;

// ---------------------------------------------------------------- reasons

type Numbers = TyingReason['numbers'];

/** Those that must be there: a name that is not is a mistake of ours. */
function numberOf(numbers: Numbers, name: string): number {
  return Number(numbers[name] ?? NaN);
}

const TABLES = ['no table', 'one', 'two', 'three'];

const layers = (count: number): string => (count === 1 ? 'layer' : 'layers');

function vocabularies(n: Numbers): string {
  const apart = `The model reads ${of(exactly(n['vocabSize']!), 'token')} and writes ${exactly(n['outputVocabSize']!)}: no one table can do both.`;
  if (n['decoderSaved'] === undefined) return apart;
  return `${apart} The decoder’s own two tables can still be one, which saves ${parameters(n['decoderSaved'])}, ${percent(numberOf(n, 'decoderSavedOfUntied'))} of the model.`;
}

function startsFrom(n: Numbers, { favours }: TyingReason): string {
  const saved = amount(n['saved']!);
  return favours === 'untied'
    ? `The weights to start from have a trained table for each role. One table for all would give up ${of(saved, 'trained number')}.`
    : `The weights to start from share one table already. Tables apart would begin as copies of it and add ${of(saved, 'parameter')}.`;
}

function budget(n: Numbers, { favours }: TyingReason): string {
  const [most, untied] = [n['budget']!, n['untied']!];
  const tied = n['tied'];
  if (tied === undefined) {
    const fits = untied <= most ? 'stays within' : 'does not stay within';
    return `The model has ${exactParameters(untied)} and ${fits} ${exactly(most)}.`;
  }
  const sizes = `${exactParameters(tied)} tied, ${exactly(untied)} untied`;
  if (favours === 'tied') return `Only the tied model stays within ${exactParameters(most)}: ${sizes}.`;
  return `${untied <= most ? 'Both models stay' : 'Neither model stays'} within ${exactParameters(most)}: ${sizes}.`;
}

function savedShare(n: Numbers, { favours }: TyingReason): string {
  const saving = `One table in place of ${TABLES[numberOf(n, 'tables')] ?? ''} saves ${parameters(n['saved']!)}: ${percent(numberOf(n, 'ofTied'))} of the tied model, ${percent(numberOf(n, 'ofUntied'))} of the untied one.`;
  const [large, small] = [chosenPercent(numberOf(n, 'large')), chosenPercent(numberOf(n, 'small'))];
  const weight = {
    tied: `From ${large} of the untied model on, that is much.`,
    neither: `Between ${small} and ${large} of the untied model, that is neither much nor little.`,
    untied: `Below ${small} of the untied model, that is too little to bind reading and writing together for.`,
  };
  return `${saving} ${weight[favours]}`;
}

function depth(n: Numbers): string {
  const more = numberOf(n, 'moreLayers');
  const each = n['oneLayer']!;
  const kind = n['nEncoderLayers'] === undefined ? 'layer' : 'layer in each stack';
  if (more === 0) {
    return `Spent on depth, what is saved is not enough: one more ${kind} takes ${parameters(each)}, and this is ${digits(numberOf(n, 'layersWorth'))} of that.`;
  }
  const bought = `Spent on depth, what is saved buys ${exactly(more)} more ${layers(more)}`;
  return n['nEncoderLayers'] === undefined
    ? `${bought} of ${parameters(each)} each: ${exactly(n['deeperLayers']!)} in place of ${exactly(n['nLayers']!)}.`
    : `${bought} in each stack, ${parameters(each)} a pair.`;
}

function width(n: Numbers): string {
  const [now, wider] = [n['dModel']!, n['width']!];
  if (wider === now) {
    return `Spent on width, what is saved is not enough: the next width after ${exactly(now)} would be ${exactly(n['nextWidth']!)}, and larger than the untied model.`;
  }
  return `Spent on width, it makes the tied model ${exactly(wider)} wide in place of ${exactly(now)}, ${percent(numberOf(n, 'moreWidth'))} more, and no larger than the untied one.`;
}

function memory(n: Numbers): string {
  const parts = [`${bytes(n['weights']!)} of weights`, `${bytes(n['gradients']!)} of gradients`];
  if (n['optimizer'] !== 0n) parts.push(`${bytes(n['optimizer']!)} of the optimizer’s state`);
  return `In training, tying frees ${bytes(n['total']!)}: ${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}.`;
}

function precedent(n: Numbers, { favours }: TyingReason): string {
  const asked = numberOf(n, 'asked');
  const near = `within a factor of ${digits(numberOf(n, 'near'))} in size and in the share saved`;
  if (asked === 0) return `None of the known models is ${near}.`;
  const tie = numberOf(n, 'tie');
  if (asked < numberOf(n, 'least')) {
    return `Only ${exactly(asked)} of the known models ${asked === 1 ? 'is' : 'are'} ${near}: too few to conclude from.`;
  }
  const found = `Of the ${exactly(asked)} real models nearest in size and in the share saved, all within a factor of ${digits(numberOf(n, 'within'))}, ${tie === 0 ? 'none shares' : tie === 1 ? '1 shares' : `${exactly(tie)} share`} a table.`;
  return favours === 'neither' ? `${found} That is no clear precedent.` : found;
}

function measuredLoss(n: Numbers, { favours, decisive }: TyingReason): string {
  if (n['lossDifference'] !== undefined) return ownMeasurement(n, favours, decisive);
  if (n['measuredTied'] === undefined) {
    return 'What we measured ourselves were decoders; of models of this kind we have no loss.';
  }
  const pair = `${exactParameters(n['measuredTied']!)} tied and ${exactly(n['measuredUntied']!)} untied, ${exactly(n['measuredVocabSize']!)} tokens`;
  if (numberOf(n, 'within') > numberOf(n, 'near')) {
    return `At this size we measured nothing. Our nearest models (${pair}) are a factor of ${digits(numberOf(n, 'within'))} away in size or vocabulary, and beyond ${digits(numberOf(n, 'near'))} we draw no conclusion.`;
  }
  const difference = numberOf(n, 'difference');
  const worse = difference >= 0 ? 'higher' : 'lower';
  const sign = difference >= 0 ? 1 : -1;
  const [low, high] = [numberOf(n, 'low'), numberOf(n, 'high')];
  const interval = `${chosenPercent(numberOf(n, 'confidence'))} interval from ${signed(low)} to ${signed(high)}`;
  const within = digits(numberOf(n, 'within'));
  const near = within === '1' ? 'of this size' : `within a factor of ${within} of this size and vocabulary`;
  const found = `We trained ${exactly(n['pairs']!)} pairs of models ${near} (${pair}) on a short text: the tied ones ended ${nats(sign * difference)} ${worse}, ${interval}.`;
  if (n['widerDifference'] === undefined || favours !== 'untied') return found;
  return `${found} Made wider, with ${exactly(n['widerParameters']!)} parameters, a tied one was still ${digits(numberOf(n, 'widerDifference'))} higher.`;
}

const signed = (value: number): string => (value < 0 ? `\u2212${digits(-value)}` : digits(value));

function ownMeasurement(n: Numbers, favours: TyingReason['favours'], decisive: boolean): string {
  const difference = numberOf(n, 'lossDifference');
  const size = nats(Math.abs(difference));
  if (favours === 'neither') {
    return `You measured a difference of ${size}. Below ${digits(numberOf(n, 'noDifference'))} it is taken for none.`;
  }
  if (favours === 'tied') {
    return `You measured the tied model ${size} better. It is the smaller one as well.`;
  }
  const worse = `You measured the tied model ${size} worse, ${percent(numberOf(n, 'perplexity'))} in perplexity.`;
  return decisive
    ? `${worse} From ${digits(numberOf(n, 'largeDifference'))} nats on, that settles it.`
    : `${worse} A measurement of this very model counts twice.`;
}

const SENTENCES: Readonly<Record<ReasonKind, (numbers: Numbers, reason: TyingReason) => string>> = {
  vocabularies,
  'starts-from': startsFrom,
  budget,
  'saved-share': savedShare,
  depth,
  width,
  memory,
  precedent,
  'measured-loss': measuredLoss,
};

/** What a reason says, from its `kind`, `favours`, `decisive` and `numbers`. */
export function reasonSentence(reason: TyingReason): string {
  return SENTENCES[reason.kind](reason.numbers, reason);
}

// ---------------------------------------------------------------- the verdict

function settles({ kind, favours }: TyingReason): string {
  if (kind === 'vocabularies') return 'the vocabularies differ';
  if (kind === 'starts-from') return 'there are trained tables for each role to start from';
  if (kind === 'budget') return 'only the tied model stays within the budget';
  return favours === 'tied'
    ? 'you measured it to be the better one, and it is the smaller one'
    : 'you measured that the tied model loses too much';
}

const and = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** What follows from the reasons, in a sentence. */
export function verdictSentence(advice: Pick<TyingAdvice, 'tie' | 'decidedBy' | 'votes' | 'reasons'>): string {
  const { tie, decidedBy, votes } = advice;
  const settling = (side: TyingReason['favours']): string =>
    and(advice.reasons.filter((reason) => reason.decisive && reason.favours === side).map(settles));
  if (decidedBy === 'contradiction') {
    return `No advice: two things each settle it, and they contradict each other. For one table: ${settling('tied')}. For tables apart: ${settling('untied')}.`;
  }
  if (decidedBy === 'balance') {
    return votes.tied === 0
      ? 'No advice: nothing here speaks for one table or for tables apart.'
      : `No advice: as much speaks for one table as for tables apart, ${counted(votes.tied)} each.`;
  }
  const [choice, side] = tie === true ? (['Tie', 'tied'] as const) : (['Do not tie', 'untied'] as const);
  if (decidedBy === 'decisive') return `${choice}: ${settling(side)}.`;
  const other = side === 'tied' ? 'untied' : 'tied';
  return `${choice}: ${counted(votes[side])} for that, ${votes[other] === 0 ? 'none' : exactly(votes[other])} against.`;
}

const counted = (votes: number): string => `${exactly(votes)} ${votes === 1 ? 'vote' : 'votes'}`;
