/** A model card as text: the numbers of its data, to four digits. */
import type {
  CardAlignment,
  CardGradient,
  CardHistory,
  CardLayers,
  CardLoss,
  CardNumber,
  CardSchedule,
  CardTable,
  CardTables,
  CardTraining,
  CouplingPolicy,
  ModelCardData,
  NotMeasured,
  TyingChange,
} from '../../types.js';
import { changesOf, unties } from '../../model/tying-options.js';

/** A missing value. */
const NONE = '–';

/** Whole numbers in full, others to four digits. */
export function written(value: number | null): string {
  if (value === null) return NONE;
  return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(4)));
}

/** Characters that a terminal or a reader's eye would take as something else, such as the start of a color or of a window's title, by their number. */
export const withoutControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);

/** A text in which nothing is markup, on one line. */
export const plain = (text: string): string =>
  withoutControls(text.replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]<>#|!~&]/g, '\\$&');

const counted = (count: number, one: string, more = `${one}s`): string =>
  `${written(count)} ${count === 1 ? one : more}`;
const isMissing = <T extends object>(part: T | NotMeasured): part is NotMeasured => 'notMeasured' in part;

type Row = [label: string, value: CardNumber | NotMeasured];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function numbersTable(rows: readonly Row[]): string {
  return table(
    ['', 'value', 'unit', 'by chance'],
    rows.map(([label, number]) =>
      isMissing(number)
        ? [label, 'not measured', NONE, plain(number.notMeasured)]
        : [label, written(number.value), number.unit, chanceOf(number)],
    ),
  );
}

function chanceOf({ chance, chanceDeviation }: CardNumber): string {
  if (chance === null) return NONE;
  return `${written(chance)}${chanceDeviation === null ? '' : ` ± ${written(chanceDeviation)}`}`;
}

/** A part under its title; a missing one says why. */
function part<T extends object>(title: string, found: T | NotMeasured, render: (found: T) => string[]): string {
  const body = isMissing(found) ? [`Not measured: ${plain(found.notMeasured)}`] : render(found);
  return [`#### ${title}`, ...body].join('\n\n');
}

const leftOutOf = (leftOut: number, what: string): string => `left out: ${counted(leftOut, what)}`;

export function tyingInWords({ tying, tyingChanges }: Pick<CouplingPolicy, 'tying' | 'tyingChanges'>): string {
  if (typeof tying === 'string') return tying;
  const changes = changesOf(tying);
  const phases = changes.map((change, i) => `${unties(change) ? 'tied' : 'untied'} ${endOfPhase(change, i === 0)}`);
  const text = `${phases.join(', then ')}, then ${unties(changes.at(-1)!) ? 'untied' : 'tied'}`;
  if (changes.length === 1 && phases[0]!.includes(' up to step ')) return text;
  const steps = tyingChanges.map((step) => written(step)).join(', ');
  const made = tyingChanges.length === 0 ? 'not yet' : `at ${tyingChanges.length === 1 ? 'step' : 'steps'} ${steps}`;
  return `${text}: ${made}`;
}

function endOfPhase(change: TyingChange, isFirst: boolean): string {
  if ('untieAtStep' in change) return `up to step ${written(change.untieAtStep)}`;
  if ('tieAtStep' in change) return `up to step ${written(change.tieAtStep)}`;
  const { inputShare, over, from = 0 } = 'untieWhen' in change ? change.untieWhen : change.tieWhen;
  const [[side, share]] = Object.entries(inputShare) as [[string, number]];
  const begin = isFirst ? `after step ${written(from)}` : `${counted(from, 'step')} after the change before`;
  return (
    `until the mean share of the input part in a block of ${counted(over, 'step')} is ${side} ${written(share)} ` +
    `(blocks begin ${begin})`
  );
}

type Role = keyof CardTraining['learningRateMultipliers'];
const ROLE_NAMES: Record<Role, string> = {
  embedding: 'embedding, and a shared table',
  unembedding: 'unembedding',
  inner: 'all else',
};

