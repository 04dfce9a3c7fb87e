/** Experiments with one invalid field each. */
import { METRICS } from '../../../web/core/experiment/metrics.js';
import { paths, transformers, translators } from './specs.js';

/** A copy of the experiment with a value at a path; undefined removes the field. */
export function changed(place: string, value: unknown, of: object = paths): unknown {
  const spec = structuredClone(of) as unknown as Record<string, unknown>;
  const names = place.split('/');
  const last = names.pop()!;
  const owner = names.reduce((at, name) => at[name] as Record<string, unknown>, spec);
  if (value === undefined) Reflect.deleteProperty(owner, last);
  else owner[last] = value;
  return spec;
}

/** Values that cannot be part of an experiment. */
export const nothing = [null, true, 1, 'x', [], () => 1, new Map(), Number.NaN];

/** Invalid values at a path of an experiment, and what the refusal names. */
const badSpecs: [place: string, values: unknown[], named: string][] = [
  ['name', [undefined, null, '', 'a b', '../x', 7, 'x'.repeat(101), '\ud800'], 'spec.name'],
  // Values that no file can contain.
  ['measure/3/method', [1n, Symbol('x'), () => 1, [1n]], 'spec.measure[3].method'],
  ['training/learningRate', [1n, Symbol('x'), () => 1, [1n], { a: 1n }], 'spec.training.learningRate'],
  ['model/tying', [1n, { untieAtStep: 1n }, new Map()], 'spec.model.tying'],
  ['grid', [{ 'training.learningRate': [1n] }], "spec.grid['training.learningRate'][0] is 1n"],
  ['nmae', [1], "spec.nmae is not an option; expected 'name'"],
  ['text', [undefined, ...nothing, {}, { string: 'a', file: 'b' }, { words: 'a' }], 'spec.text'],
  ['text/string', [null, 1, ['a']], 'spec.text.string'],
  ['text', [{ file: 1 }], 'spec.text.file'],
  ['text', [{ stories: { seed: 1 } }, { stories: { seed: 1, length: 0 } }], 'spec.text.stories.length'],
  ['text', [{ stories: { seed: -1, length: 9 } }], 'spec.text.stories.seed'],
  ['text', [{ markov: { states: 6, length: 100, seed: 1 } }], 'spec.tokenizer is an object; expected it to be absent'],
  ['then', [null, 1, 'stories'], 'spec.then is'],
  ['then', [{ afterSteps: 30 }, { text: { words: 1 }, afterSteps: 30 }], 'spec.then.text'],
  ['then', [{ text: { file: 1 }, afterSteps: 30 }], 'spec.then.text.file'],
  [
    'then',
    [{ text: { markov: { states: 6, length: 100, seed: 1 } }, afterSteps: 30 }],
    'spec.then.text is an object; expected a text, as spec.text is',
  ],
  [
    'then',
    [undefined, 0, 60, 1.5, '30'].map((afterSteps) => ({ text: { string: 'a b' }, afterSteps })),
    'spec.then.afterSteps',
  ],
  [
    'then',
    ['seed', 'batchSize', 'steps'].map((name) => ({ text: { string: 'a b' }, afterSteps: 1, training: { [name]: 2 } })),
    'spec.then.training.',
  ],
  ['then', [{ text: { string: 'a b' }, afterSteps: 1, training: { learningRate: -1 } }], 'training.learningRate is -1'],
  ['measure/0/on', ['second'], 'spec.measure[0].on is not an option'],
  ['tokenizer', [null, 'word', 3, []], 'spec.tokenizer'],
  ['tokenizer/kind', [undefined, 'words', 1], 'spec.tokenizer.kind'],
  ['tokenizer/vocabSize', [0, -1, 1.5, '9', Number.NaN], 'spec.tokenizer.vocabSize'],
  ['validation', [null, -0.1, 1, '0.1', Number.NaN, Infinity], 'spec.validation'],
  ['model', [undefined, ...nothing], 'spec.model'],
  ['model/kind', ['gpt', 1, null], 'model.kind'],
  ['model/dModel', [undefined, 0, -1, 2.5, '8', Number.NaN], 'model.dModel'],
  ['model/nLayers', [2], 'model.nLayers'],
  ['model/vocabSize', [100], 'spec.model.vocabSize is not an option'],
  ['model/dmodel', [4], "spec.model.dmodel is not an option; expected 'dModel'"],
  ['training', [undefined, ...nothing], 'spec.training'],
  ['training/steps', [undefined, 0, -1, 1.5, '60', 1e9, Number.NaN], 'training.steps'],
  ['training/learningRate', [undefined, 0, -1, '0.1', Infinity], 'training.learningRate'],
  ['training/optimizer', ['adam', 1], 'training.optimizer'],
  ['training/seed', [1], 'spec.training.seed is not an option'],
  ['training/batchSize', [0, -2, 1.5], 'training.batchSize'],
  ['arms', [undefined, ...nothing, {}], 'spec.arms'],
  ['arms/a b', [{}], 'spec.arms.a b'],
  ['arms/tied', [null, 1, 'tied', []], 'spec.arms.tied'],
  ['arms/tied/modle', [{}], "spec.arms.tied.modle is not an option; expected 'model'"],
  ['arms/tied/model', [null, 'tied'], 'spec.arms.tied.model'],
  ['arms/tied/model/tying', [undefined, 'both', 1], "arm 'tied': model.tying"],
  ['arms/tied/model/tieing', ['tied'], 'spec.arms.tied.model.tieing'],
  ['arms/tied/direction', [null, 'reversed', 1], 'spec.arms.tied.direction'],
  ['arms/tied/hidden', [null, 0, 0.96, -0.5, NaN, '0.5'], 'spec.arms.tied.hidden'],
  ['arms/tied/training', [{ steps: 0 }], "arm 'tied': training.steps"],
  ['grid', [null, 1, [], 'model.dModel'], 'spec.grid'],
  ['grid', [{ 'model.dmodel': [1] }], "expected 'model.dModel'"],
  ['grid', [{ dModel: [1] }], 'spec.grid.dModel is not an option'],
  ['grid', [{ 'model.dModel': [] }, { 'model.dModel': 4 }, { 'model.dModel': [4, 4] }], "spec.grid['model.dModel']"],
  ['grid', [{ 'model.dModel': [4, 0] }], "at model.dModel = 0, arm 'tied': model.dModel is 0"],
  ['seeds', [undefined, null, 1, [], 'all'], 'spec.seeds'],
  [
    'seeds',
    [
      [1, -1],
      [1, 1.5],
      [1, '2'],
      [1, 2 ** 53],
      [1, 1],
    ],
    'spec.seeds[1]',
  ],
  ['starts', ['same', 1, null], 'spec.starts'],
  ['measure', [undefined, null, [], {}], 'spec.measure'],
  ['measure/0', [null, 'loss', {}], 'spec.measure[0]'],
  ['measure/0/metric', ['los', 1], 'spec.measure[0].metric'],
  ['measure/0/every', [0, -1, 0.5, '30'], 'spec.measure[0].every'],
  ['measure/0/untl', [3], "spec.measure[0].untl is not an option; expected 'until'"],
  ['measure/0/until', [61, -1, 1.5], 'spec.measure[0].until'],
  ['measure/0/at', ['end'], 'spec.measure[0].at'],
  ['measure/0', [{ metric: 'loss', until: 3 }], 'spec.measure[0].until'],
  [
    'measure/0',
    [
      { metric: 'loss', at: 61 },
      { metric: 'loss', at: -1 },
      { metric: 'loss', at: 'middle' },
      { metric: 'loss', at: [] },
    ],
    'spec.measure[0].at',
  ],
  ['measure/1', [{ metric: 'input-share', at: 0 }], 'spec.measure[1].at is 0; expected an integer from 1 to 60'],
  ['measure/0', [{ metric: 'rounded-loss' }], 'spec.measure[0].bits is undefined'],
  ['measure/0', [1, 17, 2.5, '4', null].map((bits) => ({ metric: 'rounded-loss', bits })), 'spec.measure[0].bits'],
  ['measure/0', [{ metric: 'lost-table', lost: 'head' }], 'spec.measure[0].lost'],
  ['measure/0', [{ metric: 'packed-loss' }], 'spec.measure[0].packing is undefined'],
  [
    'measure/0',
    ['Q4', 'IQ3_S', 4, 'mlx-2'].map((packing) => ({ metric: 'packed-loss', packing })),
    'spec.measure[0].packing',
  ],
  [
    'measure/0',
    [undefined, -1, 1.5, null, true].map((token) => ({ metric: 'neighbors', token })),
    'spec.measure[0].token',
  ],
  ['measure/0', ['above', true].map((norm) => ({ metric: 'hidden-states', norm })), 'spec.measure[0].norm'],
  ['measure/0', [{ metric: 'neighbors', token: 1, similarity: 'dot' }], 'spec.measure[0].similarity'],
  ['measure/2/table', ['unembeding', 1], 'spec.measure[2].table'],
  ['measure/2/k', [3], 'spec.measure[2].k is not an option'],
  ['measure/3/between', [undefined, null, [], ['tied.embedding'], 'tied'], 'spec.measure[3].between'],
  ['measure/3/between', [['tied', 'untied.embedding']], 'spec.measure[3].between[0]'],
  ['measure/3/between', [['tied.embedding', 'untide.embedding']], "did you mean 'untied'"],
  ['measure/3/between', [['tied.embedding', 'untied.positions']], 'its table'],
  ['measure/3/at', ['start', 7], 'spec.measure[3].at'],
  ['claims', [null, 1, {}], 'spec.claims'],
  ['claims/0', [null, 'loss', 1], 'spec.claims[0]'],
  ['claims/0/id', [undefined, '', 'a b', 1], 'spec.claims[0].id'],
  ['claims/0/says', [undefined, 1, null], 'spec.claims[0].says'],
  ['claims/0/sais', ['x'], "expected 'says'"],
  [
    'claims/0/says',
    [
      '',
      'loss',
      'loss(tied)',
      'loss(tied) >',
      'loss(tied) = 1',
      'loss(tied) > 0 in every',
      'loss(tied) > 0 above 3',
      'loss(tied) > 0 above sd',
      'loss() > 0',
      'loss(tied > 0',
      '(loss(tied) > 0',
      'loss(tied) > 0 perhaps',
      'loss(tied) ! 0',
      'loss(tied, step=) > 0',
      'loss(tied, step=end..2) > 0',
      'loss(tied). > 0',
      'loss(tied)-loss(untied) > 0 §',
    ],
    'spec.claims[0].says has ',
  ],
  ['claims/0/says', ['loss(teid) > 0'], "at character 6; expected one of the arms tied, untied; did you mean 'tied'?"],
  ['claims/0/says', ['los(tied) > 0'], "did you mean 'loss'?"],
  ['claims/0/says', ['cka(tied.embedding) > 0'], 'a metric that is in spec.measure'],
  // What could not be judged when everything is trained.
  [
    'claims/0/says',
    [7, '1..29', '61..99', '30..1'].map((step) => `loss(untied) > loss(tied, step=${step})`),
    'expected a step at which loss is measured',
  ],
  ['claims/0/says', ['input-share(tied, step=0) > 0'], "'input-share(tied, step=0)'; expected a step at which"],
  [
    'claims/0/says',
    [
      'loss(tied.embedding) > 0',
      'loss(tied, untied) > 0',
      'loss(tied, on=second) > 0',
      'loss(tied, model.dModel=4) > 0',
    ],
    '; expected a value of loss',
  ],
  ['claims/0/says', ['isotropy(tied.embedding) > 0'], 'expected a value of isotropy(unembedding)'],
  [
    'claims/0/says',
    ['alignment(tied.embedding) > 0'],
    'expected one of alignment(tied.embedding, untied.unembedding, method=orthogonal), alignment(tied.embedding, untied.embedding, method=orthogonal)',
  ],
];

