import { checkCompare, checkFrame, FramePlan } from '../../../web/core/training/compare-options.js';
import { oneWayPairs } from '../../../web/core/text/one-way-pairs.js';
import type {
  Bigrams,
  CompareControls,
  CompareOptions,
  CorpusOptions,
  EvaluateOptions,
  Evaluation,
  FrameOptions,
  GenerateOptions,
  Lab,
  LabComparison,
  LabCorpus,
  LabTokenizer,
  MarkovText,
  Matrix,
  ModelConfig,
  NextTokenOptions,
  OneWayOptions,
  ParameterInfo,
  StepColumns,
  StepRecord,
  TokenizerOptions,
} from '../../../web/core/types.js';

/**
 * A lab whose numbers are invented but obey the rules: characters as tokens, real counts, losses that fall by a
 * known formula from step to step and depend only on arm and step. It also records its calls.
 */
export interface FakeLab {
  lab: Lab;
  log: string[];
  /** Trainers that were created and not disposed of. */
  alive: () => number;
  /** The loss of an arm's weights after `step` steps. */
  lossAt: (tying: string, step: number) => number;
  /** Losses are infinite from this step on, and a frame that reaches it fails. */
  divergeAt: (step: number) => void;
  /** Makes every verb of this name fail with this error; null ends this. */
  failAt: (verb: string, error: Error | null) => void;
  /** The tokens of later tokenizers, and the ids that they return for any text. */
  tokens: (tokens: readonly string[]) => void;
  ids: (ids: Uint32Array) => void;
  /** Delays every later verb until released. */
  hold: () => () => void;
}

const floors = { unigram: 3, bigram: 2, symmetricLogits: 2.3 };
const ends: Record<string, number> = { tied: 2.6, untied: 2, 'tied-linear': 2.1, 'tied-mlp': 2.05 };

/** The input role's share at a step: 0 at the first, then increasing. */
export const inputShareAt = (step: number): number => Math.fround(1 - 1 / step);

export const lossAt = (tying: string, step: number): number => Math.fround((ends[tying] ?? 2) + 1.5 / (1 + step));

function countBigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams {
  const data = new Float32Array(vocabSize * vocabSize);
  for (let at = 0; at + 1 < tokenIds.length; at += 1) {
    const cell = (tokenIds[at] ?? 0) * vocabSize + (tokenIds[at + 1] ?? 0);
    data[cell] = (data[cell] ?? 0) + 1;
  }
  const counts: Matrix = { rows: vocabSize, cols: vocabSize, data };
  return {
    counts,
    total: Math.max(0, tokenIds.length - 1),
    conditional: (row) => {
      const counted = data.slice(row * vocabSize, (row + 1) * vocabSize);
      const sum = counted.reduce((a, b) => a + b, 0);
      return counted.map((count) => (sum === 0 ? 0 : count / sum));
    },
    asymmetry: 0.5,
    top: () => [],
  };
}

