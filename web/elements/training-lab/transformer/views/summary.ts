import { formatNumber, formatWhole } from '../../../../charts/index.js';
import { notAtRest, type Phrase } from '../../views/phrase.js';
import { heldOutAt, largestOutputShare, lossAt, outputShareAt } from '../drawn-values.js';
import { wholePercent } from '../../../shared/in-words.js';
import type { Shown } from './charts.js';

/** What the read-out describes. */
export type ReadRun = Pick<Shown, 'texts' | 'arms' | 'bounds' | 'settings' | 'step' | 'viewedStep' | 'viewsNewest'> & {
  readonly look: Pick<Shown['look'], 'shareBy'>;
};

const nats = (value: number): string => formatNumber(value, { decimals: 2 });

/** An earlier share is mentioned if it was larger than the current one by more than this, as a fraction of 1. */
const worthNaming = 0.02;

function losses({ texts, arms, viewedStep, settings }: ReadRun): Phrase[] {
  const [first, second] = arms;
  if (first === undefined || second === undefined) return [];
  const [one, two] = [lossAt(first, viewedStep), lossAt(second, viewedStep)];
  if (one === null || two === null) return [];
  const after = viewedStep === 1 ? texts.afterOne : texts.after(formatWhole(viewedStep));
  const words: Phrase[] = [
    { text: `${after} ` },
    ...texts.gptAverages(
      { text: texts.armNames[first.kind], tying: first.kind },
      nats(one),
      { text: texts.armNames[second.kind], tying: second.kind },
      nats(two),
    ),
  ];
  const [held, heldSecond] = [heldOutAt(first, viewedStep), heldOutAt(second, viewedStep)];
  if (held !== null && heldSecond !== null && held.step > 0) {
    const step = held.step === viewedStep ? null : formatWhole(held.step);
    words.push({ text: texts.gptHeldOut(nats(held.loss), nats(heldSecond.loss), step), more: true });
  }
  return [...words, { text: '. ' }, { text: `${texts.gptOneRun(String(settings.seed))} `, more: true }];
}

function shares({ texts, arms, look, viewedStep }: ReadRun): Phrase[] {
  const definition = look.shareBy;
  const [first, second] = arms;
  if (first === undefined || second === undefined) return [];
  const share = outputShareAt(first, definition, viewedStep);
  const other = outputShareAt(second, definition, viewedStep);
  if (share === null || other === null) return [];
  const words: Phrase[] = [
    ...texts.shareAt(
      formatWhole(viewedStep),
      { text: `${wholePercent(share)}%`, role: 'output' },
      { text: texts.armNames[first.kind], tying: first.kind },
    ),
    ...texts.shareOther(wholePercent(other), { text: texts.armNames[second.kind], tying: second.kind }),
  ];
  const largest = largestOutputShare(first, definition, viewedStep);
  if (largest !== null && largest.share - share > worthNaming) {
    words.push({ text: texts.sharePeak(formatWhole(largest.step), wholePercent(largest.share)) });
  }
  return [...words, { text: '.' }];
}

/** When a model untied whose untying depends on its own gradient. */
function untying({ texts, arms, viewedStep }: ReadRun): Phrase[] {
  return arms
    .filter(({ kind }) => kind === 'untied-by-share')
    .flatMap(({ kind, untiedAt }) => {
      const model: Phrase = { text: texts.armNames[kind], tying: kind };
      const untied = untiedAt !== null && untiedAt <= viewedStep;
      return untied ? texts.untiedBy(model, formatWhole(untiedAt)) : texts.notYetUntied(model);
    });
}

/**
 * The losses of both models, which role changes the table, and whether the models use more than the current token.
 * `invites`: whether the reader is asked to press play.
 */
export function transformerSummary(shown: ReadRun, invites: boolean): Phrase[] {
  const { texts, arms, bounds, step, viewedStep, viewsNewest } = shown;
  const back = viewsNewest ? [] : [{ text: ` ${texts.lookingBack(formatWhole(step))}` }];
  if (viewedStep === 0) return [{ text: invites ? texts.gptInvite : texts.gptSameStart }, ...back];
  const words = [...losses(shown), ...notAtRest([...shares(shown), ...untying(shown)])];
  const heldOut = arms.map((arm) => heldOutAt(arm, viewedStep)?.loss ?? Number.POSITIVE_INFINITY);
  if (bounds !== null && heldOut.every((loss) => loss < bounds.bigram)) {
    words.push({ text: ` ${texts.belowBigram(nats(bounds.bigram))}`, more: true });
  }
  return [...words, ...back];
}