/** Cases for an experiment on pairs. */
const badPairSpecs: typeof badSpecs = [
  [
    'pairs',
    [undefined],
    'spec.text is undefined; expected { string }, { file }, { stories } or { markov }; or spec.pairs',
  ],
  ['pairs', [null, true, 1, 'x', [], {}, { pairs: [] }], 'spec.pairs'],
  [
    'pairs',
    [
      { task: 'reversal', file: 'a' },
      { list: [], file: 'a' },
    ],
    'of task, file and list; expected',
  ],
  ['text', [{ string: 'a b' }, null, 1], 'spec.pairs is an object; expected it to be absent where spec.text is given'],
  ['pairs/task', ['reversing', 1, null], 'spec.pairs.task'],
  ['pairs/seed', [undefined, -1, 1.5, '1'], 'spec.pairs.seed'],
  ['pairs/count', [undefined, 0, 2 ** 18 + 1, 1.5], 'spec.pairs.count'],
  ['pairs/length', [0, 1001, '3', null], 'spec.pairs.length'],
  ['pairs', [{ task: 'plurals', seed: 1, count: 9, length: 3 }], 'spec.pairs.length'],
  ['pairs', [{ file: 1 }, { file: null }], 'spec.pairs.file'],
  ['pairs', [{ file: 'a.tsv', seed: 1 }], 'spec.pairs.seed'],
  ['pairs', [{ list: [] }, { list: 'a' }, { list: { source: 'a', target: 'b' } }], 'spec.pairs.list'],
  ['pairs', [{ list: [['a', 'b']] }, { list: ['ab'] }, { list: [null] }], 'spec.pairs.list[0]'],
  ['pairs', [{ list: [{ source: 'a' }, 1] }, { list: [{ source: 'a', target: '' }] }], 'spec.pairs.list[0].target'],
  ['pairs', ['\t', '\u0003', 'a\rb', ''].map((source) => ({ list: [{ source, target: 'b' }] })), '[0].source'],
  ['pairs/cuont', [3], "spec.pairs.cuont is not an option; expected 'count'"],
  ['tokenizer', [{ kind: 'character' }, null], 'expected it to be absent: the characters of pairs are their tokens'],
  ['grid', [{ 'tokenizer.vocabSize': [9] }], 'spec.grid.tokenizer.vocabSize is not an option'],
  ['grid', [{ 'model.nLayers': [2] }], "at model.nLayers = 2, arm 'one': model.nLayers"],
  ['model/kind', ['transformer', 'direct-path'], "expected 'encoder-decoder', which reads spec.pairs"],
  ['model/startToken', [0], 'spec.model.startToken is not an option'],
  ['model/head', [{ kind: 'culled', kept: 9 }], "arm 'one': model.head"],
  [
    'arms/one/model/tying',
    [undefined, 'tied', 'both', { tables: ['output'] }, { tables: 1 }],
    "arm 'one': model.tying",
  ],
  ['arms/one/direction', ['forward', 'backward'], 'expected it to be absent: pairs have none'],
  ['arms/one/hidden', [0.5], 'expected it to be absent: pairs have no hidden tokens'],
  ['measure/0/metric', ['logit-lens', 'symmetry', 'work'], "spec.measure[0].metric is '"],
  ['measure/0/metric', ['logit-lens'], 'expected a metric of an encoder-decoder, which reads pairs: '],
  ['measure/1/pairs', [0, 1.5, '9'], 'spec.measure[1].pairs'],
  ['measure/1/tokens', [9], 'spec.measure[1].tokens is not an option'],
  ['measure/7/table', ['encoder.embedding', 1], 'spec.measure[7].table'],
  ['measure/8/between', [['three.encoder', 'three.embedding']], "its table, is 'encoder'"],
  ['claims/0/says', ['translation(four).exactMatch > 0'], 'expected one of the arms one, two, three'],
];