function coupling(policy: CouplingPolicy): string[] {
  const { kind, vocabSize, dModel, nLayers, shared, embeddingScale, training } = policy;
  const layers = nLayers === null ? '' : `, ${counted(nLayers, 'layer')}`;
  const lines = [
    `Model: ${kind}${layers}, vocabulary ${written(vocabSize)} tokens, width ${written(dModel)}`,
    `Coupling of the tables: ${tyingInWords(policy)}`,
    shared.length === 0
      ? 'Shared now: nothing'
      : `Shared now: ${shared.map(([name, tiedTo]) => `${plain(name)} is ${plain(tiedTo)}`).join(', ')}`,
    `Rows that are read are multiplied by ${written(embeddingScale)}`,
  ];
  if (isMissing(training)) {
    lines.push(`Training: not known. ${plain(training.notMeasured)}`);
  } else {
    const { learningRates: rates, learningRateMultipliers: multipliers, warmupSteps, decay, totalSteps } = training;
    const factor = ({ now, schedule }: CardSchedule): string => {
      const points = schedule.map(([step, value]) => `${written(value)} at step ${written(step)}`).join(', ');
      return `${written(now)} now (${points})`;
    };
    const changing = Object.entries(multipliers).filter(([, { schedule }]) => schedule.length > 1);
    const end = totalSteps === null ? '' : ` to step ${written(totalSteps)}`;
    lines.push(
      `Factor of the input gradient: ${factor(training.inputGradientScale)}`,
      ...(training.outputGradientScale === undefined
        ? []
        : [`Factor of the output gradient: ${factor(training.outputGradientScale)}`]),
      `Highest learning rates (${training.optimizer}): embedding, and a shared table, ${written(rates.embedding)}; ` +
        `unembedding ${written(rates.unembedding)}; all else ${written(rates.inner)}`,
      ...changing.map(([role, one]) => `Factor of the learning rate, ${ROLE_NAMES[role as Role]}: ${factor(one)}`),
      `Warm-up: ${counted(warmupSteps, 'step')}; decay: ${decay}${end}`,
      `Weight decay of the tables: ${written(training.tableWeightDecay)}`,
      `Seed of the data ${written(training.seed)}, of the start ${written(training.initSeed)}`,
    );
  }
  return [lines.map((line) => `- ${line}`).join('\n')];
}

function ablationTable(ablation: CardLayers['ablation']): string[] {
  const head = ['layer left out', 'loss (nats per token)', 'increase', 'standard error'];
  const rows = ablation.map(({ layer, loss, increase, standardError }) => [
    ...[written(layer), written(loss.value), written(increase.value), written(standardError)],
  ]);
  return ['The loss with a layer left out, neither retrained nor replaced; 0 is the first layer.', table(head, rows)];
}

function layersPart({ tokens, leftOut, lens, layers, ablation }: CardLayers): string[] {
  const head = ['layers below', 'logit lens (bits)', 'loss (nats per token)'];
  const rows = layers.map(({ layer, tunedDivergence, tunedLoss, ...plain }) => [
    ...[written(layer), written(plain.divergence.value), written(plain.loss.value)],
    ...(tunedDivergence && tunedLoss ? [written(tunedDivergence.value), written(tunedLoss.value)] : []),
  ]);
  const { divergence, loss } = layers[0]!;
  const text =
    `Divergence of each layer from the last one, KL in bits, over ${counted(tokens, 'token')}; losses without the last token ` +
    `(${leftOutOf(leftOut, 'token')}). By chance: a divergence of ${written(divergence.chance)} bits, if a layer predicts the same after ` +
    `each token; a loss of ${written(loss.chance)} nats per token.`;
  if (lens === null) return [text, table(head, rows), ...ablationTable(ablation)];
  const learned =
    `The tuned lens learned from a text of ${counted(lens.tokens, 'token')} (${leftOutOf(lens.leftOut, 'token')}): ${counted(lens.steps, 'step')} of about ` +
    `${counted(lens.tokensPerStep, 'token')}, learning rate ${written(lens.learningRate)}, seed ${written(lens.seed)}.`;
  return [
    ...[text, learned, table([...head, 'tuned lens (bits)', 'its loss (nats per token)'], rows)],
    ...ablationTable(ablation),
  ];
}

