import { describe } from 'vitest';
import { any, SQUARE, testRefusals, withEntry, type Refusal } from './refusals.js';
import { EXPLORER, matrixOf } from './support.js';

const REFUSALS: Refusal[] = [
  [
    'no factors',
    ({ core }) => core.directPath(any(undefined)),
    'invalid-argument',
    /^factors is undefined; expected an object with embedding/,
  ],
  [
    'an unknown factor',
    ({ core }) => core.directPath(any({ embeding: EXPLORER })),
    'invalid-argument',
    /^factors\.embeding is not an option; expected 'embedding'/,
  ],
  [
    'plain numbers for a matrix',
    ({ core }) => core.directPath({ embedding: any([[1, 2]]) }),
    'invalid-argument',
    /^embedding is an array of 1; expected a matrix \{ rows, cols, data: Float32Array \}$/,
  ],
  [
    'an array of another kind',
    ({ core }) => core.directPath({ embedding: { ...EXPLORER, data: any(new Float64Array(6)) } }),
    'invalid-argument',
    /^embedding\.data is a Float64Array of 6; expected a Float32Array$/,
  ],
  [
    'a wrong length',
    ({ core }) => core.directPath({ embedding: { ...EXPLORER, rows: 4 } }),
    'shape-mismatch',
    /^embedding\.data is a Float32Array of 6; expected rows \* cols = 8 elements$/,
  ],
  [
    'no rows',
    ({ core }) => core.directPath({ embedding: { rows: 0, cols: 2, data: new Float32Array(0) } }),
    'invalid-argument',
    /^embedding\.rows is 0; expected an integer from 1 to 4294967295$/,
  ],
  [
    'a fractional size',
    ({ core }) => core.directPath({ embedding: { ...EXPLORER, cols: 1.5 } }),
    'invalid-argument',
    /^embedding\.cols is 1\.5; expected an integer/,
  ],
  [
    'an unembedding of another shape',
    ({ core }) => core.directPath({ embedding: EXPLORER, unembedding: SQUARE }),
    'shape-mismatch',
    /^unembedding is 2 x 2; expected 3 x 2$/,
  ],
  [
    'a matrix between of another shape',
    ({ core }) => core.directPath({ embedding: EXPLORER, between: EXPLORER }),
    'shape-mismatch',
    /^between is 3 x 2; expected 2 x 2$/,
  ],
  [
    'NaN in a factor',
    ({ core }) => core.directPath({ embedding: withEntry(EXPLORER, 3, NaN) }),
    'not-finite',
    /^embedding\[1, 1\] is NaN; expected /,
  ],
  [
    'a direct path that fits nowhere',
    ({ core }) => core.directPath({ embedding: { rows: 40_000, cols: 1, data: new Float32Array(40_000) } }),
    'out-of-memory',
    /is 40000; expected /,
  ],
  [
    'symmetry of what is not square',
    ({ core }) => core.symmetry(EXPLORER),
    'shape-mismatch',
    /^square is 3 x 2; expected as many rows as columns$/,
  ],
  [
    'infinity in a square',
    ({ core }) => core.symmetry(withEntry(SQUARE, 2, Infinity)),
    'not-finite',
    /^square\[1, 0\] is Infinity; expected /,
  ],
  [
    'a negative tolerance',
    ({ core }) => core.symmetry(SQUARE, { tolerance: -1 }),
    'invalid-argument',
    /^options\.tolerance is -1; expected a number of at least 0$/,
  ],
  [
    'a tolerance of NaN',
    ({ core }) => core.symmetry(SQUARE, { tolerance: NaN }),
    'not-finite',
    /^options\.tolerance is NaN; expected/,
  ],
  [
    'half a pair',
    ({ core }) => core.symmetry(SQUARE, { worst: 0.5 }),
    'invalid-argument',
    /^options\.worst is 0\.5; expected an integer/,
  ],
  [
    'an unknown option',
    ({ core }) => core.symmetry(SQUARE, any({ tolerence: 1 })),
    'invalid-argument',
    /^options\.tolerence is not an option; expected 'tolerance'/,
  ],
  [
    'infinite weights from factors',
    ({ core }) => core.directPathSymmetry({ embedding: withEntry(EXPLORER, 0, -Infinity) }),
    'not-finite',
    /^embedding\[0, 0\] is -Infinity; expected /,
  ],
  [
    'a target of another size',
    ({ core }) => core.solveUnembedding({ embedding: EXPLORER, target: SQUARE }),
    'shape-mismatch',
    /^options\.target is 2 x 2; expected 3 x 3$/,
  ],
  [
    'a width of zero',
    ({ core }) => core.fitBounds(SQUARE, 0),
    'invalid-argument',
    /^dModel is 0; expected an integer from 1 to 4294967295$/,
  ],
  [
    'a width that is text',
    ({ core }) => core.fitBounds(SQUARE, any('2')),
    'invalid-argument',
    /^dModel is '2'; expected an integer/,
  ],
  [
    'negative counts',
    ({ core }) => core.bigramBounds(withEntry(SQUARE, 1, -2)),
    'invalid-argument',
    /^counts\[0, 1\] is -2; expected /,
  ],
  [
    'fractional counts',
    ({ core }) => core.bigramBounds(withEntry(SQUARE, 1, 0.5)),
    'invalid-argument',
    /^counts\[0, 1\] is 0\.5; expected /,
  ],
  [
    'counts of nothing',
    ({ core }) => core.bigramBounds({ ...SQUARE, data: new Float32Array(4) }),
    'invalid-argument',
    /^counts .* expected /,
  ],
  [
    'a vocabulary of one',
    ({ core }) => core.bigramBounds(matrixOf([[5]])),
    'shape-mismatch',
    /^counts\.rows is 1; expected at least 2 rows$/,
  ],
  [
    'rows that are not probabilities',
    ({ core }) => core.markovBounds(SQUARE),
    'invalid-argument',
    /transition.* is 3; expected /,
  ],
  [
    'bounds of a chain of one state',
    ({ core }) => core.markovBounds(matrixOf([[1]])),
    'shape-mismatch',
    /^transition\.rows is 1; expected at least 2 rows$/,
  ],
  [
    'a target with NaN',
    ({ core }) => core.solveUnembedding({ embedding: SQUARE, target: withEntry(SQUARE, 1, NaN) }),
    'not-finite',
    /^options\.target\[0, 1\] is NaN; expected /,
  ],
];

describe('the direct path and its measures refuse', () => testRefusals(REFUSALS));
