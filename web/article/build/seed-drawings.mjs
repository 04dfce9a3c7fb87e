import { armNames } from './arm-names.mjs';
import { count, interval, percent, times, words } from './format.mjs';
import { placeNames } from './model-names.mjs';
import { strips } from './strips.mjs';

/** Drawings in which every run, or every model, is a dot: one for each claim about many of them. */

const nats3 = (value) => value.toFixed(3);

const runs = (className, losses, mean) => [
  ...losses.map((value) => ({ shape: 'dot', value, className })),
  { shape: 'bar', value: mean, className },
];

/** What a remedy changed, in words that follow from its interval. */
const changed = (gain, than) =>
  gain.shown
    ? `${interval({ ...gain, mean: Math.abs(gain.mean) })} ${gain.mean > 0 ? 'better' : 'worse'} than ${than}`
    : `no difference that ${words(gain.runs)} runs can tell`;

/** The variants of the experiment, in the order of their means, best first. */
export function variantsOf({ experiment }) {
  const { gains, difference, wideCloses } = experiment;
  const variant = (name, className, arm, note) => ({ name, className, arm, note });
  return [
    variant('Untied, input times √<var>d</var>', 'untied', experiment.untiedScaled, changed(gains.scaledUntied, 'untied')),
    variant('Untied', 'untied', experiment.untied, 'two tables'),
    variant('Tied, input times √<var>d</var>', 'tied', experiment.tiedScaled, changed(gains.scaledTied, 'tied')),
    variant('Tied, <var>d</var> = 72 instead of 64', 'tied', experiment.tiedWide, `more parameters than untied; closes ${wideCloses.inWords} of the gap`),
    variant('Tied, then untied after two thirds', 'through', experiment.untiedLate, changed(gains.late, 'tied')),
    variant('Tied', 'tied', experiment.tied, changed({ ...difference, mean: -difference.mean }, 'untied')),
    variant('Tied, input gradient times 5', 'tied', experiment.tiedInputTimes5, changed(gains.inputTimes5, 'tied')),
    variant('Tied, map', 'through', experiment.tiedMap, changed(gains.map, 'tied')),
  ].sort((one, other) => one.arm.mean - other.arm.mean);
}

/** Held-out losses of the transformers trained on Shakespeare's plays. */
export function experimentStrips(facts) {
  const variants = variantsOf(facts);
  const { experiment } = facts;
  return strips({
    rows: variants.map(({ name, className, arm, note }) => ({
      label: `<b class="${className}">${name}</b>`,
      note,
      value: nats3(arm.mean),
      marks: runs(className, arm.losses, arm.mean),
    })),
    domain: [3.68, 4.03],
    ticks: [3.7, 3.8, 3.9, 4.0],
    write: (tick) => tick.toFixed(1),
    title: 'held-out loss, nats per token; lower is better',
    key: [
      { shape: 'dot', text: 'one run' },
      { shape: 'bar', text: 'mean of its row' },
    ],
    summary: `Held-out losses of ${String(variants.length)} variants, every run a dot. Tied ${nats3(experiment.tied.mean)} on average, untied ${nats3(experiment.untied.mean)}. The table below has all numbers.`,
  });
}

/** What one table costs at each width, every pair of runs a dot; beside it, what it saves. */
export function decisionStrips({ widths }) {
  const { all, vocabSize, nLayers } = widths;
  const values = all.flatMap(({ costs }) => costs);
  const byWidth = all.map(({ width, cost }) => `${nats3(cost)} at width ${String(width)}`).join(', ');
  return strips({
    rows: all.map(({ width, costs, cost, interval: found }) => ({
      label: `width ${String(width)}`,
      note: found === null ? `${times(costs.length)} each, so no interval` : `${times(costs.length)} each`,
      value: found === null ? nats3(cost) : interval(found),
      ...(found === null ? {} : { span: [cost - found.halfWidth, cost + found.halfWidth] }),
      marks: runs('tied', costs, cost),
    })),
    domain: [Math.min(-0.05, ...values), Math.max(0.3, ...values)],
    ticks: [0, 0.1, 0.2, 0.3],
    write: (tick) => tick.toFixed(tick === 0 ? 0 : 1),
    title: 'tied minus untied, nats per token',
    key: [
      { shape: 'dot', text: 'one pair of runs' },
      { shape: 'bar', text: 'mean, in its 95% interval' },
    ],
    summary: `What one table costs, in nats per token, in models of ${String(vocabSize)} tokens and ${String(nLayers)} layers: ${byWidth}.`,
  });
}