function gradientPart(gradient: CardGradient): string[] {
  return [
    `The gradient of the mean loss of ${counted(gradient.tokens, 'prediction')} (${leftOutOf(gradient.leftOut, 'token')}), ` +
      'without the factor of the input gradient. A share of 0.5 means equal norms; it is no chance level.',
    numbersTable([
      ['norm of the input part (reading)', gradient.inputNorm],
      ['norm of the output part (writing)', gradient.outputNorm],
      ['share of the input part', gradient.inputShare],
      ['share of the output part', gradient.outputShare],
      ['norm of the input part, by position', gradient.inputPositionNorm],
      ['share of the input part, by position', gradient.inputPositionShare],
      ['share of the output part, by position', gradient.outputPositionShare],
      ['cosine of the two parts', gradient.cosine],
      ['reach: share of the norm of the logits’ gradient that reaches hidden states', gradient.reach],
    ]),
  ];
}

function historyPart({ records, leftOut, points }: CardHistory): string[] {
  const head = ['step', 'loss (nats per token)', 'share of the input part', 'the same by position'];
  const rows = points.map(({ step, loss, inputShare, inputPositionShare }) => [
    ...[written(step), written(loss.value), written(inputShare.value), written(inputPositionShare.value)],
  ]);
  return [
    `Of ${counted(records, 'record')} of training steps, each on the data of its step (${leftOutOf(leftOut, 'record')}). ` +
      `Loss by chance: ${written(points[0]!.loss.chance)} nats per token.`,
    table(head, rows),
  ];
}

function alignmentRows(method: string, found: CardAlignment | NotMeasured): Row[] {
  if (isMissing(found)) return [[method, found]];
  const { rows, leftOut, meanCosine, residual, heldOut } = found;
  const seen: Row[] = [
    [`${method}: mean cosine (${counted(rows, 'row')}, ${leftOutOf(leftOut, 'row')})`, meanCosine],
    [`${method}: residual`, residual],
  ];
  if (heldOut === null) return seen;
  return [
    ...seen,
    [`${method}: mean cosine, held out (${counted(heldOut.rows, 'row')})`, heldOut.meanCosine],
    [`${method}: residual, held out`, heldOut.residual],
  ];
}

const RELATIONS = {
  shared: 'One table reads and writes.',
  separate: 'Each role has a table of its own.',
  derived:
    'The output embedding is the input embedding through a map, or with a correction; it is compared as it acts.',
};

function alignmentPart({ relation, alignments }: CardTables): string[] {
  if (isMissing(alignments)) return [RELATIONS[relation], plain(alignments.notMeasured)];
  const found = Object.values(alignments).filter((one): one is CardAlignment => !isMissing(one));
  const how = found.slice(0, 1).map(({ nullRuns, seed }) => {
    const theory = Object.entries(alignments).flatMap(([method, one]) =>
      isMissing(one) || one.chanceInTheory === null ? [] : [`${method} ${written(one.chanceInTheory)}`],
    );
    return (
      `From input to output rows, centered. Chance: ${counted(nullRuns, 'random order')} of the rows, seed ${written(seed)}` +
      `${theory.length === 0 ? '' : `; in theory ${theory.join(', ')}`}.`
    );
  });
  const rows = Object.entries(alignments).flatMap(([method, one]) => alignmentRows(method, one));
  return [[RELATIONS[relation], ...how].join(' '), numbersTable(rows)];
}

