// The goals of the core, one row each.
import { isPeer } from './peers-of.mjs';

const inChromium = (name) => (one) => one.host === 'Chromium' && one.name === name;
const baseline = { label: 'baseline', is: inChromium('ours, baseline') };
const relaxed = { label: 'relaxed', is: inChromium('ours, relaxed') };
const baselineInNode = { label: 'baseline', is: (one) => one.host === 'Node' && one.name === 'ours, baseline' };
/** A package from before a model could have several workers. */
const before = { label: 'the build before', is: inChromium('ours, before') };
const browserPeer = { label: 'best peer in the browser', is: (one) => one.host === 'Chromium' && isPeer(one) };
const pytorch = { label: 'native PyTorch', is: (one) => one.host === 'Python' && one.name.startsWith('PyTorch') };
const lapack = { label: 'native LAPACK', is: (one) => one.host === 'Python' && one.name.startsWith('numpy') };

const square = ['256x256x256', '512x512x512', '1024x1024x1024'].map((sizes) => `product/${sizes}/nn`);
const logits = 'product/512x128x8192/nt/logits';
const languageModel = [logits, 'product/512x8192x128/nn/into-hidden', 'product/8192x512x128/tn/into-embedding'];

// Results of native PyTorch with OpenBLAS 0.3.21 on the machine where the goals were set, and its multiply-add limit.
// Used, in proportion to the limit, if this machine has no PyTorch with an optimized BLAS.
const recordedLimit = 46.1e9;
const recordedPyTorch = (itemsPerSecond) => ({ itemsPerSecond, limit: recordedLimit });

const oneModel = (...names) => names.map((name) => `one-model/${name}`);
const isolatedModel = (...names) => names.map((name) => `one-model/isolated/${name}`);

/** @returns {import('./goal.d.ts').Goal} */
const share = (what, of, cases, atLeast) => ({ kind: 'share', what, of, cases, atLeast });
/** @returns {import('./goal.d.ts').Goal} */
const speed = (what, of, cases, against, atLeast, recorded) => ({
  kind: 'speed',
  what,
  of,
  cases,
  against,
  atLeast,
  recorded,
});
/** @returns {import('./goal.d.ts').Goal[]} */
const train = (name, what, { baseline: ofBaseline, relaxed: ofRelaxed, peer, recorded }) => [
  speed(what, baseline, [`train/${name}`], pytorch, ofBaseline, recordedPyTorch(recorded)),
  speed(what, relaxed, [`train/${name}`], pytorch, ofRelaxed, recordedPyTorch(recorded)),
  speed(what, relaxed, [`train/${name}`], browserPeer, peer),
];

/**
 * Kinds: `share` of the limit; `speed` as a multiple of the fastest of `against`, in the same case or in `againstCase`;
 * `seconds` of a call, minus those of `over`; `rate` of items per second; `fact`, a measured value other than a time;
 * `figure`, a value that needs no run. Of several cases the worst counts.
 * @type {import('./goal.d.ts').Goal[]}
 */
