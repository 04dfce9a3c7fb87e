import { formatNumber } from '../../charts/number-format.js';
import { bytesText, macsText, percentText, secondsText } from './amounts.js';
import type { ComputeCalculatorStrings } from './compute-calculator.strings.js';
import type { BothCounts } from './count-both.js';
import { ratio } from './work-chart.js';

/** The read-out. */

export function readOutSentence({ tied, untied }: BothCounts, texts: ComputeCalculatorStrings): string {
  const { head } = untied.parts;
  const [forward, backward] = [macsText(head.forward), macsText(head.backward)];
  const work =
    head.total === untied.macs.total
      ? texts.headWorkAlone(forward, backward)
      : texts.headWork(forward, backward, percentText(ratio(head.total, untied.macs.total)));
  if (tied === null) return `${work} ${texts.cannotTie}`;
  const saved = untied.bytes.total - tied.bytes.total;
  const memory = texts.savesMemory(
    bytesText(saved),
    bytesText(untied.bytes.total),
    percentText(ratio(saved, untied.bytes.total)),
  );
  return `${work} ${texts.savesNoWork} ${memory}`;
}

export function timeSentence(
  { untied: { seconds } }: BothCounts,
  flopPerSecond: number,
  texts: ComputeCalculatorStrings,
): string {
  if (seconds === null) return '';
  return texts.times(
    `${formatNumber(flopPerSecond / 1e12)}\u00a0${texts.flopUnit}`,
    secondsText(seconds.forward),
    secondsText(seconds.step),
  );
}

export function servingSentence(
  { tied, untied }: BothCounts,
  rates: { readonly flopPerSecond: number; readonly bytesPerSecond: number },
  texts: ComputeCalculatorStrings,
): string {
  const { serving } = tied ?? untied;
  const weights = bytesText(serving.weights);
  if (serving.secondsPerToken === null) return texts.servesNone(weights);
  const readSeconds = Number(serving.readPerToken) / rates.bytesPerSecond;
  const computing = Number(serving.flopPerToken) / rates.flopPerSecond;
  return [
    texts.serving(weights, bytesText(serving.cache), tied === null ? null : bytesText(untied.serving.weights)),
    texts.servingTime(secondsText(serving.secondsPerToken), readSeconds >= computing ? 'reading' : 'computing'),
  ].join(' ');
}
