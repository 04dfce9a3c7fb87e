/** Trains the chosen models side by side on the same pairs, in a lab. */
import type { Lab, LabTokenizer, LabTrainer, PairTask, TokenPairs } from '../../core/types.js';
import { codeOf } from '../shared/error-code.js';
import { Turns } from '../shared/turns.js';
import {
  momentSteps,
  comparedTables,
  rolesCompared,
  samePlan,
  tablesOf,
  type Alignment,
  type Example,
  type History,
  type Moment,
  type Plan,
  type Role,
  type Tying,
  type Written,
} from './history.js';
import { divided, heldOutPairs, type Divided } from './own-pairs.js';

/** The number of pairs that are trained on, and of those on which quality is measured that are shown. */
const [trainedPairs, shownPairs] = [3000, 4];

/** The parameter that holds the table of each role. */
const tableOf: Readonly<Record<Role, string>> = {
  encoder: 'encoder.embedding',
  input: 'embedding',
  output: 'unembedding',
};
/** The number of random orders of rows that an alignment is compared with. */
const randomOrders = 20;

const shape = { kind: 'encoder-decoder', dModel: 64, nEncoderLayers: 1, nDecoderLayers: 1, nHeads: 4 } as const;
const training = { learningRate: 1e-3, warmupSteps: 20, batchSize: 64, gradientClip: 1 } as const;

/** Start and end, which an untrained model may write among the characters. */
// oxlint-disable-next-line no-control-regex
const markers = /[\u0000-\u0003]/g;

/** Milliseconds of a slice; a pause takes effect after it. */
const sliceMs = 150;

/** A model that is being trained. */
export interface Growing {
  readonly tying: Tying;
  readonly trainer: LabTrainer;
  readonly parameters: number;
  readonly tableParameters: number;
  readonly norms: Record<Role, number[]>;
  /** After the newest step. */
  readonly drift: Record<Role, number>;
  readonly moments: Moment[];
}

/** What a run has in its lab. */
export interface Standing {
  readonly lab: Lab;
  readonly plan: Plan;
  readonly about: Omit<History, 'models'>;
  readonly tokenizer: LabTokenizer;
  /** What the models are trained on. */
  readonly trained: TokenPairs;
  readonly models: readonly Growing[];
}

/** What the settings ask for. */
export interface Asked {
  readonly plan: Plan;
  readonly steps: number;
}

interface Reporting {
  readonly signal: AbortSignal;
  readonly onPart: (history: History) => void;
}

/** Models in a lab, which can be trained on. */
export class Seq2seqRun {
  #standing: Standing | null = null;
  /** A paused run ends its slice before the next one starts. */
  readonly #turns = new Turns();

  /** Trains to `steps` steps, starting from the existing models if they follow the same plan. Null if it was aborted. */
  train(lab: Lab, asked: Asked, reporting: Reporting): Promise<History | null> {
    return this.#turns.next(async () => {
      try {
        return await this.#train(lab, asked, reporting);
      } catch (error) {
        // The models died with their worker. The lab is asked again, and the same seed gives the same models.
        if (codeOf(error) === 'stopped') this.#drop();
        throw error;
      }
    });
  }

  /** Discards the models, once their slice has ended. */
  release(): Promise<void> {
    return this.#turns.next(() => this.#drop());
  }

  #drop(): void {
    const standing = this.#standing;
    this.#standing = null;
    for (const { trainer } of standing?.models ?? []) trainer.dispose();
    standing?.tokenizer.dispose();
  }

  async #train(lab: Lab, { plan, steps }: Asked, { signal, onPart }: Reporting): Promise<History | null> {
    if (signal.aborted) return null;
    if (this.#standing?.lab !== lab || !samePlan(this.#standing.plan, plan)) {
      this.#drop();
      this.#standing = await openModels(lab, plan);
    }
    const standing = this.#standing;
    const { about, models } = standing;
    const moments = momentSteps(steps);
    let slice = 1;
    while (!signal.aborted) {
      const done = Math.min(...models.map(({ norms }) => norms.output.length));
      const isMoment = moments.includes(done);
      const unmeasured = isMoment ? models.filter(({ moments }) => moments.at(-1)?.step !== done) : [];
      await Promise.all(
        unmeasured.map(async (model) => {
          model.moments.push(await measureModel(lab, model, done, about.examples));
        }),
      );
      if (signal.aborted) return null;
      const history = historyOf(standing);
      onPart(history);
      if (done >= steps) return history;
      const next = Math.min(moments.find((step) => step > done) ?? steps, done + slice);
      const began = performance.now();
      await Promise.all(models.map((model) => trainModel(model, next)));
      slice = Math.max(1, Math.round(((next - done) * sliceMs) / Math.max(1, performance.now() - began)));
    }
    return null;
  }
}

const historyOf = ({ about, models }: Standing): History => ({
  ...about,
  models: models.map(({ tying, parameters, tableParameters, norms, moments }) => ({
    ...{ tying, parameters, tableParameters },
    norms: { encoder: [...norms.encoder], input: [...norms.input], output: [...norms.output] },
    moments: [...moments],
  })),
});