export const goals = [
  share('products, 256 to 1024', baseline, square, 0.92),
  share('products, 256 to 1024', relaxed, square, 0.92),
  speed('products, 256 to 1024', relaxed, square, browserPeer, 1.3),
  share('products of language models', baseline, languageModel, 0.88),
  share('products of language models', relaxed, languageModel, 0.88),
  speed('product of logits', relaxed, [logits], browserPeer, 1.45),
  share('product, 64', baseline, ['product/64x64x64/nn'], 0.82),
  share('product, 64', relaxed, ['product/64x64x64/nn'], 0.82),
  ...train('A', 'train A: V 65, d 64', { baseline: 0.6, relaxed: 0.8, peer: 3.5, recorded: 31036 }),
  ...train('B', 'train B: V 4096, d 128', { baseline: 0.5, relaxed: 0.7, peer: 2.8, recorded: 7663 }),
  share('train pairs: encoder-decoder, d 64', baseline, ['train/pairs'], 0.7),
  ...train('C', 'train C: direct path, V 2000', { baseline: 0.65, relaxed: 0.9, peer: 3.5, recorded: 73895 }),
  {
    ...speed('a step with 1,024 sampled tokens, V 50,257, d 64', baseline, ['head/sampled/untied'], baseline, 5),
    againstCase: 'head/full/untied',
    againstWhat: 'the same with the full softmax',
  },
  ...[256, 512].map((size) =>
    speed(`singular values and vectors, ${size}`, baseline, [`decompose/svd/${size}`], lapack, 1 / 1.3),
  ),
  {
    ...speed("orthogonal factor, 512, against LAPACK's SVD", baseline, ['decompose/polar/512'], lapack, 1),
    againstCase: 'decompose/svd/512',
  },
  {
    ...speed('symmetry from factors, V 50,257, d 768', baseline, ['symmetry/factors/50257x768'], baseline, 0.8),
    againstCase: 'symmetry/products-in-float/50257x768',
    againstWhat: 'its products alone, in float',
  },
  {
    ...speed('symmetry from factors, V 50,257, d 768', baseline, ['symmetry/factors/50257x768'], baseline, 0.8),
    againstCase: 'symmetry/products/50257x768',
    againstWhat: 'its products alone, in double as here',
  },
  ...['orthogonal', 'linear'].map((method) => ({
    ...speed(`${method} alignment, V 50,257, d 768`, baseline, [`diagnose/align/${method}/50257x768`], baseline, 0.7),
    againstCase: `diagnose/products/${method}/50257x768`,
    againstWhat: 'its products alone, in float',
  })),
  ...['spectrum', 'isotropy'].map((verb) => ({
    ...speed(`${verb}, V 50,257, d 768`, baseline, [`diagnose/${verb}/50257x768`], baseline, 0.7),
    againstCase: `diagnose/products/${verb}/50257x768`,
    againstWhat: 'its products alone',
  })),
  ...['logit-lens', 'tuned-lens', 'ledger'].map((verb) => ({
    ...speed(`${verb.replace('-', ' ')}, V 50,257, d 768`, baseline, [`readout/${verb}/50257x768`], baseline, 0.7),
    againstCase: `readout/products/${verb}/50257x768`,
    againstWhat: 'its products alone',
  })),
  ...[
    ...['F16', 'BF16', 'F8_E4M3', 'F8_E5M2', 'F8_E4M3FNUZ', 'F8_E5M2FNUZ', 'Q8_0', 'Q6_K', 'Q5_K', 'Q4_K', 'Q4_0'],
    ...['Q4_1', 'Q5_0', 'Q5_1', 'Q2_K', 'Q3_K', 'IQ4_NL', 'IQ4_XS', 'MXFP4', 'NVFP4', 'TQ1_0', 'TQ2_0', 'Q1_0', 'Q2_0'],
    ...['IQ2_XXS', 'IQ2_XS', 'IQ2_S', 'IQ3_XXS', 'IQ3_S', 'IQ1_S', 'IQ1_M'],
    ...['affine_2', 'affine_3', 'affine_4', 'affine_5', 'affine_6', 'affine_8', 'scaled_E2M1', 'scaled_E4M3'],
  ].map((type) => ({
    ...speed(`elements of ${type} as floats`, baseline, [`checkpoint/decode/${type}`], baseline, 0.5),
    againstCase: 'checkpoint/copy',
    againstWhat: 'copying as many floats',
  })),
  ...[
    ['tied/151936x896', 'sums over a table, V 151,936, d 896'],
    ['untied/50257x768', 'sums over two tables, V 50,257, d 768'],
  ].map(([size, what]) => ({
    ...speed(what, baseline, [`checkpoint/moments/${size}`], baseline, 0.6),
    againstCase: `checkpoint/products-in-float/${size}`,
    againstWhat: 'their products alone, in float',
  })),
  {
    kind: 'fact',
    what: 'sums over a table, V 151,936, d 896, memory',
    of: baseline,
    cases: ['memory/moments/tied/151936x896'],
    fact: 'megabytes beside the tables',
    unit: 'MB',
    atMost: 600,
  },
  ...[
    ['tied/151936x896', 'V 151,936, d 896'],
    ['untied/50257x768', 'V 50,257, d 768, two tables'],
  ].flatMap(([file, size]) => [
    ...[
      ['in two workers', 'card'],
      ['in one worker', 'card/one-worker'],
    ].map(([how, name]) => ({
      ...speed(`identity card, ${size}, ${how}`, baseline, [`${name}/${file}`], baseline, 0.6),
      againstCase: `card/products-in-float/${file}`,
      againstWhat: 'its products alone, in float, on one core',
    })),
    /** @type {import('./goal.d.ts').Goal} */ ({
      kind: 'fact',
      what: `identity card, ${size}, memory`,
      of: baseline,
      cases: [`card/${file}`],
      fact: 'megabytes beside the file',
      unit: 'MB',
      atMost: 600,
    }),
    /** @type {import('./goal.d.ts').Goal} */ ({
      kind: 'fact',
      what: `identity card, ${size}, longest task of the page`,
      of: baseline,
      cases: [`card/${file}`],
      fact: 'longest task, milliseconds',
      unit: 'ms',
      atMost: 50,
    }),
    /** @type {import('./goal.d.ts').Goal} */ ({
      kind: 'seconds',
      what: `identity card, ${size}, until it is cancelled`,
      of: baseline,
      cases: [`card/cancel/${file}`],
      atMost: 0.1,
    }),
  ]),
  {
    kind: 'fact',
    what: 'symmetry from factors, memory',
    of: baseline,
    cases: ['symmetry/factors/50257x768'],
    fact: 'bytes of tables',
    unit: 'x',
    atMost: 2,
  },
  { kind: 'figure', what: 'core with glue, gzip', figure: 'core.wasm and glue', unit: 'KB', atMost: 60 },
  {
    kind: 'figure',
    what: 'core and analysis with glue, gzip',
    figure: 'core.wasm, analysis.wasm and glue',
    unit: 'KB',
    atMost: 110,
  },
  {
    kind: 'seconds',
    what: 'cold start to the first step, C',
    of: baseline,
    cases: ['cold/C'],
    over: 'cold/empty',
    atMost: 0.1,
  },
  {
    kind: 'seconds',
    what: 'cold start to the first step, A',
    of: baseline,
    cases: ['cold/A'],
    over: 'cold/empty',
    atMost: 0.15,
  },
  {
    kind: 'seconds',
    what: 'until more than 99% of words of 8 letters are reversed, with 1, 2 and 3 tables',
    of: baseline,
    cases: ['1-table', '2-tables', '3-tables'].map((name) => `learn/reversal/${name}`),
    atMost: 120,
  },
  {
    ...speed('two models in two workers', baseline, ['arms/together'], baseline, 1.8),
    againstCase: 'arms/in-turn',
    againstWhat: 'one after the other',
  },
  speed('one model on two cores', baseline, oneModel('laboratory', 'A', 'B'), before, 1.8),
  speed('one model on two cores, isolated page', baseline, isolatedModel('laboratory', 'A', 'B'), before, 1.9),
  speed('A on two cores, isolated page', baseline, isolatedModel('A'), browserPeer, 3),
  speed('B and C on two cores, isolated page', baseline, isolatedModel('B', 'C'), browserPeer, 2.5),
  {
    kind: 'seconds',
    what: 'all diagnostics of the default pair, all held-out predictions',
    of: baseline,
    cases: ['pair/diagnostics/all'],
    atMost: 30,
  },
  {
    kind: 'seconds',
    what: 'all diagnostics of the default pair, 10,240 held-out predictions',
    of: baseline,
    cases: ['pair/diagnostics'],
    atMost: 30,
  },
  {
    ...speed('jobs of an experiment, two at a time', baselineInNode, ['experiment/jobs-2'], baselineInNode, 1.9),
    againstCase: 'experiment/jobs-1',
    againstWhat: 'one after the other',
  },
  {
    kind: 'fact',
    what: 'a job of one step, with its share of the startup time',
    of: baselineInNode,
    cases: ['experiment/little-jobs'],
    fact: 'milliseconds per job',
    unit: 'ms',
    atMost: 150,
  },
  {
    kind: 'seconds',
    what: '10,000 jobs expanded',
    of: baselineInNode,
    cases: ['experiment/expand/10000'],
    atMost: 5,
  },
  {
    kind: 'seconds',
    what: '10,000 results collected',
    of: baselineInNode,
    cases: ['experiment/collect/10000'],
    atMost: 15,
  },
  {
    kind: 'fact',
    what: '10,000 jobs expanded, results collected, memory',
    of: baselineInNode,
    cases: ['experiment/expand/10000', 'experiment/collect/10000'],
    fact: 'megabytes',
    unit: 'MB',
    atMost: 500,
  },
  {
    kind: 'fact',
    what: 'training V 50,257 at d 64, memory',
    of: baseline,
    cases: ['memory/train/50257x64', 'memory/train/50257x64/direct-path'],
    fact: 'megabytes',
    unit: 'MB',
    atMost: 400,
  },
  {
    kind: 'fact',
    what: 'alignments, spectrum and isotropy, V 50,257, d 768, memory',
    of: baseline,
    cases: ['align/orthogonal', 'align/linear', 'spectrum', 'isotropy'].map((name) => `memory/${name}/50257x768`),
    fact: 'megabytes beside the tables',
    unit: 'MB',
    atMost: 1000,
  },
  {
    kind: 'seconds',
    what: 'byte pairs, 4,096 tokens from 10 MB',
    of: baseline,
    cases: ['text/train/10MB'],
    atMost: 10,
  },
  { kind: 'rate', what: 'encoding', of: baseline, cases: ['text/encode/10MB'], unit: 'MB/s', per: 1e6, atLeast: 5 },
];
