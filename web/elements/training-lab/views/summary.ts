import { formatNumber, formatWhole } from '../../../charts/index.js';
import type { Arm, PairValue } from '../direct-path-run.js';
import type { Shown } from './shown.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import { drawnLoss, smoothingWindow } from './curves.js';
import type { Phrase } from './phrase.js';

/** Three decimals: differences between models, and between seeds, are of that order. */
const nats = (value: number): string => formatNumber(value, { decimals: 3 });

/** How often a token follows another; small percentages have one significant digit, so none rounds to zero. */
function follows(texts: TrainingLabStrings, next: string, token: string, share: number): string {
  if (share === 0) return texts.neverFollows(next, token);
  const percent = share * 100;
  const shown = formatNumber(percent, { significant: percent < 1 ? 1 : percent < 10 ? 2 : 3 });
  return texts.follows(next, token, shown);
}

export function pairInText(texts: TrainingLabStrings, from: string, to: string, value: PairValue): Phrase[] {
  const [forward, backward] = [follows(texts, to, from, value.forward), follows(texts, from, to, value.backward)];
  return [{ text: texts.pairInText(forward, backward) }];
}

/** The loss in sentences: over the whole text if it was measured at this step, otherwise the drawn one. */
export function spokenLoss(arm: Arm, step: number, batches: boolean): { loss: number; exact: boolean } | null {
  if (arm.measured?.step === step) return { loss: arm.measured.loss, exact: true };
  const loss = drawnLoss(arm, step, batches);
  return loss === null ? null : { loss, exact: !batches };
}

/**
 * How far each model is above the bigram floor. With the rest of the figure: how much of that no symmetric model can avoid and, for
 * a complete run, the cause of what remains.
 */
export function standing(
  shown: Omit<Shown, 'look' | 'onLook' | 'onView' | 'first' | 'stops' | 'everyStep' | 'snapshot' | 'finished'>,
  { isWhole, vocabSize }: { isWhole: boolean; vocabSize: number },
): Phrase[] {
  const { texts, arms, bounds, viewedStep, viewsNewest, batches } = shown;
  const { dModel } = shown.settings;
  const words: Phrase[] = [
    {
      text: viewedStep === 0 ? texts.atStart : viewedStep === 1 ? texts.afterOne : texts.after(formatWhole(viewedStep)),
    },
  ];
  const unavoidable = bounds.symmetricLogits - bounds.bigram;
  const more: string[] = [];
  let anyRecent = false;
  let named = 0;
  for (const arm of arms) {
    const spoken = spokenLoss(arm, viewedStep, batches);
    if (spoken === null || !Number.isFinite(spoken.loss)) continue;
    anyRecent ||= !spoken.exact;
    const excess = spoken.loss - bounds.bigram;
    words.push(named === 1 ? { text: '; ', endsLine: true } : { text: named === 0 ? ' ' : '; ' });
    words.push({
      text:
        named === 0
          ? texts.above(texts.armNames[arm.kind], nats(excess))
          : texts.aboveShort(texts.arms[arm.kind], nats(excess)),
      tying: arm.kind,
    });
    named += 1;
    // Of the four models, only W_E W_Eᵀ is symmetric; differences below half a thousandth are not mentioned.
    if (arm.kind !== 'tied' || !spoken.exact || unavoidable < 0.0005 || excess < unavoidable) continue;
    more.push(texts.unavoidable(nats(unavoidable)));
    const gram = excess - unavoidable;
    if (!isWhole || !viewsNewest || gram < 0.0005) continue;
    more.push(
      dModel < vocabSize ? texts.gramAndRankPrice(nats(gram), formatWhole(dModel)) : texts.gramPrice(nats(gram)),
    );
  }
  words.push({ text: '.' });
  if (!viewsNewest) more.push(texts.lookingBack(formatWhole(shown.step)));
  if (anyRecent) more.unshift(texts.recently(String((smoothingWindow - 1) / 2)));
  words.push(...more.map((text): Phrase => ({ text: ` ${text}`, more: true })));
  return words;
}