/** What one table costs by vocabulary and width, on two texts, every pair of runs a mark. */
export function scaleStrips({ scale: { cells, seeds } }) {
  const costs = cells.flatMap(({ plays, novels }) => [...plays.bySeed, ...novels.bySeed]);
  const nats2 = (value) => value.toFixed(2).replace('-', '−');
  return strips({
    rows: cells.map(({ width, vocabSize, fitted, plays, novels }) => ({
      label: `${count(vocabSize)} tokens, width ${String(width)}${fitted ? '' : '*'}`,
      value: `${nats2(plays.mean)}, ${nats2(novels.mean)}`,
      marks: [
        { shape: 'zero', value: 0 },
        ...novels.bySeed.map((value) => ({ shape: 'ring', value, className: 'tied' })),
        ...runs('tied', plays.bySeed, plays.mean),
        { shape: 'bar', value: novels.mean, className: 'tied' },
      ],
    })),
    domain: [Math.min(...costs) - 0.02, Math.max(...costs) + 0.02],
    ticks: [-0.2, 0, 0.2, 0.4],
    write: (tick) => (tick === 0 ? '0' : tick.toFixed(1).replace('-', '−')),
    title: 'tied minus untied, nats per token; on the right, the means on both texts',
    key: [
      { shape: 'dot', className: 'tied', text: 'a pair of runs on Plays' },
      { shape: 'ring', className: 'tied', text: 'on novels' },
      { shape: 'bar', className: 'tied', text: 'their means' },
    ],
    summary: `What one table costs, in nats per token: means of ${String(seeds)} pairs of runs on Plays and on novels. ${cells
      .map(({ width, vocabSize, plays, novels }) => `${count(vocabSize)} tokens, width ${String(width)}: ${nats2(plays.mean)} and ${nats2(novels.mean)}`)
      .join('; ')}.`,
  });
}

/** Pairs of tables, in the order of the drawing and of its table. */
export const pairsOfTables = ({ alignment }) => [
  { name: 'Untied writing table to tied table', className: 'tied', pair: alignment.writing },
  { name: 'Untied reading table to tied table', className: 'tied', pair: alignment.reading },
  { name: 'Untied writing table to tied, reading gradient × 5', className: 'through', pair: alignment.writingTimes5 },
  { name: 'Untied reading table to tied, reading gradient × 5', className: 'through', pair: alignment.readingTimes5 },
  { name: 'Untied reading table to its own writing table', className: 'untied', pair: alignment.ownTables },
];