/** `workers`: the number of workers of its comparisons. */
export function fakeLab({ workers = 2 } = {}): FakeLab {
  const log: string[] = [];
  let alive = 0;
  let divergence = Number.POSITIVE_INFINITY;
  let gate: Promise<void> = Promise.resolve();

  let givenTokens: readonly string[] | null = null;
  let givenIds: Uint32Array | null = null;
  const failures = new Map<string, Error>();

  const answer = async <Value>(verb: string, value: () => Value): Promise<Value> => {
    log.push(verb);
    await gate;
    const failure = failures.get(verb.split(/[ (]/)[0] ?? '');
    if (failure !== undefined) throw failure;
    return value();
  };

  const tokenizer = (text: string, options: TokenizerOptions) => {
    const tokens = givenTokens ?? [...new Set(text)].sort();
    const ids = new Map(tokens.map((token, id) => [token, id]));
    const encoded = (input: string): Uint32Array =>
      givenIds ?? Uint32Array.from([...input].flatMap((character) => ids.get(character) ?? []));
    return {
      kind: options.kind,
      vocabSize: tokens.length,
      tokens,
      ids: encoded,
      encode: (input: string) => answer('encode', () => encoded(input)),
    } as unknown as LabTokenizer & { ids: (input: string) => Uint32Array };
  };

  /** One arm of a comparison; only the comparison can change it. */
  const trainer = (model: ModelConfig, decode: ((ids: Uint32Array) => string) | null) => {
    let step = 0;
    alive += 1;
    const square = (value: number, size: number, cols: number): Matrix => ({
      rows: size,
      cols,
      data: new Float32Array(size * cols).fill(value),
    });
    const tying = typeof model.tying === 'string' ? model.tying : 'untied-later';
    const loss = (at: number): number => (at >= divergence ? Number.NaN : lossAt(tying, at));
    const finite = (at: number): number => {
      if (Number.isFinite(loss(at))) return loss(at);
      throw Object.assign(new Error(`the loss is not finite at step ${String(at)}`), { code: 'not-finite' });
    };
    const record = (at: number): StepRecord => ({
      step: at,
      loss: finite(at - 1),
      inputGradientNorm: 1,
      outputGradientNorm: 1,
      inputShare: inputShareAt(at),
      inputPositionGradientNorm: 1,
      inputPositionShare: inputShareAt(at) / 2,
      gradientCosine: 0,
      gradientNorm: 1,
      embeddingDrift: 0,
      unembeddingDrift: 0,
      tokensPerSecond: 1000,
    });
    const evaluation = (): Evaluation => ({
      loss: finite(step),
      perplexity: Math.exp(loss(step)),
      tokens: 1,
      bitsPerByte: null,
    });
    return {
      run: (steps: number): Promise<StepColumns> =>
        answer(`${tying}.run(${String(steps)})`, () => {
          const records = Array.from({ length: steps }, (_, index) => record(step + index + 1));
          step += steps;
          const names = Object.keys(record(1)) as (keyof StepRecord)[];
          const columns = names.map((name) => [name, Float64Array.from(records, (one) => one[name]!)]);
          return Object.fromEntries(columns) as StepColumns;
        }),
      rewind: (to: number) =>
        answer(`${tying}.rewind(${String(to)})`, () => {
          step = to;
        }),
      evaluate: (_ids?: Uint32Array, _options?: EvaluateOptions) => answer('evaluate', evaluation),
      parameters: (): Promise<ParameterInfo[]> =>
        answer('parameters', () => {
          const size = model.vocabSize * model.dModel;
          const apart = tying === 'untied' || (typeof model.tying === 'object' && step > 50);
          return [
            { name: 'embedding', shape: [model.vocabSize, model.dModel], tiedTo: null, count: size },
            { name: 'unembedding', shape: [model.vocabSize, model.dModel], tiedTo: null, count: apart ? size : 0 },
          ];
        }),
      generate: ({ prompt, tokens, temperature, seed, onTokens }: GenerateOptions) =>
        answer(`${tying}.generate ${String(temperature)} ${String(seed)}`, () => {
          // Stutters: repeats the first token of the prompt.
          const tokenIds = new Uint32Array(tokens).fill(prompt[0] as number);
          const text = (ids: Uint32Array): string | null => decode?.(ids) ?? null;
          for (const ids of [tokenIds.slice(0, 2), tokenIds.slice(2)]) onTokens?.(ids, text(ids));
          return { tokenIds, text: text(tokenIds) };
        }),
      nextTokenProbabilities: ({ from, to }: NextTokenOptions) =>
        answer('probabilities', () => square(step / 1000, from.length, to?.length ?? model.vocabSize)),
      nextTokenLogits: ({ from, to }: NextTokenOptions) =>
        answer('logits', () => square(step, from.length, to?.length ?? model.vocabSize)),
      dispose: () => {
        alive -= 1;
        log.push(`${tying}.dispose`);
      },
    };
  };

  const compare = async (
    { vocabSize, tokenizer: codec }: LabCorpus,
    options: CompareOptions,
    { signal }: CompareControls = {},
  ): Promise<LabComparison> => {
    const checked = checkCompare(options, vocabSize);
    const plan = new FramePlan(checked);
    const decode = codec && ((ids: Uint32Array) => Array.from(ids, (id) => codec.tokens[id]).join(''));
    const made = await Promise.allSettled(
      checked.arms.map(({ name, model }) =>
        answer(`createTrainer ${name}`, () => [name, trainer(model, decode)] as const),
      ),
    );
    const arms = new Map(made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    let disposed = false;
    const dispose = (): void => {
      if (disposed) return;
      disposed = true;
      log.push('comparison.dispose');
      for (const arm of arms.values()) arm.dispose();
    };
    const failed = made.find((one) => one.status === 'rejected');
    if (failed !== undefined || signal?.aborted === true) {
      dispose();
      throw failed?.reason ?? Object.assign(new Error('cancelled'), { code: 'cancelled' });
    }
    let step = 0;
    const ofAll = async <Value>(ask: (arm: ReturnType<typeof trainer>) => Promise<Value>) => {
      const values = await Promise.all([...arms].map(async ([name, arm]) => [name, await ask(arm)] as const));
      if (disposed) throw Object.assign(new Error('disposed'), { code: 'disposed' });
      return Object.fromEntries(values);
    };
    return {
      get step() {
        return step;
      },
      names: checked.arms.map(({ name }) => name),
      workers: Math.min(workers, checked.arms.length),
      next: async (wanted?: FrameOptions) => {
        const target = plan.target(step, checkFrame(wanted));
        const measures = plan.isDue(target);
        const columns = await ofAll((arm) => arm.run(target - step));
        const measured = measures ? await ofAll((arm) => arm.evaluate()) : null;
        // A step takes a simulated millisecond.
        plan.took(target - step, target - step, target);
        step = target;
        return { step, columns, measured };
      },
      rewind: async (to = 0) => {
        await ofAll((arm) => arm.rewind(to));
        step = to;
        plan.wentTo(to);
      },
      arm: (name: string) => arms.get(name),
      dispose,
    } as unknown as LabComparison;
  };

  const openCorpus = (
    source: string | Uint32Array | MarkovText,
    { tokenizer: wanted, vocabSize = 0, validation = 0.1, signal, onProgress }: CorpusOptions,
  ): Promise<LabCorpus> => {
    const what = wanted === undefined ? 'chain' : `${wanted.kind} ${String(wanted.vocabSize)}`;
    return answer(`openCorpus ${what}`, () => {
      if (signal?.aborted === true) throw Object.assign(new Error('cancelled'), { code: 'cancelled' });
      for (const stage of ['learning', 'encoding', 'counting'] as const) onProgress?.(0.5, stage);
      const codec = typeof source === 'string' && wanted !== undefined ? tokenizer(source, wanted) : null;
      const chain = typeof source === 'object' && 'transition' in source ? source.transition.rows : null;
      const states = Uint32Array.from({ length: 1000 }, (_, at) => (at * at) % (chain ?? 1));
      const given = chain === null ? (source as Uint32Array) : states;
      const ids = typeof source === 'string' ? (codec?.ids(source) ?? new Uint32Array()) : given;
      const size = codec?.vocabSize ?? chain ?? vocabSize;
      const spared = Math.floor(ids.length * validation);
      const trained = ids.slice(0, ids.length - (spared < 2 ? 0 : spared));
      const table = countBigrams(trained, size);
      const frequencies = new Uint32Array(size);
      for (const id of trained) frequencies[id] = (frequencies[id] ?? 0) + 1;
      const corpus = {
        vocabSize: size,
        tokens: ids.length,
        validationTokens: ids.length - trained.length,
        characters: typeof source === 'string' ? source.length : null,
        tokenizer: codec,
        bounds: floors,
        frequencies: () => answer('frequencies', () => frequencies),
        tokenIds: (_: string, { count = trained.length }: { count?: number } = {}) =>
          answer('tokenIds', () => trained.slice(0, count)),
        oneWayPairs: ({ count, without }: OneWayOptions) =>
          answer('oneWayPairs', () => oneWayPairs(table.counts, frequencies, count, new Set(without))),
        nextTokenProbabilities: ({ from, to }: NextTokenOptions) =>
          answer('corpus.probabilities', () => {
            const rows = Array.from(from, (id) => Array.from(to ?? [], (next) => table.conditional(id)[next] ?? 0));
            return { rows: from.length, cols: to?.length ?? 0, data: Float32Array.from(rows.flat()) };
          }),
        dispose: () => void log.push('corpus.dispose'),
      };
      return corpus as unknown as LabCorpus;
    });
  };

  const lab = {
    version: '0',
    simd: 'simd128',
    mode: 'worker',
    openCorpus,
    compare,
    writeStories: ({ seed, length }: { seed: number; length: number }) =>
      answer(`writeStories ${String(seed)}`, () => 'once upon a time '.repeat(Math.ceil(length / 17))),
    randomMarkovChain: ({ states }: { states: number }) =>
      answer('randomMarkovChain', () => ({ rows: states, cols: states, data: new Float32Array(states * states) })),
    markovBounds: () => answer('markovBounds', () => ({ ...floors, stationary: new Float32Array() })),
    dispose: () => undefined,
  };

  return {
    lab: lab as unknown as Lab,
    log,
    alive: () => alive,
    lossAt,
    divergeAt: (step) => {
      divergence = step;
    },
    failAt: (verb, error) => {
      if (error === null) failures.delete(verb);
      else failures.set(verb, error);
    },
    tokens: (tokens) => {
      givenTokens = tokens;
    },
    ids: (ids) => {
      givenIds = ids;
    },
    hold: () => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}
