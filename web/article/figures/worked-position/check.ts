import type { Lab, LabTrainer, Matrix } from '../../../core/types.js';
import { width, work, type Position, type Tenths } from './position.js';

/** What the core computes of a position, and how far it is from the same numbers by hand. */
export interface Check {
  /** How many numbers were compared. */
  readonly numbers: number;
  /** The largest |difference| of two of them. */
  readonly largest: number;
}

const matrix = (rows: number, cols: number, tenths: Tenths): Matrix => ({
  rows,
  cols,
  data: Float32Array.from(tenths, (tenth) => tenth / 10),
});

/**
 * A tied transformer of one position. What its layers would add is where a position embedding is added, so that it can be
 * given; its own layer adds nothing.
 */
async function openModel(lab: Lab, { words, table, layers }: Position): Promise<LabTrainer> {
  const trainer = await lab.createTrainer({
    model: {
      kind: 'transformer',
      tying: 'tied',
      vocabSize: words.length,
      dModel: width,
      ...{ nLayers: 1, nHeads: 1, contextLength: 1, dFeedForward: 1, finalNorm: false, biases: 'none' },
    },
    training: { learningRate: 1, batchSize: 1, seed: 0 },
    tokenIds: Uint32Array.of(0, 1),
  });
  const zeros = (rows: number, cols: number): Matrix => matrix(rows, cols, Array<number>(rows * cols).fill(0));
  try {
    await trainer.setMatrix('embedding', matrix(words.length, width, table));
    await trainer.setMatrix('positions', matrix(1, width, layers));
    await trainer.setMatrix('layers.0.attention.output.weight', zeros(width, width));
    await trainer.setMatrix('layers.0.feed_forward.down.weight', zeros(width, 1));
  } catch (error) {
    trainer.dispose();
    throw error;
  }
  return trainer;
}

/** Works the position through with the core, in single precision, and compares every number with the one by hand. */
export async function checkWithCore(lab: Lab, position: Position): Promise<Check> {
  const { words, read, target } = position;
  const trainer = await openModel(lab, position);
  try {
    const from = Uint32Array.of(read);
    const all = Uint32Array.from(words.keys());
    const states = await trainer.hiddenStates(from);
    const logits = await trainer.logits(from);
    const probabilities = await trainer.nextTokenProbabilities({ from, to: all });
    const { loss } = await trainer.evaluate(Uint32Array.of(read, target));
    const gradient = await trainer.gradient({ inputs: from, targets: Uint32Array.of(target) });
    const hand = work(position);
    const pairs: readonly (readonly [ArrayLike<number>, ArrayLike<number>])[] = [
      [hand.hidden, states.at(-1)!.data],
      [hand.logits, logits.data],
      [hand.probabilities, probabilities.data],
      [[hand.loss], [loss]],
      [hand.writing, gradient.output.data],
      [hand.reading, gradient.input.data],
      [hand.total, gradient.total.data],
    ];
    const differences = pairs.flatMap(([mine, cores]) => {
      if (mine.length !== cores.length) throw new Error(`the core has ${cores.length} numbers, not ${mine.length}`);
      return Array.from(mine, (one, at) => Math.abs(one - cores[at]!));
    });
    return { numbers: differences.length, largest: Math.max(...differences) };
  } finally {
    trainer.dispose();
  }
}
