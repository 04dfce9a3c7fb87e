import { decimal, type Place } from './drawings.js';
import type { Moment } from './train.js';

function readInWords(backward: number): string {
  if (backward === 0) return 'All read forward';
  if (backward === 1) return 'All read backward';
  if (backward === 0.5) return 'Half read each way';
  const percent = 100 * backward;
  return `${Number.isInteger(percent) ? percent : percent.toFixed(1)}% read backward`;
}

export function costSentence({ backward, symmetric, bigram }: Place): string {
  const price = symmetric - bigram;
  return `${readInWords(backward)}: symmetry costs ${price < 1e-9 ? 'nothing' : `${price.toFixed(3)} nats`}.`;
}

/** In the place of what a run will show. */
export const trainingPlan =
  'Five with one table and five with two, which read none, a quarter, half, three quarters or all of the pairs backward.';

/** What a finished run has shown. */
export const trainedSentence = ({ tied, untied }: Moment): string =>
  `The five shared tables moved by up to ${tied.moved.toFixed(1)}, yet agree to within ${decimal(roundedUp(tied.spread))}. With two tables, models differ by up to ${untied.spread.toFixed(1)}.`;

/** To one digit, never less than it is. */
function roundedUp(value: number): number {
  if (value === 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.ceil(value / unit) * unit;
}
