/** Describes an experiment in words. */
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { ExperimentClaim, ExperimentSpec } from '../../core/types.js';
import type { ExperimentStrings } from './experiment.strings.js';
import type { Plan } from './plan.js';

/** If there are more seeds, they are counted, not listed. */
const mostListed = 5;

export function listed(texts: ExperimentStrings, names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : texts.and(names.slice(0, -1).join(', '), last);
}

function seedsInWords(texts: ExperimentStrings, seeds: readonly number[]): string {
  const [first = 0, ...others] = seeds;
  if (others.length === 0) return texts.oneSeed(formatWhole(first));
  if (seeds.length > mostListed) return texts.manySeeds(formatWhole(seeds.length));
  const names = seeds.map(String);
  return texts.someSeeds(names.slice(0, -1).join(', '), names.at(-1) ?? '');
}

type Sources = Pick<ExperimentSpec, 'text' | 'pairs' | 'then'>;

export function textInWords(texts: ExperimentStrings, { text, pairs, then }: Sources): string {
  if (then !== undefined) {
    const [first, second] = [text, then.text].map((one) => textInWords(texts, { text: one! }));
    return texts.then(first!, formatWhole(then.afterSteps), second!);
  }
  if (pairs !== undefined) {
    if ('task' in pairs) return texts.pairs(formatWhole(pairs.count), texts.pairTasks[pairs.task]);
    return 'file' in pairs ? texts.file(pairs.file) : texts.listedPairs(formatWhole(pairs.list.length));
  }
  if (text === undefined) return '';
  if ('stories' in text) return texts.stories(formatWhole(text.stories.length));
  if ('string' in text) return texts.string(formatWhole(text.string.length));
  return 'file' in text ? texts.file(text.file) : texts.markov(formatWhole(text.markov.states));
}

/** Rounded to what a guess can be trusted for. */
export function timeInWords(texts: ExperimentStrings, seconds: number): string {
  if (seconds < 45) return texts.lessThanAMinute;
  if (seconds < 90) return texts.aboutAMinute;
  if (seconds < 90 * 60) return texts.minutes(formatWhole(Math.round(seconds / 60)));
  return texts.hours(formatNumber(seconds / 3600, { significant: 2 }));
}

/** The remaining time of a run, to five seconds. */
export const timeLeft = (texts: ExperimentStrings, seconds: number): string =>
  seconds < 90 ? texts.seconds(formatWhole(Math.max(5, 5 * Math.round(seconds / 5)))) : timeInWords(texts, seconds);

/** What is trained: the models, the points of the grid, the steps and the text. */
export const specInWords = (
  texts: ExperimentStrings,
  spec: ExperimentSpec,
  { models, points, steps }: { readonly models: number; readonly points: number; readonly steps: readonly string[] },
): string[] => [
  texts.models(formatWhole(models), listed(texts, Object.keys(spec.arms)), seedsInWords(texts, spec.seeds)),
  ...(points > 1 ? [texts.points(formatWhole(points))] : []),
  texts.on(listed(texts, steps), textInWords(texts, spec)),
];

export function planInWords(texts: ExperimentStrings, plan: Plan, cores: number): string[] {
  const { spec, jobs } = plan;
  const arms = Object.keys(spec.arms);
  const points = jobs.length / (arms.length * spec.seeds.length);
  const steps = [...new Set(jobs.map(({ training }) => training.steps))].map((one) => formatWhole(one));
  const used = Math.min(cores, jobs.length);
  const seconds = jobs.reduce((sum, job) => sum + plan.costOf(job), 0) / used;
  return [
    ...specInWords(texts, spec, { models: jobs.length, points, steps }),
    texts.takes(timeInWords(texts, seconds), used === 1 ? texts.oneCore : texts.cores(formatWhole(used))),
  ];
}

export function criterionInWords(texts: ExperimentStrings, { says }: ExperimentClaim): string {
  const deviations = /above\s+(\S+)\s+sd/.exec(says)?.[1];
  const more = [
    ...(/in\s+every\s+seed/.test(says) ? [texts.everySeed] : []),
    ...(deviations === undefined ? [] : [texts.deviations(deviations)]),
  ];
  return texts.holdsIf(says.includes('>') ? texts.above : texts.below, more.join(''));
}
