/** The values that each metric has, as claims name them: `isotropy(tied).isoScore`. A test compares them with those that are measured. */
import { METRICS } from './metrics.js';

/** Of a value: its name after the dot, '' for the one that the metric is named after, and what tells its rows apart. */
export interface Part {
  readonly part: string;
  readonly by: 'layer' | 'band' | null;
}

const withChance = (...names: readonly string[]): string[] => names.flatMap((name) => [name, `${name}.chance`]);

/** What a culled head cannot predict is `lost`. */
const LOSS = ['', 'bitsPerByte', 'lost'];
const STORED_LOSS = [...LOSS, 'kilobytes', 'error'];
const ONE = ['', 'chance'];
const DIMENSIONS = ['participationRatio', 'effectiveRank'];
const PROJECTED = ['isoScore', 'partition', ...DIMENSIONS];
const DIRECT_PATH = ['asymmetry', 'selfPrediction', 'breaking', 'loss', 'correlation'];
const LENS = ['chance', '#layer', 'loss#layer'];

/** '#layer' and '#band' follow the names of values with a row for each. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  loss: LOSS,
  'rounded-loss': STORED_LOSS,
  'packed-loss': STORED_LOSS,
  'lost-table': [...LOSS, 'guessing', 'chance', ...withChance('cosine'), 'distance'],
  'loss-by-frequency': ['chance', '#band', 'chance#band', 'tokens#band'],
  'self-transitions': ['', 'chance', 'observed', 'below', 'difference#band'],
  'ngram-collisions': ['', 'chance', 'oneHead', 'oneHead.chance', 'tokens', 'ngrams', 'rows'].map(
    (one) => `${one}#band`,
  ),
  calibration: ['', 'chance', 'chanceDeviation', 'accuracy', 'confidence'],
  'logit-lens': LENS,
  'tuned-lens': LENS,
  'layer-ablation': ['#layer', 'standardError#layer'],
  gradient: [
    ...['inputShare', 'inputPositionShare', 'pull', 'push', 'cosine', ...withChance('reach')],
    ...['inputShare#band', 'pushedRows#band'],
  ],
  'direct-path': ['embeddings', 'finalNorm', 'mlp0', 'model', 'bigrams', 'chance'].flatMap((path) =>
    DIRECT_PATH.map((one) => `${path}.${one}`),
  ),
  parameters: ['', 'tables'],
  work: ['', 'head', 'headShare', 'run'],
  'tying-changes': ['', 'step#band'],
  'bigram-bounds': [
    ...['unigram', 'bigram', 'symmetricLogits', ...withChance('js'), 'js.heldOut', 'mutualInformation', 'share'],
  ],
  cycles: [...ONE, 'compared', 'oneWay'],
  symmetry: [...ONE, 'maxDifference'],
  'gradient-split': ['', 'inputRows', 'outputRows', 'tokensRead'],
  'hidden-states': [...withChance('medianRatio', 'medianInputCosine', 'medianMaxOtherCosine'), 'medianOutputCosine'],
  'path-repetition': [...ONE, ...withChance('below'), 'difference#band'],
  'tied-floor': ['', 'reached', 'bigram', 'symmetric'],
  'recovered-table': [
    ...['width', 'gap', 'asymmetry', 'tied', ...withChance('cosine'), 'residual'],
    ...withChance('reading', 'writing'),
  ],
  isotropy: [
    ...withChance('meanCosine', 'centeredMeanCosine', 'projectedMeanCosine', 'centeredPartition', ...PROJECTED),
    ...withChance(...PROJECTED.map((one) => `projected.${one}`)),
    ...['frequencyR2', 'frequencyR2.heldOut', 'frequencyR2.chance'],
  ],
  spectrum: ['largest', ...withChance(...DIMENSIONS), 'share#band'],
  neighbors: ['#band', 'token#band'],
  'start-cosine': ONE,
  'norm-frequency': ['spearman', 'spearman.deviationByChance', 'pearson', 'meanNorm', 'standardDeviation'],
  alignment: [...ONE, ...withChance('heldOut')],
  'neighbor-overlap': [...ONE, 'standardError'],
  cka: [...ONE, ...withChance('subspaces')],
  'spectral-distance': ONE,
  translation: ['exactMatch', 'characterErrorRate', 'seen'],
  'role-gradients': [
    ...['split', 'encoderShare', 'inputShare', 'outputShare', 'encoderInputCosine', 'encoderOutputCosine'],
    ...['inputOutputCosine', 'encoderRows', 'inputRows', 'outputRows'],
  ],
};

export function partsOf(metric: string): readonly Part[] {
  const found = METRICS[metric]!;
  const written = found.of === 'step' ? found.values.map(({ part }) => part) : PARTS[metric]!;
  return written.map((one) => {
    const [part = '', by = null] = one.split('#');
    return { part, by: by as Part['by'] };
  });
}
