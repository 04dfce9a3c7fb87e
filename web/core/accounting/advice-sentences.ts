/**
 * Advice in English. Each sentence uses only the numbers of its reason: a test looks up every number of a sentence
 * among them.
 */
import type { ReasonKind, TyingAdvice, TyingReason } from './types.js';

// ---------------------------------------------------------------- numbers

const few = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const two = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });
const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Units from the largest down; a value uses the first unit that it reaches. */
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

/**
 * Three digits in the largest unit that fits after rounding: 999,999,999 is 1 billion. Null below the smallest unit.
 */
function scaled(value: number, scale: Scale): string | null {
  const rounded = Number(value.toPrecision(3));
  const found = scale.find(([size]) => rounded >= size);
  return found === undefined ? null : few.format(rounded / found[0]) + found[1];
}

/** 235,328; 38.6 million. */
export function amount(value: number): string {
  return (value < 1_000_000 ? null : scaled(value, COUNTS)) ?? whole.format(value);
}

/** In full: 38,597,376. */
export function inFull(value: number): string {
  return whole.format(value);
}

/** 618 MB; one MB is a million bytes. */
export function bytes(value: number): string {
  return scaled(value, BYTES) ?? `${whole.format(value)} bytes`;
}

/** A fraction with three digits: 23.7%, 31.0%; and 0.35% below one percent. */
export function percent(share: number): string {
  const hundredths = share * 100;
  return `${(hundredths >= 1 ? tenths : two).format(hundredths)}%`;
}

/** A chosen fraction, without trailing zeros: 10%. */
export function chosenPercent(share: number): string {
  return `${few.format(share * 100)}%`;
}

/** Three digits: 0.116, 4.2, 608. */
export function digits(value: number): string {
  return few.format(value);
}

/** '1 parameter', '38.6 million parameters'. */
const of = (text: string, unit: string): string => `${text} ${unit}${text === '1' ? '' : 's'}`;
const parameters = (value: number): string => of(amount(value), 'parameter');
const exactParameters = (value: number): string => of(inFull(value), 'parameter');
const nats = (value: number): string => `${of(digits(value), 'nat')} per token`;

// ---------------------------------------------------------------- reasons

type Numbers = TyingReason['numbers'];

/** A number that the reason must have; a missing one is a bug in this project. */
function numberOf(numbers: Numbers, name: string): number {
  return numbers[name] ?? NaN;
}

const TABLES = ['no table', 'one', 'two', 'three'];

const layers = (count: number): string => (count === 1 ? 'layer' : 'layers');

function vocabularies(n: Numbers): string {
  const apart = `The model reads ${of(inFull(n['vocabSize']!), 'token')} and writes ${inFull(n['outputVocabSize']!)}: one table cannot do both.`;
  if (n['decoderSaved'] === undefined) return apart;
  return `${apart} The decoder’s own two tables can still be shared, which saves ${parameters(n['decoderSaved'])}, ${percent(numberOf(n, 'decoderSavedOfUntied'))} of the model.`;
}

function startsFrom(n: Numbers, { favours }: TyingReason): string {
  const saved = amount(n['saved']!);
  return favours === 'untied'
    ? `The starting weights have a trained table for each role. Sharing one table would discard ${of(saved, 'trained parameter')}.`
    : `The starting weights already share one table. Separate tables would begin as copies of it and add ${of(saved, 'parameter')}.`;
}

function budget(n: Numbers, { favours }: TyingReason): string {
  const [most, untied] = [n['budget']!, n['untied']!];
  const tied = n['tied'];
  if (tied === undefined) {
    const fits = untied <= most ? 'stays within' : 'does not stay within';
    return `The model has ${exactParameters(untied)} and ${fits} ${inFull(most)}.`;
  }
  const sizes = `${exactParameters(tied)} tied, ${inFull(untied)} untied`;
  if (favours === 'tied') return `Only the tied model stays within ${exactParameters(most)}: ${sizes}.`;
  return `${untied <= most ? 'Both models stay' : 'Neither model stays'} within ${exactParameters(most)}: ${sizes}.`;
}

function savedShare(n: Numbers, { favours }: TyingReason): string {
  const saving = `One table instead of ${TABLES[numberOf(n, 'tables')] ?? ''} saves ${parameters(n['saved']!)}: ${percent(numberOf(n, 'ofTied'))} of the tied model, ${percent(numberOf(n, 'ofUntied'))} of the untied one.`;
  const [large, small] = [chosenPercent(numberOf(n, 'large')), chosenPercent(numberOf(n, 'small'))];
  const weight = {
    tied: `We call ${large} of the untied model or more a large saving.`,
    neither: `Between ${small} and ${large} of the untied model, that is neither large nor small.`,
    untied: `Less than ${small} of the untied model is too little to justify constraining reading and writing.`,
  };
  return `${saving} ${weight[favours]}`;
}