/** Cases for an experiment on a text. */
const badTextSpecs: typeof badSpecs = [
  ['model/kind', ['encoder-decoder'], 'model.kind'],
  ['measure/0/metric', ['translation', 'role-shares'], 'expected a metric of a model that reads a text: '],
  ['measure/2/table', ['encoder-embedding'], 'spec.measure[2].table'],
  ['measure/3/between', [['tied.encoder-embedding', 'untied.embedding']], 'its table'],
];

/** Cases for models with layers. */
const badTransformerSpecs: typeof badSpecs = [
  ['model/tableRank', [-1, 1.5, '4', null, 9], 'model.tableRank'],
  ['model/ngrams', [1, 'x', null, []], 'model.ngrams'],
  ['model/ngrams', [{ order: 2 }, { order: 2, rows: 0 }, { order: 2, rows: 1.5 }], 'model.ngrams.rows'],
  ['model/ngrams', [{ rows: 64 }, { order: 1, rows: 64 }, { order: '2', rows: 64 }], 'model.ngrams.order'],
  ['model/ngrams', [{ order: 2, rows: 64, row: 1 }], 'model.ngrams.row is not an option'],
  ['model/ngrams', [0, 3, 65, '2', null].map((heads) => ({ order: 2, rows: 64, heads })), 'model.ngrams.heads'],
  ['model/ngrams', [1, 'layers', null, []].map((places) => ({ order: 2, rows: 64, places })), 'model.ngrams.places'],
  ['model/head', [1, 'sampled', null, [], {}, { kind: 'sample' }], 'model.head'],
  ['model/head', [{ kind: 'sampled' }, { kind: 'sampled', samples: 0 }], 'model.head.samples'],
  ['model/head', [{ kind: 'clustered', clusters: -1 }], 'model.head.clusters'],
  ['model/head', [{ kind: 'culled', kept: 0 }, { kind: 'culled' }], 'model.head.kept'],
  ['model/head', [{ kind: 'adaptive', cutoffs: [] }, { kind: 'adaptive' }], 'model.head.cutoffs'],
  [
    'arms/tied/model/tying',
    [[], [{ untieAtStep: 3 }, { untieAtStep: 5 }], { untieAtStep: -1 }],
    "arm 'tied': model.tying",
  ],
  ['measure/0', [{ metric: 'start-cosine', table: 'positions' }], 'spec.measure[0].table'],
  ['measure/0', [{ metric: 'start-cosine', k: 3 }], 'spec.measure[0].k is not an option'],
];

