/** The verbs of direct paths: what they check, and how they read their answers. */
import { SYMMETRY } from '../generated/records.js';
import { sizedBy } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import type { DirectPathFactors, Matrix, Symmetry, SymmetryOptions } from '../types.js';
import { checkInteger, checkMatrix, checkNotNegative, checkOptions } from '../runtime/validate.js';
import { exponentOf, powerOfTwo, square } from '../runtime/elementary.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';

/** Upper limit of `options.worst`. */
const MAX_SYMMETRY_PAIRS = 10_000;

export function checkFactors(factors: DirectPathFactors): DirectPathFactors {
  const given = checkOptions('factors', factors, ['embedding', 'unembedding', 'between']);
  const embedding = checkMatrix('embedding', given.embedding);
  const { rows, cols } = embedding;
  const checked: DirectPathFactors = { embedding };
  if (given.unembedding !== undefined)
    checked.unembedding = checkMatrix('unembedding', given.unembedding, { rows, cols });
  if (given.between !== undefined) checked.between = checkMatrix('between', given.between, { rows: cols, cols });
  return checked;
}

export function checkSymmetryOptions(options: SymmetryOptions, name = 'options'): Required<SymmetryOptions> {
  const { tolerance = 0, worst = 0 } = checkOptions(name, options, ['tolerance', 'worst']);
  return {
    tolerance: checkNotNegative(`${name}.tolerance`, tolerance),
    worst: checkInteger(`${name}.worst`, worst, 0, MAX_SYMMETRY_PAIRS),
  };
}

/** From checked factors. */
export function directPath(
  analysis: Runtime<AnalysisModule>,
  { embedding, unembedding, between }: DirectPathFactors,
): Matrix {
  const { rows, cols } = embedding;
  return analysis.call(
    [embedding.data, unembedding?.data, between?.data],
    (module, [e, u, m]) => module.directPath(e!, u!, m!, rows, cols),
    (answer) => ({ rows, cols: rows, data: answer.read('floats') }),
    sizedBy('embedding'),
  );
}

/** From a checked square matrix. */
export function symmetry(
  analysis: Runtime<AnalysisModule>,
  { rows, data }: Matrix,
  { tolerance, worst }: Required<SymmetryOptions>,
): Symmetry {
  return analysis.call(
    [data],
    (module, [address]) => module.symmetry(address!, rows, tolerance, worst),
    (answer) => answer.read(SYMMETRY),
    sizedBy('square'),
  );
}

export function solveUnembedding(
  analysis: Runtime<AnalysisModule>,
  options: { embedding: Matrix; target: Matrix },
): Matrix {
  const given = checkOptions('options', options, ['embedding', 'target']);
  const { rows, cols, data: embedding } = checkMatrix('options.embedding', given.embedding);
  const { data: target } = checkMatrix('options.target', given.target, { rows, cols: rows });
  return analysis.call(
    [embedding, target],
    (module, [e, t]) => module.solveUnembedding(e!, t!, rows, cols),
    (answer) => ({ rows, cols, data: answer.read('floats') }),
    { ...sizedBy('options.target'), embedding: 'options.embedding', target: 'options.target' },
  );
}

/** The symmetry of a direct path, from checked factors. */
export function directPathSymmetry(
  analysis: Runtime<AnalysisModule>,
  { embedding, unembedding, between }: DirectPathFactors,
  { tolerance = 0, worst = 0 }: SymmetryOptions = {},
): Symmetry {
  const { rows, cols } = embedding;
  // The parts of the product are found as differences of sums over both tables, so rounding is that of the larger one.
  const scale = between === undefined && unembedding !== undefined ? scaleFor(embedding.data, unembedding.data) : 1;
  const written = scale === 1 ? unembedding?.data : unembedding!.data.map((value) => value * scale);
  const found = analysis.call(
    [embedding.data, written, between?.data],
    (module, [e, u, m]) => module.directPathSymmetry(e!, u!, m!, rows, cols, tolerance * scale, worst),
    (answer) => answer.read(SYMMETRY),
    sizedBy('embedding'),
  );
  const isZero = [embedding, unembedding, between].some((factor) => factor?.data.every((value) => value === 0));
  return isZero ? zeroLike(found) : scale === 1 ? found : times(found, 1 / scale);
}

/** A power of two that brings the two to about the same length, if they are far apart: exact, and undone exactly. */
function scaleFor(one: Float32Array, other: Float32Array): number {
  const [length, target] = [rootMeanSquare(other), rootMeanSquare(one)];
  const ratio = target / length;
  if (!(ratio > FAR || ratio < 1 / FAR) || !(length > 0 && target > 0) || !Number.isFinite(ratio)) return 1;
  return powerOfTwo(exponentOf(ratio));
}

const FAR = 1024;

function rootMeanSquare(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += square(value);
  return Math.sqrt(sum / values.length);
}

/** A product with a factor of zeros, without what rounding left of it. */
const zeroLike = ({ maxDifference, worst }: Symmetry): Symmetry => ({
  ...{ symmetric: true, maxDifference: maxDifference === null ? null : 0, asymmetry: 0 },
  ...{ norm: 0, symmetricNorm: 0, skewNorm: 0 },
  worst: worst.map(({ row, col }) => ({ row, col, forward: 0, backward: 0 })),
});

const times = (found: Symmetry, factor: number): Symmetry => ({
  ...found,
  maxDifference: found.maxDifference === null ? null : factor * found.maxDifference,
  ...{ norm: factor * found.norm, symmetricNorm: factor * found.symmetricNorm, skewNorm: factor * found.skewNorm },
  worst: found.worst.map((pair) => ({ ...pair, forward: factor * pair.forward, backward: factor * pair.backward })),
});