function depth(n: Numbers): string {
  const more = numberOf(n, 'moreLayers');
  const each = n['oneLayer']!;
  const kind = n['nEncoderLayers'] === undefined ? 'layer' : 'layer in each stack';
  if (more === 0) {
    return `The saving does not buy another ${kind}: that takes ${parameters(each)}, and the saving is ${digits(numberOf(n, 'layersWorth'))} of it.`;
  }
  const bought = `Spent on depth, the saving buys ${inFull(more)} more ${layers(more)}`;
  return n['nEncoderLayers'] === undefined
    ? `${bought} of ${parameters(each)} each: ${inFull(n['deeperLayers']!)} instead of ${inFull(n['nLayers']!)}.`
    : `${bought} in each stack, ${parameters(each)} per pair.`;
}

function width(n: Numbers): string {
  const [now, wider] = [n['dModel']!, n['width']!];
  if (wider === now) {
    return `The saving does not buy more width: the next width after ${inFull(now)} is ${inFull(n['nextWidth']!)}, which makes the tied model larger than the untied one.`;
  }
  return `Spent on width, the saving widens the tied model from ${inFull(now)} to ${inFull(wider)}, ${percent(numberOf(n, 'moreWidth'))} more, without making it larger than the untied one.`;
}

function memory(n: Numbers): string {
  const parts = [`${bytes(n['weights']!)} of weights`, `${bytes(n['gradients']!)} of gradients`];
  if (n['optimizer'] !== 0) parts.push(`${bytes(n['optimizer']!)} of the optimizer’s state`);
  return `In training, tying frees ${bytes(n['total']!)}: ${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}.`;
}

function precedent(n: Numbers, { favours }: TyingReason): string {
  const asked = numberOf(n, 'asked');
  const near = `within a factor of ${digits(numberOf(n, 'near'))} in size and in the share saved`;
  if (asked === 0) return `None of the known models is ${near}.`;
  const tie = numberOf(n, 'tie');
  if (asked < numberOf(n, 'least')) {
    return `Only ${inFull(asked)} of the known models ${asked === 1 ? 'is' : 'are'} ${near}: too few to conclude from.`;
  }
  const found = `Of the ${inFull(asked)} real models nearest in size and in the share saved, all within a factor of ${digits(numberOf(n, 'within'))}, ${tie === 0 ? 'none shares' : tie === 1 ? '1 shares' : `${inFull(tie)} share`} a table.`;
  return favours === 'neither' ? `${found} That is no clear precedent.` : found;
}

function measuredLoss(n: Numbers, { favours, decisive }: TyingReason): string {
  if (n['lossDifference'] !== undefined) return ownMeasurement(n, favours, decisive);
  if (n['measuredTied'] === undefined) {
    if (n['mapDifference'] !== undefined) return directPath(n);
    return 'We measured decoders only, so we have no loss for models of this kind.';
  }
  const pair = `${exactParameters(n['measuredTied'])} tied, ${inFull(n['measuredUntied']!)} untied, ${inFull(n['measuredVocabSize']!)} tokens`;
  if (numberOf(n, 'within') > numberOf(n, 'near')) {
    return `We measured nothing at this size. Our nearest models (${pair}) are a factor of ${digits(numberOf(n, 'within'))} away in size or vocabulary, and beyond ${digits(numberOf(n, 'near'))} we draw no conclusion.`;
  }
  const difference = numberOf(n, 'difference');
  const worse = difference >= 0 ? 'higher' : 'lower';
  const sign = difference >= 0 ? 1 : -1;
  const [low, high] = [numberOf(n, 'low'), numberOf(n, 'high')];
  const interval = `${chosenPercent(numberOf(n, 'confidence'))} interval from ${signed(low)} to ${signed(high)}`;
  const within = digits(numberOf(n, 'within'));
  const near = within === '1' ? 'of this size' : `within a factor of ${within} of this size and vocabulary`;
  const found = `We trained ${inFull(n['pairs']!)} pairs of models ${near} (${pair}) on a short text: the tied ones ended ${nats(sign * difference)} ${worse}, ${interval}.`;
  return favours === 'untied' ? `${found} ${remedies(n)}` : found;
}

/** The measured remedies that did not close the gap of the measured models, best first. */
function remedies(n: Numbers): string {
  const above = (name: string): string => digits(numberOf(n, name));
  const more = `At width ${inFull(n['greaterWidth']!)} plain tying cost ${above('greaterWidthDifference')}, interval from ${signed(numberOf(n, 'greaterWidthLow'))} to ${signed(numberOf(n, 'greaterWidthHigh'))}.`;
  return `At their width of ${inFull(n['measuredWidth']!)}, no remedy closed the gap. These stayed above the untied models: a wider tied model with ${exactParameters(n['widerParameters']!)} (by ${above('widerDifference')}), one untied after two thirds of the steps (${above('untiedLaterDifference')}), one with five times the input gradient (${above('inputTimesFiveDifference')}) and one with a d × d map before the shared table (${above('mapDifference')}), which is worse than plain tying. ${more}`;
}