const between = ['tied.embedding', 'untied.embedding'];

/** Each option of each metric with a value that is never valid: -1 is not a count, rate, choice or boolean. */
const badOptionSpecs: typeof badSpecs = Object.entries(METRICS)
  .filter(([, { reads }]) => reads !== 'pairs')
  .flatMap(([metric, kind]) =>
    (kind.of === 'step' ? [] : kind.options).map((option): (typeof badSpecs)[number] => [
      'measure/0',
      [
        {
          metric,
          ...(kind.of === 'two tables' ? { between } : {}),
          ...(metric === 'neighbors' ? { token: 1 } : {}),
          [option]: -1,
        },
      ],
      `spec.measure[0].${option} is -1`,
    ]),
  );

/** Options with several kinds of invalid values. */
const badMeasures: typeof badSpecs = [
  ['measure/0', [{ metric: 'alignment', between, method: 'orthogonl' }], "did you mean 'orthogonal'?"],
  ['measure/0', [{ metric: 'alignment', between, method: 'linear', penalty: 1 }], 'spec.measure[0].penalty'],
  ['measure/0', [1, 1.5, '0.2', true].map((holdOut) => ({ metric: 'alignment', between, holdOut })), '[0].holdOut'],
  ['measure/0', [0, 1.5, '3', true, null].map((k) => ({ metric: 'neighbor-overlap', between, k })), '[0].k'],
  ['measure/0', [0, 2.5, '3'].map((dimensions) => ({ metric: 'cka', between, dimensions })), '[0].dimensions'],
  ['measure/0', [101, 'x'].map((nullRuns) => ({ metric: 'spectral-distance', between, nullRuns })), '[0].nullRuns'],
  ['measure/0', [1, 1001].map((nullRuns) => ({ metric: 'bigram-bounds', nullRuns })), '[0].nullRuns'],
  ['measure/0', ['som', 1.5, [], [0, 'x'], true].map((layers) => ({ metric: 'logit-lens', layers })), '[0].layers'],
  ['measure/0', [0, 1.5, '9'].map((steps) => ({ metric: 'tuned-lens', steps })), '[0].steps'],
  ['measure/0', [0, '0.1', true].map((learningRate) => ({ metric: 'tuned-lens', learningRate })), '[0].learningRate'],
  ['measure/0', [1, 'no'].map((center) => ({ metric: 'spectrum', center })), 'spec.measure[0].center'],
  ['measure/0', [{ metric: 'spectrum', center: false, project: true }], 'spec.measure[0].project'],
  ['measure/0', [1.5, '1', 2 ** 53].map((seed) => ({ metric: 'isotropy', seed })), 'spec.measure[0].seed'],
  ['measure/0', [1, 2.5, '9'].map((tokens) => ({ metric: 'hidden-states', tokens })), 'spec.measure[0].tokens'],
  ['measure/0', [{ metric: 'hidden-states', targets: 'predict' }], "did you mean 'predicted'?"],
];

export interface BadSpec {
  place: string;
  value: unknown;
  named: string;
  spec: unknown;
}

const casesOf = (list: typeof badSpecs, of: object): BadSpec[] =>
  list.flatMap(([place, values, named]) =>
    values.map((value) => ({ place, value, named, spec: changed(place, value, of) })),
  );

/** All cases, each with the experiment that it makes invalid. */
export const badCases = [
  ...casesOf([...badSpecs, ...badTextSpecs, ...badOptionSpecs, ...badMeasures], paths),
  ...casesOf(badTransformerSpecs, transformers).map((one) => ({ ...one, place: `transformers: ${one.place}` })),
  ...casesOf(badPairSpecs, translators).map((one) => ({ ...one, place: `pairs: ${one.place}` })),
];