/** How well the tables of trained models agree, with chance levels. */
export function alignmentStrips(facts) {
  const pairs = pairsOfTables(facts);
  return strips({
    rows: pairs.map(({ name, className, pair }) => ({
      label: `<b class="${className}">${name}</b>`,
      value: nats3(pair.mean),
      marks: [{ shape: 'ring', value: pair.chance }, ...runs(className, pair.cosines, pair.mean)],
    })),
    domain: [0.25, 0.85],
    ticks: [0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
    write: (tick) => tick.toFixed(1),
    title: 'mean cosine of a token’s two rows after the best linear map; 1 is the same table',
    key: [
      { shape: 'dot', text: 'one run' },
      { shape: 'bar', text: 'mean of its row' },
      { shape: 'ring', text: 'by chance: rows shuffled' },
    ],
    summary: `Agreement of ${String(pairs.length)} pairs of tables. The tied table is nearer to the untied writing table (${nats3(facts.alignment.writing.mean)}) than to the reading table (${nats3(facts.alignment.reading.mean)}); chance is ${nats3(facts.alignment.reading.chance)}. The table below has all numbers.`,
  });
}

/** Gaps of the direct paths on the story, for several starts each. */
export function labSeedStrips({ lab }) {
  return strips({
    rows: lab.seeds.map(({ tying, gaps, mean }) => {
      const className = tying === 'tied' || tying === 'untied' ? tying : 'through';
      return {
        label: `<b class="${className}">${armNames[tying]}</b>`,
        value: nats3(mean),
        marks: runs(className, gaps, mean),
      };
    }),
    domain: [-0.04, 1.4],
    ticks: [0, 0.5, 1],
    write: (tick) => tick.toFixed(1),
    title: 'nats per token above the bigram floor',
    summary: `Gaps of four models from ${String(lab.seeds[0].gaps.length)} starts each. The table below has all numbers.`,
  });
}

/** How far the tables of the models of the plays have turned from where they began. */
export function turnStrips({ drift: { turns } }) {
  const means = ({ reading, writing, tied }) => [reading, writing, tied].map(({ mean }) => mean.toFixed(2)).join(', ');
  const marks = (shape, className, { values }) => values.map((value) => ({ shape, value, className }));
  return strips({
    rows: turns.map((turn) => ({
      label: turn.step === 'end' ? 'the end' : `step ${turn.step}`,
      value: turn.tied.mean.toFixed(2),
      marks: [...marks('ring', 'untied', turn.reading), ...marks('dot', 'untied', turn.writing), ...marks('dot', 'tied', turn.tied)],
    })),
    domain: [0, 1],
    ticks: [0, 0.5, 1],
    write: (tick) => tick.toFixed(1),
    title: 'cosine with its start: 1 before training, 0 by chance',
    key: [
      { shape: 'ring', className: 'untied', text: 'reading table' },
      { shape: 'dot', className: 'untied', text: 'writing table' },
      { shape: 'dot', className: 'tied', text: 'tied table' },
    ],
    summary: `Mean cosines with the start, reading, writing, tied: ${turns.map((turn) => `${turn.step}: ${means(turn)}`).join('; ')}.`,
  });
}

/** Three floors of the story's loss for each tokenizer. */
export function floorStrips({ floors }) {
  return strips({
    rows: floors.map((one) => ({
      label: `${one.vocabSize.toLocaleString('en-GB')} ${one.name}`,
      value: one.price.toFixed(2),
      span: [one.bigram, one.symmetricLogits],
      marks: [
        { shape: 'dot', value: one.bigram },
        { shape: 'ring', value: one.symmetricLogits },
        { shape: 'bar', value: one.unigram },
      ],
    })),
    domain: [1.4, 6.1],
    ticks: [2, 3, 4, 5, 6],
    write: (tick) => String(tick),
    title: 'loss, nats per token; on the right, the price of symmetry',
    key: [
      { shape: 'dot', text: 'bigram floor' },
      { shape: 'ring', text: 'symmetric floor' },
      { shape: 'bar', text: 'unigram floor' },
    ],
    summary: 'Three floors of the loss for three ways of cutting the story. The table below has all numbers.',
  });
}

/** What tying saves each published model: tied models in one row, untied ones in the other, the outstanding ones with their names. */
export function modelStrips({ accounting }) {
  const { list } = accounting.models;
  const domain = [-1, 51];
  const row = (label, className, side, models) => ({
    side,
    label: `<b class="${className}">${label}</b>`,
    value: String(models.length),
    names: placeNames(
      models.map(({ name, savedOfUntied }) => ({ name, at: (100 * savedOfUntied - domain[0]) / (domain[1] - domain[0]) })),
    ),
    marks: models.map(({ name, savedOfUntied }) => ({
      shape: 'dot',
      value: 100 * savedOfUntied,
      className,
      title: `${name}, ${percent(savedOfUntied)}`,
    })),
  });
  const tied = list.filter((model) => model.tied);
  const untied = list.filter((model) => !model.tied);
  return strips({
    rows: [row('Tie', 'tied', 'above', tied), row('Do not tie', 'untied', 'below', untied)],
    domain,
    ticks: [0, 10, 20, 30, 40, 50],
    write: (tick) => `${String(tick)}%`,
    title: 'parameters that tying saves, of the untied model',
    summary: `What tying saves ${String(tied.length)} models that tie and ${String(untied.length)} that do not. The two overlap from less than 5% to more than 30%. The chapter on all models has the numbers.`,
  });
}
