import type {
  Isotropy,
  Lab,
  Matrix,
  NormFrequency,
  Similarity,
  SpectralDistance,
  SpectrumOptions,
} from '../../core/types.js';
import type { Listening } from '../shared/model-twins.js';
import { countsOf, textOf } from '../shared/twin-training.js';
import { comparisons, tableNames, type ComparisonId, type TableName, type Tables } from './compared-tables.js';

export interface ComparisonMeasures {
  readonly similarity: Similarity;
  readonly graphs: SpectralDistance;
}

export interface TableMeasures {
  readonly isotropy: Isotropy;
  readonly norms: NormFrequency;
  /** Singular values, descending, as multiples of their root mean square. */
  readonly profile: Float64Array;
}

/** What is measured besides agreement and neighbors. */
export interface OtherMeasures {
  readonly pairs: Readonly<Record<ComparisonId, ComparisonMeasures>>;
  readonly tables: Readonly<Record<TableName, TableMeasures>>;
  /** The profile of a table of random directions. */
  readonly noise: Float64Array;
}

async function profileOf(lab: Lab, table: Matrix, options: SpectrumOptions): Promise<Float64Array> {
  const { values } = await lab.spectrum(table, options);
  const scale = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  return values.map((value) => value / scale);
}

/** The table of an untrained model. */
async function noiseLike(lab: Lab, { rows: vocabSize, cols: dModel }: Matrix): Promise<Matrix> {
  const trainer = await lab.createTrainer({
    model: { kind: 'direct-path', tying: 'tied', vocabSize, dModel },
    training: { optimizer: 'sgd', learningRate: 1, batchSize: 1, seed: 0 },
    tokenIds: new Uint32Array(2),
  });
  try {
    return await trainer.matrix('embedding');
  } finally {
    trainer.dispose();
  }
}

/** How often each token occurs in the text that the models were trained on. */
async function countsFor(lab: Lab, { tied, text, tokenizer: file }: Tables): Promise<Uint32Array> {
  const tokenizer = await lab.loadTokenizer(file, { format: 'tied-embeddings' });
  try {
    const { training } = await textOf(lab, { text, encode: (written) => tokenizer.encode(written) });
    return countsOf(training, tied.rows);
  } finally {
    tokenizer.dispose();
  }
}

/**
 * Measures one thing after the other. `center`: whether to subtract the mean row, for measures that leave the choice.
 */
export async function measureOthers(
  lab: Lab,
  tables: Tables,
  center: boolean,
  { signal, onProgress }: Listening,
): Promise<OtherMeasures> {
  const parts = 1 + tableNames.length + comparisons.length;
  let done = 0;
  const partDone = (): void => onProgress(++done / parts);
  const counts = await countsFor(lab, tables);
  const noise = await profileOf(lab, await noiseLike(lab, tables.tied), { center, signal });
  partDone();
  const ofTables: Partial<Record<TableName, TableMeasures>> = {};
  for (const name of tableNames) {
    const table = tables[name];
    ofTables[name] = {
      isotropy: await lab.isotropy(table, { counts, signal }),
      norms: await lab.normFrequency(table, counts),
      profile: await profileOf(lab, table, { center, signal }),
    };
    partDone();
  }
  const metric = center ? 'centered-cosine' : 'cosine';
  const ofComparisons: Partial<Record<ComparisonId, ComparisonMeasures>> = {};
  for (const { id, from, to } of comparisons) {
    const [source, target] = [tables[from], tables[to]];
    ofComparisons[id] = {
      similarity: await lab.cka(source, target, { signal }),
      graphs: await lab.spectralDistance(source, target, { metric, signal }),
    };
    partDone();
  }
  return { pairs: ofComparisons, tables: ofTables, noise } as OtherMeasures;
}
