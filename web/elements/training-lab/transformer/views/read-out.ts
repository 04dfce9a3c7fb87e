import { formatNumber, formatWhole } from '../../../../charts/index.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import type { Phrase } from '../../views/read-out.js';
import type { ShareDefinition, TransformerArm } from '../run.js';
import { heldOutAt, largestOutputShare, lossAt, outputShareAt } from '../readings.js';

export interface TransformerReadOutOptions {
  texts: TrainingLabStrings;
  arms: readonly TransformerArm[];
  bounds: { readonly bigram: number };
  definition: ShareDefinition;
  /** Of the run; the newest. */
  step: number;
  viewedStep: number;
  viewsNewest: boolean;
  /** Of the run: what is told of it is told of no other. */
  seed: number;
}

const nats = (value: number): string => formatNumber(value, { decimals: 2 });
const percent = (share: number): string => formatNumber(100 * share, { decimals: 0 });

/** A share of more than this many hundredths above the present one was another time. */
const worthNaming = 0.02;

function losses({ texts, arms, viewedStep, seed }: TransformerReadOutOptions): Phrase[] {
  const [first, second] = arms;
  if (first === undefined || second === undefined) return [];
  const [one, two] = [lossAt(first, viewedStep), lossAt(second, viewedStep)];
  if (one === null || two === null) return [];
  const after = viewedStep === 1 ? texts.afterOne : texts.after(formatWhole(viewedStep));
  const words: Phrase[] = [
    { text: `${after} ` },
    ...texts.gptAverages(
      { text: texts.kindNames[first.kind], tying: first.kind },
      nats(one),
      { text: texts.kindNames[second.kind], tying: second.kind },
      nats(two),
    ),
  ];
  const [held, heldSecond] = [heldOutAt(first, viewedStep), heldOutAt(second, viewedStep)];
  if (held !== null && heldSecond !== null && held.step > 0) {
    const step = held.step === viewedStep ? null : formatWhole(held.step);
    words.push({ text: texts.gptHeldOut(nats(held.loss), nats(heldSecond.loss), step) });
  }
  return [...words, { text: `. ${texts.gptOneRun(String(seed))} ` }];
}

function shares({ texts, arms, definition, viewedStep }: TransformerReadOutOptions): Phrase[] {
  const [first, second] = arms;
  if (first === undefined || second === undefined) return [];
  const share = outputShareAt(first, definition, viewedStep);
  const other = outputShareAt(second, definition, viewedStep);
  if (share === null || other === null) return [];
  const words: Phrase[] = [
    ...texts.shareAt(
      formatWhole(viewedStep),
      { text: `${percent(share)}%`, role: 'output' },
      { text: texts.kindNames[first.kind], tying: first.kind },
    ),
    ...texts.shareOther(percent(other), { text: texts.kindNames[second.kind], tying: second.kind }),
  ];
  const largest = largestOutputShare(first, definition, viewedStep);
  if (largest !== null && largest.share - share > worthNaming) {
    words.push({ text: texts.sharePeak(formatWhole(largest.step), percent(largest.share)) });
  }
  return [...words, { text: '.' }];
}

/** Where both models are, who moves the table, and whether they use more than the current token. */
export function transformerReadOut(options: TransformerReadOutOptions): Phrase[] {
  const { texts, arms, bounds, step, viewedStep, viewsNewest } = options;
  if (viewedStep === 0) return [{ text: texts.gptInvite }];
  const words = [...losses(options), ...shares(options)];
  const heldOut = arms.map((arm) => heldOutAt(arm, viewedStep)?.loss ?? Number.POSITIVE_INFINITY);
  if (heldOut.every((loss) => loss < bounds.bigram)) {
    words.push({ text: ` ${texts.belowBigram(nats(bounds.bigram))}` });
  }
  if (!viewsNewest) words.push({ text: ` ${texts.lookingBack(formatWhole(step))}` });
  return words;
}