async function pairsOf(lab: Lab, { task, length, seed, lines }: Plan): Promise<Divided> {
  if (lines !== null) return divided(await lab.parsePairs(lines));
  const asked = { task: task as PairTask, seed, ...(length === null ? {} : { length }) };
  const pairs = await lab.writePairs({ ...asked, count: trainedPairs + heldOutPairs });
  return { trained: pairs.slice(0, trainedPairs), heldOut: pairs.slice(trainedPairs), leftOut: 0 };
}

/** Thousands of pairs are received and sent in separate tasks, because in one task they would block the page. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

/** Creates the untrained models of a plan. */
export async function openModels(lab: Lab, plan: Plan): Promise<Standing> {
  const { trained, heldOut, leftOut } = await pairsOf(lab, plan);
  const all = [...trained, ...heldOut];
  await nextTask();
  const tokenizer = await lab.pairTokenizer(all);
  let trainers: LabTrainer[] = [];
  try {
    await nextTask();
    const { pairs, sourceLength, contextLength } = await lab.encodePairs({ pairs: all, tokenizer });
    const part = (from: number, to?: number): TokenPairs => ({
      source: pairs.source.slice(from, to),
      target: pairs.target.slice(from, to),
    });
    const own = part(0, trained.length);
    const validationPairs = part(trained.length);
    const { vocabSize } = tokenizer;
    const common = { training: { ...training, seed: plan.seed }, pairs: own, validationPairs, tokenizer };
    await nextTask();
    trainers = await lab.createTrainers(
      plan.tyings.map((tying) => ({ model: { ...shape, vocabSize, tying, sourceLength, contextLength }, ...common })),
    );
    const models = await Promise.all(
      trainers.map(async (trainer, index): Promise<Growing> => {
        const tying = plan.tyings[index]!;
        const parameters = (await trainer.parameters()).reduce((sum, { count }) => sum + count, 0);
        const tableParameters = tablesOf[tying].length * vocabSize * shape.dModel;
        const norms = { encoder: [], input: [], output: [] };
        const drift = { encoder: 0, input: 0, output: 0 };
        return { tying, trainer, parameters, tableParameters, norms, drift, moments: [] };
      }),
    );
    const examples = heldOut.slice(0, shownPairs);
    const about = { plan, vocabSize, dModel: shape.dModel, heldOut: heldOut.length, leftOut, examples };
    return { lab, plan, about, tokenizer, trained: own, models };
  } catch (error) {
    for (const trainer of trainers) trainer.dispose();
    tokenizer.dispose();
    throw error;
  }
}

/** Trains a model up to step `to`; resolves to the loss of each step. */
export async function trainModel({ trainer, norms, drift }: Growing, to: number): Promise<ArrayLike<number>> {
  const steps = to - norms.output.length;
  if (steps <= 0) return [];
  const columns = await trainer.run(steps, { columns: true });
  norms.encoder.push(...columns.encoderGradientNorm!);
  norms.input.push(...columns.inputGradientNorm);
  norms.output.push(...columns.outputGradientNorm);
  drift.encoder = columns.encoderEmbeddingDrift!.at(-1)!;
  drift.input = columns.embeddingDrift.at(-1)!;
  drift.output = columns.unembeddingDrift.at(-1)!;
  return columns.loss;
}

/**
 * Measures a model on pairs that it is not trained on: what it writes, what it attends to as it writes the examples,
 * and its tables.
 */
export async function measureModel(
  lab: Lab,
  { tying, trainer, drift }: Growing,
  step: number,
  examples: readonly Example[],
): Promise<Moment> {
  const { loss, exactMatch, characterErrorRate } = await trainer.evaluatePairs();
  const written: Written[] = [];
  for (const { source } of examples) {
    const { text, tokenIds } = await trainer.translate({ source });
    const { cross } = await trainer.pairAttention({ source, target: tokenIds });
    written.push({ text: (text ?? '').replace(markers, '·'), attention: meanOf(cross.map(({ weights }) => weights)) });
  }
  return {
    ...{ step, loss, exactMatch: exactMatch ?? 0, characterErrorRate: characterErrorRate ?? 0 },
    drift: { ...drift },
    alignment: await alignmentOf(lab, trainer, tying),
    written,
  };
}

/** No map is fitted: with fewer tokens than dimensions, a rotation would align any two tables. */
async function alignmentOf(lab: Lab, trainer: LabTrainer, tying: Tying): Promise<Moment['alignment']> {
  const comparisons = comparedTables(tying).map(async (compared): Promise<[string, Alignment]> => {
    const [one, other] = await Promise.all(rolesCompared[compared].map((role) => trainer.matrix(tableOf[role])));
    const options = { method: 'identity', holdOut: 0, nullRuns: randomOrders } as const;
    const { meanCosine, null: chance } = await lab.align(one!, other!, options);
    const [least, most] = [Math.min(...chance.runs), Math.max(...chance.runs)];
    return [compared, { cosine: meanCosine, chance: { mean: chance.meanCosine, least, most } }];
  });
  return Object.fromEntries(await Promise.all(comparisons));
}

function meanOf(matrices: readonly Written['attention'][]): Written['attention'] {
  const { rows, cols } = matrices[0]!;
  const data = Float32Array.from({ length: rows * cols }, (_, at) =>
    matrices.reduce((sum, one) => sum + one.data[at]! / matrices.length, 0),
  );
  return { rows, cols, data };
}
