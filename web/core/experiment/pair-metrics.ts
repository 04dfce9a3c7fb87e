/** Metrics of models that read pairs: of their three tables, and of their translations. */
import type { LabTrainer, Matrix, StepColumns, TokenPairs } from '../types.js';
import {
  gradientScales,
  number,
  pairModel,
  record,
  relative,
  type MeasuredPairs,
  type Metric,
  type Options,
} from './metric-kinds.js';

/** Pairs for a gradient, if the measure gives no number. */
const GRADIENT_PAIRS = 256;

const norm = ({ data }: Matrix): number => Math.sqrt(data.reduce((sum, value) => sum + value * value, 0));

function cosine(a: Matrix, b: Matrix): number | null {
  const product = a.data.reduce((sum, value, i) => sum + value * b.data[i]!, 0);
  const lengths = norm(a) * norm(b);
  return lengths === 0 ? null : product / lengths;
}

/** The first held-out pairs, or the first training pairs if none are held out. */
function probeOf({ pairs: { heldOut, training } }: MeasuredPairs, most: number | undefined): TokenPairs {
  const { source, target } = heldOut.source.length === 0 ? training : heldOut;
  return { source: source.slice(0, most), target: target.slice(0, most) };
}

const countIn = ({ pairs }: Options): number | undefined => (pairs === undefined ? undefined : Number(pairs));

/** The parameter whose storage each name uses. */
async function storageOf(trainer: LabTrainer): Promise<(name: string) => string> {
  const tied = new Map((await trainer.parameters()).map((parameter) => [parameter.name, parameter.tiedTo]));
  const root = (name: string): string => {
    const other = tied.get(name) ?? null;
    return other === null ? name : root(other);
  };
  return root;
}

/** Per step: the norm of one role's gradient as a fraction of the sum of all three. */
const shareOf =
  (column: 'encoderGradientNorm' | 'inputGradientNorm' | 'outputGradientNorm') =>
  ({ encoderGradientNorm, inputGradientNorm, outputGradientNorm, ...others }: StepColumns, index: number): number => {
    const norms = { encoderGradientNorm: encoderGradientNorm!, inputGradientNorm, outputGradientNorm, ...others };
    const sum = encoderGradientNorm![index]! + inputGradientNorm[index]! + outputGradientNorm[index]!;
    return norms[column][index]! / sum;
  };

const roleShares: Metric = {
  of: 'step',
  reads: 'pairs',
  values: [
    { part: 'encoder', unit: 'fraction', of: shareOf('encoderGradientNorm') },
    { part: 'input', unit: 'fraction', of: shareOf('inputGradientNorm') },
    { part: 'output', unit: 'fraction', of: shareOf('outputGradientNorm') },
  ],
};

export const PAIR_METRICS = {
  'encoder-gradient-norm': record('encoderGradientNorm', 'gradient norm', 'pairs'),
  'encoder-embedding-drift': record('encoderEmbeddingDrift', 'ratio', 'pairs'),
  'role-shares': roleShares,

  translation: pairModel(['pairs'], async (measured, options) => {
    const { trainer, pairs, signal } = measured;
    const { exactMatch, characterErrorRate } = await trainer.evaluatePairs(probeOf(measured, countIn(options)), signal);
    return [
      number('exactMatch', exactMatch, 'fraction'),
      number('characterErrorRate', characterErrorRate, 'edits per token'),
      number('seen', pairs.seen, 'fraction'),
    ];
  }),
  'role-gradients': pairModel(['pairs'], async (measured, options) => {
    const { trainer } = measured;
    const found = await trainer.gradient(probeOf(measured, countIn(options) ?? GRADIENT_PAIRS));
    const { input, output, total, inputRows, outputRows } = found;
    const [encoder, encoderRows] = [found.encoder!, found.encoderRows!];
    const storage = await storageOf(trainer);
    const isShared = (name: string): boolean => storage(name) === storage('embedding');
    const scale = gradientScales(trainer);
    const [withOutput, withEncoder] = [isShared('unembedding'), isShared('encoder.embedding')];
    let [missed, largest] = [0, 0];
    for (const [i, whole] of total.data.entries()) {
      // Added like the model adds them, in single precision, so the difference is 0, not a rounding error.
      let sum = Math.fround(scale.input * input.data[i]!);
      if (withOutput) sum = Math.fround(sum + Math.fround(scale.output * output.data[i]!));
      if (withEncoder) sum = Math.fround(sum + Math.fround(scale.input * encoder.data[i]!));
      missed = Math.max(missed, Math.abs(whole - sum));
      largest = Math.max(largest, Math.abs(whole));
    }
    const norms = { encoder: norm(encoder), input: norm(input), output: norm(output) };
    const all = norms.encoder + norms.input + norms.output;
    return [
      number('split', relative(missed, largest), 'ratio'),
      ...Object.entries(norms).map(([role, one]) => number(`${role}Share`, one / all, 'fraction')),
      number('encoderInputCosine', cosine(encoder, input), 'cosine'),
      number('encoderOutputCosine', cosine(encoder, output), 'cosine'),
      number('inputOutputCosine', cosine(input, output), 'cosine'),
      number('encoderRows', encoderRows / total.rows, 'fraction'),
      number('inputRows', inputRows / total.rows, 'fraction'),
      number('outputRows', outputRows / total.rows, 'fraction'),
    ];
  }),
} as const satisfies Readonly<Record<string, Metric>>;