/** A map helps a direct path but did not help in the measured transformers; the sentence says both. */
function directPath(n: Numbers): string {
  const above = (name: string): string => digits(numberOf(n, name));
  return `We have no loss for models without layers. There a shared table makes all scores symmetric, and a d × d map before it removes most of that cost. This does not carry over to transformers: in those that we trained, tying with the map ended ${above('mapDifference')} nats per token above no tying, and plain tying only ${above('difference')}.`;
}

const signed = (value: number): string => (value < 0 ? `\u2212${digits(-value)}` : digits(value));

function ownMeasurement(n: Numbers, favours: TyingReason['favours'], decisive: boolean): string {
  const difference = numberOf(n, 'lossDifference');
  const size = nats(Math.abs(difference));
  if (favours === 'neither') {
    return `You measured a difference of ${size}. Anything below ${digits(numberOf(n, 'noDifference'))} counts as no difference.`;
  }
  if (favours === 'tied') {
    return `You measured the tied model ${size} better. It is also the smaller one.`;
  }
  const worse = `You measured the tied model ${size} worse, ${percent(numberOf(n, 'perplexity'))} in perplexity.`;
  return decisive
    ? `${worse} A difference of ${digits(numberOf(n, 'largeDifference'))} nats or more settles it.`
    : `${worse} A measurement of your own model counts twice.`;
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

/** The sentence of a reason, from its `kind`, `favours`, `decisive` and `numbers`. */
export function reasonSentence(reason: TyingReason): string {
  return SENTENCES[reason.kind](reason.numbers, reason);
}

// ---------------------------------------------------------------- the verdict

function settles({ kind, favours }: TyingReason): string {
  if (kind === 'vocabularies') return 'the vocabularies differ';
  if (kind === 'starts-from') return 'the starting weights have a trained table for each role';
  if (kind === 'budget') return 'only the tied model stays within the budget';
  return favours === 'tied'
    ? 'you measured it to be the better model, and it is the smaller one'
    : 'you measured that tying costs too much';
}

const and = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** The verdict of the reasons, as one sentence. */
export function verdictSentence(advice: Pick<TyingAdvice, 'tie' | 'decidedBy' | 'votes' | 'reasons'>): string {
  const { tie, decidedBy, votes } = advice;
  const settling = (side: TyingReason['favours']): string =>
    and(advice.reasons.filter((reason) => reason.decisive && reason.favours === side).map(settles));
  const voters = (side: TyingReason['favours']): string[] =>
    advice.reasons.filter((reason) => reason.votes > 0 && reason.favours === side).map(({ kind }) => NAMES[kind]);
  const speaking = (side: TyingReason['favours']): string =>
    `${and(voters(side))} ${voters(side).length === 1 ? 'argues' : 'argue'}`;
  if (decidedBy === 'contradiction') {
    return `No advice: two reasons would each settle it, and they contradict each other. For one table: ${settling('tied')}. For separate tables: ${settling('untied')}.`;
  }
  if (decidedBy === 'balance') {
    return votes.tied === 0
      ? 'No advice: nothing here argues for one table or for separate tables.'
      : `No advice: ${speaking('tied')} for one table, ${and(voters('untied'))} for separate tables, ${counted(votes.tied)} each.`;
  }
  const [choice, side] = tie === true ? (['Tie', 'tied'] as const) : (['Do not tie', 'untied'] as const);
  if (decidedBy === 'decisive') return `${choice}: ${settling(side)}.`;
  const other = side === 'tied' ? 'untied' : 'tied';
  const [one, two] = side === 'tied' ? (['for', 'against'] as const) : (['against', 'for'] as const);
  const others = votes[other] === 0 ? 'nothing' : and(voters(other));
  return `${choice}: ${speaking(side)} ${one} tying, ${others} ${two} it (${counted(votes[side])} to ${inFull(votes[other])}).`;
}

/** Short names of the reasons, for the list of votes. */
const NAMES: Readonly<Record<ReasonKind, string>> = {
  vocabularies: 'the vocabularies',
  'starts-from': 'the starting weights',
  budget: 'the budget',
  'saved-share': 'the saving',
  depth: 'the saving',
  width: 'the saving',
  memory: 'the saving',
  precedent: 'precedent',
  'measured-loss': 'the measured loss',
};

const counted = (votes: number): string => `${inFull(votes)} ${votes === 1 ? 'vote' : 'votes'}`;
