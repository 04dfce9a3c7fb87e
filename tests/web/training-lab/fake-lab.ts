import type {
  Bigrams,
  GenerateOptions,
  Lab,
  LabTokenizer,
  LabTrainer,
  Matrix,
  NextTokenOptions,
  RunOptions,
  StepRecord,
  TokenizerOptions,
  TrainerOptions,
} from '../../../web/core/types.js';

/**
 * A lab whose numbers are made up but obey the rules: characters as tokens, real counts, losses that fall by a
 * known formula from step to step and depend on nothing but arm and step. It also writes down what was asked of it.
 */
export interface FakeLab {
  lab: Lab;
  log: string[];
  /** Trainers created and not disposed of. */
  alive: () => number;
  /** Loss of an arm's weights after `step` steps. */
  lossAt: (tying: string, step: number) => number;
  /** Makes losses infinite from this step on. */
  divergeAt: (step: number) => void;
  /** Makes every verb of this name fail with this error. */
  failAt: (verb: string, error: Error) => void;
  /** What later tokenizers have for tokens, and what they make of any text. */
  tokens: (tokens: readonly string[]) => void;
  ids: (ids: Uint32Array) => void;
  /** Holds every later verb back until released. */
  hold: () => () => void;
}

const floors = { unigram: 3, bigram: 2, symmetricLogits: 2.3 };
const ends: Record<string, number> = { tied: 2.6, untied: 2, 'tied-linear': 2.1, 'tied-mlp': 2.05 };

/** The input role's share at a step: none at the first, then more and more. */
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

export function fakeLab(): FakeLab {
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

  const tokenizer = (text: string, options: TokenizerOptions): LabTokenizer => {
    const tokens = givenTokens ?? [...new Set(text)].sort();
    const ids = new Map(tokens.map((token, id) => [token, id]));
    return {
      kind: options.kind,
      vocabSize: tokens.length,
      tokens,
      encode: (input: string) =>
        answer(
          'encode',
          () => givenIds ?? Uint32Array.from([...input].flatMap((character) => ids.get(character) ?? [])),
        ),
      decode: (wanted: Uint32Array) => answer('decode', () => Array.from(wanted, (id) => tokens[id]).join('')),
      save: () => answer('save', () => new Uint8Array()),
      dispose: () => void log.push('tokenizer.dispose'),
      [Symbol.dispose]: () => undefined,
    };
  };

  const trainer = ({ model, training }: TrainerOptions): LabTrainer => {
    let step = 0;
    alive += 1;
    const square = (value: number, size: number, cols: number): Matrix => ({
      rows: size,
      cols,
      data: new Float32Array(size * cols).fill(value),
    });
    const tying = typeof model.tying === 'string' ? model.tying : 'untied-later';
    const loss = (at: number): number => (at >= divergence ? Number.NaN : lossAt(tying, at));
    const record = (at: number): StepRecord => ({
      step: at,
      loss: loss(at - 1),
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
    return {
      model,
      training,
      get step() {
        return step;
      },
      run: (steps: number, { signal }: RunOptions = {}) => {
        const aborted = (): void => void log.push(`${tying} aborted`);
        signal?.addEventListener('abort', aborted);
        return answer(`${tying}.run(${String(steps)})`, () => {
          const records = Array.from({ length: steps }, (_, index) => record(step + index + 1));
          step += steps;
          signal?.removeEventListener('abort', aborted);
          return records;
        });
      },
      evaluate: (ids?: Uint32Array) =>
        answer(ids === undefined ? 'evaluate' : `evaluate ${String(ids.length)}`, () => ({
          loss: loss(step),
          perplexity: Math.exp(loss(step)),
          tokens: 1,
          bitsPerByte: null,
        })),
      parameters: () =>
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
          // Stutters: the first token of the prompt again and again.
          const tokenIds = new Uint32Array(tokens).fill(prompt[0] as number);
          onTokens?.(tokenIds.slice(0, 2), null);
          onTokens?.(tokenIds.slice(2), null);
          return { tokenIds, text: null };
        }),
      nextTokenProbabilities: ({ from, to }: NextTokenOptions) =>
        answer('probabilities', () => square(step / 1000, from.length, to?.length ?? model.vocabSize)),
      nextTokenLogits: ({ from, to }: NextTokenOptions) =>
        answer('logits', () => square(step, from.length, to?.length ?? model.vocabSize)),
      rewind: (to = 0) =>
        answer(`${tying}.rewind(${String(to)})`, () => {
          step = to;
        }),
      dispose: () => {
        alive -= 1;
        log.push(`${tying}.dispose`);
      },
    } as unknown as LabTrainer;
  };

  const lab = {
    version: '0',
    simd: 'simd128',
    mode: 'worker',
    trainTokenizer: (text: string, options: TokenizerOptions) =>
      answer(`trainTokenizer ${options.kind} ${String(options.vocabSize)}`, () => tokenizer(text, options)),
    bigrams: (ids: Uint32Array, vocabSize: number) => answer('bigrams', () => countBigrams(ids, vocabSize)),
    bigramBounds: () => answer('bigramBounds', () => floors),
    writeStories: ({ seed, length }: { seed: number; length: number }) =>
      answer(`writeStories ${String(seed)}`, () => 'once upon a time '.repeat(Math.ceil(length / 17))),
    randomMarkovChain: ({ states }: { states: number }) =>
      answer('randomMarkovChain', () => ({ rows: states, cols: states, data: new Float32Array(states * states) })),
    sampleMarkovChain: ({ transition }: { transition: Matrix }) =>
      answer('sampleMarkovChain', () => Uint32Array.from({ length: 1000 }, (_, at) => (at * at) % transition.rows)),
    markovBounds: () => answer('markovBounds', () => ({ ...floors, stationary: new Float32Array() })),
    createTrainer: (options: TrainerOptions) =>
      answer(`createTrainer ${JSON.stringify(options.model.tying).replace(/"/g, '')}`, () => trainer(options)),
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
      failures.set(verb, error);
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
