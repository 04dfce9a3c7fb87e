import { formatWhole } from '../../charts/number-format.js';
import { apartWords } from './apart.js';
import { pullAt, roles, type History } from './history.js';
import { longest } from './own-pairs.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';
import { percent } from './tables-drawing.js';

/** What the models have reached by the last step that all of them have been measured at, and what became of their tables. */
export function summaryOf(texts: Seq2seqStrings, history: History): { claim: string; rest: string } {
  const { models, heldOut, leftOut } = history;
  const step = Math.min(...models.map(({ moments }) => moments.at(-1)?.step ?? 0));
  const found = models.map(({ tying, moments }) => {
    const last = moments.find((moment) => moment.step === step)!;
    return texts.rightOf(texts.models[tying], percent(last.exactMatch));
  });
  const shared = models.find(({ tying }) => tying === 'all');
  const pull = shared === undefined ? null : pullAt(shared, step);
  const strongest = roles.reduce((most, role) => ((pull?.[role] ?? 0) > (pull?.[most] ?? 0) ? role : most), roles[0]);
  const rest = [
    ...(pull === null ? [] : [texts.shared(texts.rolesInText[strongest], percent(pull[strongest]))]),
    apartWords(texts, history, step),
    ...(leftOut > 0 ? [texts.leftOut(formatWhole(leftOut), formatWhole(longest))] : []),
  ];
  return {
    claim: texts.claim(formatWhole(step), formatWhole(heldOut), found.join(', ')),
    rest: rest.filter((words) => words !== '').join(' '),
  };
}
