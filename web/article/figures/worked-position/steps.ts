import { formatNumber } from '../../../charts/number-format.js';
import { hiddenOf, rowOf, width, type Position, type Worked } from './position.js';

/**
 * What happens at each step, in a sentence, and the arithmetic of one word. Words of the vocabulary and letters are between
 * asterisks, for italics.
 */

export const stepNames = ['Look up', 'Add', 'Compare', 'Softmax', 'Subtract', 'Pull'] as const;
export const lastStep = stepNames.length;

export const tenths = (value: number): string => formatNumber(value, { decimals: 1 });
export const hundredths = (value: number): string => formatNumber(value, { decimals: 2 });
export const signed = (value: number): string => formatNumber(value, { decimals: 2, plus: true });
export const thousandths = (value: number): string => formatNumber(value, { decimals: 3 });
export const signedThousandths = (value: number): string => formatNumber(value, { decimals: 3, plus: true });
/** Large sums need no hundredths, which would not fit. */
export const exponential = (value: number): string =>
  value < 1000 ? hundredths(value) : formatNumber(value, { significant: 3 });

/** In brackets after an operator, so that two signs never meet. */
const factor = (text: string): string => (text.startsWith('−') ? `(${text})` : text);

const rowsPulled = (matrix: readonly number[]): number[] =>
  Array.from({ length: matrix.length / width }, (_, row) => row).filter((row) =>
    matrix.slice(row * width, (row + 1) * width).some((element) => element !== 0),
  );

const counts = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];

/** What reading and writing pull at. Zeros, which the reader can enter, have no pull. */
function pulls({ words, read }: Position, { writing, reading }: Worked): string {
  const written = rowsPulled(writing).length;
  const rows = written === words.length ? `all ${counts[written]!} rows` : `${counts[written]!} of the seven rows`;
  const back = rowsPulled(reading).length === 0 ? 'reading at none' : `reading only at the row of *${words[read]!}*`;
  return `Writing pulls at ${rows}, ${back}. One table gets the sum of both.`;
}

/** At most 25 words. */
export function sentenceOf(step: number, position: Position, worked: Worked): string {
  const { words, read, target } = position;
  const { logits, probabilities, loss } = worked;
  switch (step) {
    case 1:
      return `A one-hot vector has its 1 at *${words[read]!}*. Times the table, it gives one row: reading is a lookup.`;
    case 2:
      return 'The layers add a vector to that row. The sum is the hidden state *h*, as wide as a row of the table.';
    case 3: {
      const best = logits.indexOf(Math.max(...logits));
      return `Writing compares *h* with every row of the same table. The dot products are the logits; *${words[best]!}* has the highest, ${hundredths(logits[best]!)}.`;
    }
    case 4:
      return `Exponentials make every logit positive; divided by their sum, they are probabilities. The model gives *${words[target]!}* ${thousandths(probabilities[target]!)}.`;
    case 5:
      return `The text has *${words[target]!}*: its target is 1. The loss is ${thousandths(loss)} nats; its gradient at each logit is *p* − *y*.`;
    default:
      return pulls(position, worked);
  }
}

/** The arithmetic of a step for one word, with the numbers of the moment. */
export function workingOf(step: number, position: Position, worked: Worked, row: number): string {
  const { words, table, layers, read, target } = position;
  const name = `*${words[row]!}*`;
  const { hidden, logits, exponentials, sum, probabilities, wanted, residuals, writing, reading, total } = worked;
  const vector = (matrix: readonly number[]): string =>
    matrix
      .slice(row * width, (row + 1) * width)
      .map(signed)
      .join(', ');
  switch (step) {
    case 1:
      return `1 × row of *${words[read]!}* + 0 × the other ${counts[words.length - 1]!} rows = (${worked.row.map(tenths).join(', ')})`;
    case 2: {
      const sums = rowOf(table, read).map(
        (element, i) =>
          `${tenths(element / 10)} ${layers[i]! < 0 ? '−' : '+'} ${tenths(Math.abs(layers[i]!) / 10)} = ${tenths(hidden[i]!)}`,
      );
      return sums.join(',  ');
    }
    case 3: {
      const products = rowOf(table, row).map(
        (element, i) => `${factor(tenths(element / 10))} × ${factor(tenths(hiddenOf(position)[i]! / 10))}`,
      );
      return `${name}: ${products.join(' + ')} = ${hundredths(logits[row]!)}`;
    }
    case 4:
      return `${name}: exp(${hundredths(logits[row]!)}) ÷ ${exponential(sum)} = ${exponential(exponentials[row]!)} ÷ ${exponential(sum)} = ${thousandths(probabilities[row]!)}`;
    case 5: {
      const difference = `${name}: ${thousandths(probabilities[row]!)} − ${wanted[row]!} = ${signedThousandths(residuals[row]!)}`;
      return row === target
        ? `${difference};  loss: −ln ${thousandths(probabilities[row]!)} = ${thousandths(worked.loss)}`
        : difference;
    }
    default:
      return row === read
        ? `${name}: (${vector(writing)}) + (${vector(reading)}) = (${vector(total)})`
        : `${name}: ${factor(signedThousandths(residuals[row]!))} × *h* = (${vector(writing)})`;
  }
}