function tableRows(one: CardTable): string[] {
  const { rows, leftOut, seed } = one;
  return [
    `${counted(rows, 'row')}, ${leftOutOf(leftOut, 'row')} of zeros; seed of held-out rows ${written(seed)}.`,
    numbersTable([
      ['mean cosine of pairs of rows', one.meanCosine],
      ['the same, mean row subtracted', one.centeredMeanCosine],
      ['IsoScore (1 = the same variance in all directions)', one.isoScore],
      ['smallest partition function over the largest (1 = isotropic)', one.partition],
      ['participation ratio', one.participationRatio],
      ['effective rank', one.effectiveRank],
      ['R² of log-frequency on rows, held out (0 = no better than the mean)', one.frequencyR2],
      ['rank correlation of norm and frequency', one.normSpearman],
      ['mean norm of rows', one.meanNorm],
      ['standard deviation of norms', one.normDeviation],
    ]),
  ];
}

function lossPart({ tokens, leftOut, loss, fromFrequencies, perplexity, bitsPerByte, bands }: CardLoss): string[] {
  const bandRows = bands.map(({ from, to, tokens: count, loss: mean, standardError }) => [
    from === to ? written(from) : `${written(from)} to ${written(to)}`,
    ...[written(count), written(mean.value), written(standardError), written(mean.chance)],
  ]);
  return [
    `${counted(tokens, 'prediction')}, ${leftOutOf(leftOut, 'token')} that nothing predicts.`,
    numbersTable([
      ['loss', loss],
      ['the same, from frequencies alone', fromFrequencies],
      ['perplexity', perplexity],
      ['bits per byte', bitsPerByte],
    ]),
    table(
      ['predicted token occurs', 'predictions', 'loss (nats per token)', 'standard error', 'from frequencies alone'],
      bandRows,
    ),
  ];
}

export function cardMarkdown(data: ModelCardData): string {
  const { step, seed, text, parameters, tables } = data;
  const frequencies = text.counts === 'given' ? 'counted elsewhere' : 'counted in this text';
  return [
    '### Input and output embedding',
    `Measured by ${plain(data.program)} after ${counted(step, 'step')} of training, on a text of ${counted(text.tokens, 'token')} ` +
      `(${written(text.distinct)} different; frequencies ${frequencies}). Seed ${written(seed)}.`,
    part('Embedding coupling', data.coupling, coupling),
    part('Parameters', parameters, () => [
      `Token tables stored: ${written(parameters.tables)}.`,
      numbersTable([
        ['stored', parameters.stored],
        ['of these, in token tables', parameters.tableParameters],
        ['of these, between table and role', parameters.mapParameters],
        ['with a table for each role', parameters.untied],
        ['saved by this coupling', parameters.saved],
        ['saved, of the stored', parameters.savedOfStored],
        ['saved, of the untied', parameters.savedOfUntied],
      ]),
    ]),
    part('Loss on the text', data.loss, lossPart),
    part('Early-layer health', data.layers, layersPart),
    part('Gradient of the tables', data.gradient, gradientPart),
    part('Share of the input part over training', data.history, historyPart),
    part('Embedding alignment', tables, alignmentPart),
    part('Input embedding', tables.input, tableRows),
    part('Output embedding', tables.output, tableRows),
    part('Direct path', data.directPath, ({ rows, leftOut, symmetric, asymmetry, withFinalNorm, throughMlp0 }) => [
      `All pairs of ${counted(rows, 'token')}, ${leftOutOf(leftOut, 'token')}; without layers. 0 is symmetric, 1 antisymmetric. ` +
        `${symmetric ? 'The two tables alone are symmetric: they prefer no order of two tokens.' : 'The two tables alone are not symmetric.'}`,
      numbersTable([
        ['asymmetry of the two tables', asymmetry],
        ['the same with the final norm and biases', withFinalNorm],
        ['and through the first feed-forward part', throughMlp0],
      ]),
    ]),
  ].join('\n\n');
}
