import type { Lab } from '../../core/types.js';
import { roles, stepOf, tyings, type Alignment, type History, type ModelHistory, type Moment, type Plan } from '../../elements/seq2seq/history.js';
import { Seq2seqRun } from '../../elements/seq2seq/run.js';
import { seq2seqSettings } from '../../elements/seq2seq/seq2seq.settings.js';

/**
 * The run that <tied-seq2seq> shows in the article before the reader trains. It is trained once by the figure's own
 * code at its defaults and stored in assets/; a test repeats its first steps.
 */
const { pairTask, length, steps, seed } = seq2seqSettings;
export const finishedSteps = steps.initial;
const plan: Plan = { task: pairTask.initial, seed: seed.initial, tyings, length: length.initial, lines: null };

/** Enough digits for drawings and sentences; losses and rates are kept in full. */
const kept = (values: ArrayLike<number>, digits: number): number[] =>
  Array.from(values, (value) => Number(value.toPrecision(digits)));

const short = (value: number): number => Number(value.toFixed(3));

const keptTables = ({ drift, alignment }: Moment): Pick<Moment, 'drift' | 'alignment'> => ({
  drift: Object.fromEntries(roles.map((role) => [role, short(drift[role])])) as Moment['drift'],
  alignment: Object.fromEntries(
    Object.entries(alignment).map(([pair, { cosine, chance }]): [string, Alignment] => [
      pair,
      {
        cosine: short(cosine),
        chance: { mean: short(chance.mean), least: short(chance.least), most: short(chance.most) },
      },
    ]),
  ),
});

const keptModel = ({ norms, moments, ...model }: ModelHistory): ModelHistory => ({
  ...model,
  norms: { encoder: kept(norms.encoder, 4), input: kept(norms.input, 4), output: kept(norms.output, 4) },
  moments: moments.map(({ written, ...moment }) => ({
    ...moment,
    ...keptTables({ ...moment, written }),
    written: written.map(({ text, attention }) => ({
      text,
      attention: { ...attention, data: Array.from(attention.data, (share) => Number(share.toFixed(2))) },
    })),
  })),
});

/** The run up to the moment after `to` steps, or to its end if omitted, with the schedule of the whole run. */
export async function trainFinishedSeq2seq(
  lab: Lab,
  { to = finishedSteps, onStep = () => undefined }: { to?: number; onStep?: (step: number) => void } = {},
): Promise<History> {
  const run = new Seq2seqRun();
  const stop = new AbortController();
  let history: History | null = null;
  const onPart = (newest: History): void => {
    const [before, step] = [history === null ? -1 : stepOf(history), stepOf(newest)];
    history = newest;
    if (step > before) onStep(step);
    if (newest.models.every(({ moments }) => (moments.at(-1)?.step ?? -1) >= to)) stop.abort();
  };
  await run.train(lab, { plan, steps: finishedSteps }, { signal: stop.signal, onPart });
  await run.release();
  if (history === null) throw new Error('The run has no models.');
  const { models, ...about } = history as History;
  return { ...about, models: models.map(keptModel) };
}
