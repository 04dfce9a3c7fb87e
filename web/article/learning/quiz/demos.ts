import type { Lab, Matrix, ModelConfig, Tying } from '../../../core/types.js';
import { make } from '../dom.js';
import { count, mean, nats, percent, rowsOf, type Row } from './draw.js';

/** What the build wrote for the quiz (`build/quiz-facts.mjs`). */
export interface QuizFacts {
  readonly rows: readonly number[];
  readonly words: readonly string[];
  /** The shares of all steps of the roundabout, [3, 3]. */
  readonly roundabout: readonly number[];
  readonly losses: Readonly<Record<'tied' | 'tiedWide' | 'tiedMap' | 'untied', readonly number[]>>;
  readonly parameters: Readonly<Record<'tied' | 'tiedWide' | 'tiedMap' | 'untied', number>>;
  readonly alignment: {
    readonly writing: readonly number[];
    readonly reading: readonly number[];
    readonly chance: number;
  };
  readonly models: readonly { readonly name: string; readonly tied: boolean; readonly total: number }[];
}

export interface Stage {
  readonly lab: () => Promise<Lab>;
  readonly facts: () => Promise<QuizFacts>;
  /** Replaces what is shown. */
  readonly draw: (...nodes: readonly (Node | string)[]) => void;
  /** 0 for the first time, then counting. */
  readonly round: number;
}

export interface Demo {
  readonly run: (stage: Stage) => Promise<void>;
  /** The name of the button for another round; null if every round is the same. */
  readonly again: string | null;
}

const randomMatrix = (rows: number, cols: number): Matrix => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, () => 2 * Math.random() - 1),
});

const square = (data: readonly number[]): Matrix => {
  const rows = Math.sqrt(data.length);
  return { rows, cols: rows, data: Float32Array.from(data) };
};

/** The loss of a direct path after training on all pairs of a table of counts. */
async function lossOn(lab: Lab, counts: Matrix, tying: Tying, dModel: number, steps = 2000): Promise<number> {
  const trainer = await lab.createTrainer({
    model: { kind: 'direct-path', vocabSize: counts.rows, dModel, tying, initStd: 0.5 } as ModelConfig,
    training: { learningRate: 0.05, decay: 'cosine', totalSteps: steps, seed: 1 },
    bigramCounts: counts,
  });
  try {
    await trainer.run(steps, { recordEvery: steps });
    return (await trainer.evaluate()).loss;
  } finally {
    trainer.dispose();
  }
}

const barOf = (label: string, kind: Row['kind'], value: number, text = nats(value)): Row => ({
  label,
  kind,
  values: [value],
  text,
});

const dotsOf = (label: string, kind: Row['kind'], values: readonly number[], digits = 3): Row => ({
  label,
  kind,
  values,
  text: mean(values).toFixed(digits),
});

const sameScore: Demo = {
  again: 'A hundred others',
  async run({ lab: open, draw }) {
    const lab = await open();
    const tables = 100;
    const [words, width] = [20, 4];
    const symmetric = { one: 0, two: 0 };
    for (let i = 0; i < tables; i++) {
      const embedding = randomMatrix(words, width);
      const unembedding = randomMatrix(words, width);
      const [one, two] = await Promise.all([
        lab.directPathSymmetry({ embedding }),
        lab.directPathSymmetry({ embedding, unembedding }),
      ]);
      symmetric.one += Number(one.maxDifference === 0);
      symmetric.two += Number(two.maxDifference === 0);
    }
    draw(
      rowsOf({
        title: `Random tables of ${words} words: in how many do all scores equal their mirror images, to the last bit?`,
        domain: [0, tables],
        as: 'bars',
        rows: [
          barOf('one table', 'tied', symmetric.one, `${symmetric.one} of ${tables}`),
          barOf('two tables', 'untied', symmetric.two, `${symmetric.two} of ${tables}`),
        ],
      }),
    );
  },
};

const equallyLikely: Demo = {
  again: 'With other rows',
  async run({ lab: open, facts, draw, round }) {
    const [lab, { rows, words }] = await Promise.all([open(), facts()]);
    const embedding = round === 0 ? { rows: 3, cols: 2, data: Float32Array.from(rows) } : randomMatrix(3, 2);
    const trainer = await lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.1, batchSize: 1, seed: 1 },
      tokenIds: Uint32Array.of(0, 1, 2),
    });
    let next: Matrix;
    try {
      await trainer.setMatrix('embedding', embedding);
      const all = Uint32Array.of(0, 1, 2);
      next = await trainer.nextTokenProbabilities({ from: all, to: all });
    } finally {
      trainer.dispose();
    }
    // What a long text from the model consists of.
    const { stationary } = await lab.markovBounds(next);
    const after = (from: number, to: number): number => next.data[3 * from + to]!;
    const pair = (from: number, to: number): number => stationary[from]! * after(from, to);
    const [first, second] = [words[0]!, words[1]!];
    draw(
      rowsOf({
        title: `Three rows${round === 0 ? ' of this page' : ', drawn at random'}: how likely is the second word after the first?`,
        domain: [0, 1],
        as: 'bars',
        rows: [
          barOf(`${second} after ${first}`, 'tied', after(0, 1), percent(after(0, 1))),
          barOf(`${first} after ${second}`, 'tied', after(1, 0), percent(after(1, 0))),
        ],
      }),
      rowsOf({
        title: 'And which share of a long text’s pairs are these?',
        domain: [0, 1],
        as: 'bars',
        rows: [
          barOf(`${first} ${second}`, 'plain', pair(0, 1), `${(100 * pair(0, 1)).toFixed(2)}%`),
          barOf(`${second} ${first}`, 'plain', pair(1, 0), `${(100 * pair(1, 0)).toFixed(2)}%`),
        ],
      }),
    );
  },
};

/** A B A B A B …: its own mirror image, and nothing ever repeats. */
const alternating = square([0, 1000, 1000, 0]);

const symmetryAlone: Demo = {
  again: null,
  async run({ lab: open, draw }) {
    const lab = await open();
    const { symmetricLogits } = await lab.bigramBounds(alternating);
    const [tied, untied] = await Promise.all([
      lossOn(lab, alternating, 'tied', 2),
      lossOn(lab, alternating, 'untied', 2),
    ]);
    draw(
      rowsOf({
        title: 'The text A B A B A B … is its own mirror image. Loss after training on its pairs:',
        domain: [0, Math.LN2],
        as: 'bars',
        rows: [
          barOf('symmetric floor', 'floor', symmetricLogits),
          barOf('one table', 'tied', tied),
          barOf('two tables', 'untied', untied),
        ],
      }),
      make(
        'p',
        {},
        'Symmetry costs nothing here, and yet one table is lost: each letter has to follow itself as often as it occurs, half of the time.',
      ),
    );
  },
};

/** Each of two tokens mostly follows itself. */
const sticky = square([8000, 2000, 2000, 8000]);

const roundaboutOf = ({ roundabout }: QuizFacts): Matrix => square(roundabout.map((share) => Math.round(1e6 * share)));

const someBigrams: Demo = {
  again: null,
  async run({ lab: open, facts, draw }) {
    const [lab, given] = await Promise.all([open(), facts()]);
    const show = async (title: string, counts: Matrix): Promise<HTMLElement> => {
      const { bigram, unigram } = await lab.bigramBounds(counts);
      return rowsOf({
        title,
        domain: [0, unigram],
        as: 'bars',
        rows: [
          barOf('bigram floor', 'floor', bigram),
          barOf('one table', 'tied', await lossOn(lab, counts, 'tied', counts.rows)),
        ],
      });
    };
    draw(
      await show(
        'Two tokens, each of which is followed by itself four times out of five: one table reaches the floor.',
        sticky,
      ),
      await show('Three tokens that go around in a circle: it does not.', roundaboutOf(given)),
    );
  },
};

const anyBigrams: Demo = {
  again: 'Other pairs',
  async run({ lab: open, draw }) {
    const lab = await open();
    const words = 8;
    // Some pairs are much more frequent than others, as in texts.
    const counts = square(Array.from({ length: words * words }, () => Math.ceil(1000 * Math.random() ** 4)));
    const { bigram } = await lab.bigramBounds(counts);
    const rows: Row[] = [];
    for (const width of [1, 2, 3, 5, words - 1]) {
      const gap = Math.max(0, (await lossOn(lab, counts, 'untied', width)) - bigram);
      rows.push(barOf(`width ${width}`, 'untied', gap));
      draw(
        rowsOf({
          title: `${words} words with random pairs: how far two tables stay above the bigram floor`,
          domain: [0, rows[0]!.values[0]!],
          as: 'bars',
          rows,
        }),
      );
    }
  },
};

const map: Demo = {
  again: null,
  async run({ lab: open, facts, draw }) {
    const [lab, given] = await Promise.all([open(), facts()]);
    const counts = roundaboutOf(given);
    const { bigram, unigram } = await lab.bigramBounds(counts);
    const [tied, through] = await Promise.all([lossOn(lab, counts, 'tied', 2), lossOn(lab, counts, 'tied-linear', 2)]);
    const { losses } = given;
    draw(
      rowsOf({
        title: 'The bare direct path on three tokens that go around in a circle: loss',
        domain: [0, unigram],
        as: 'bars',
        rows: [
          barOf('bigram floor', 'floor', bigram),
          barOf('with a map', 'through', through),
          barOf('tied', 'tied', tied),
        ],
      }),
      rowsOf({
        title: `Transformers trained on the plays, every run a dot: held-out loss, nats per token`,
        domain: domainOf([losses.tied, losses.tiedMap]),
        as: 'dots',
        rows: [dotsOf('with a map', 'through', losses.tiedMap), dotsOf('tied', 'tied', losses.tied)],
      }),
    );
  },
};

/** From the least of some values to the largest, with a margin. */
function domainOf(values: readonly (readonly number[])[]): [number, number] {
  const all = values.flat();
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = 0.08 * (high - low);
  return [low - margin, high + margin];
}

const larger: Demo = {
  again: null,
  async run({ facts, draw }) {
    const { losses, parameters } = await facts();
    const label = (name: string, kind: keyof typeof parameters): string =>
      `${name}, ${count(parameters[kind])} parameters`;
    draw(
      rowsOf({
        title: 'Transformers trained on the plays, every run a dot: held-out loss, nats per token; lower is better',
        domain: domainOf([losses.tied, losses.tiedWide, losses.untied]),
        as: 'dots',
        rows: [
          dotsOf(label('tied', 'tied'), 'tied', losses.tied),
          dotsOf(label('untied', 'untied'), 'untied', losses.untied),
          dotsOf(label('tied, wider', 'tiedWide'), 'tied', losses.tiedWide),
        ],
      }),
    );
  },
};

const writing: Demo = {
  again: null,
  async run({ facts, draw }) {
    const { alignment } = await facts();
    draw(
      rowsOf({
        title:
          'Mean cosine between the rows of the shared table and those of an untied model, after the best linear map; every run a dot',
        domain: [0, 1],
        as: 'dots',
        rows: [
          dotsOf('its table that writes', 'output', alignment.writing),
          dotsOf('its table that reads', 'input', alignment.reading),
          dotsOf('shuffled rows', 'floor', [alignment.chance]),
        ],
      }),
    );
  },
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

const timedSteps = 4;
const rounds = 7;

const faster: Demo = {
  again: 'Once more',
  async run({ lab: open, draw }) {
    const lab = await open();
    const kinds = ['tied', 'untied'] as const;
    const model = {
      kind: 'transformer',
      vocabSize: 512,
      dModel: 64,
      nLayers: 2,
      nHeads: 4,
      contextLength: 32,
    } as const;
    const tokenIds = Uint32Array.from({ length: 4096 }, () => Math.floor(model.vocabSize * Math.random()));
    const create = (tying: Tying) =>
      lab.createTrainer({
        model: { ...model, tying },
        training: { learningRate: 0.003, batchSize: 4, seed: 1 },
        tokenIds,
      });
    const trainers = await Promise.all(kinds.map(create));
    const times: Record<(typeof kinds)[number], number[]> = { tied: [], untied: [] };
    const sizes: Record<(typeof kinds)[number], number> = { tied: 0, untied: 0 };
    try {
      for (const [i, kind] of kinds.entries()) {
        const parameters = await trainers[i]!.parameters();
        sizes[kind] = parameters.reduce((sum, one) => sum + (one.tiedTo === null ? one.count : 0), 0);
      }
      // One more than is shown: the first steps also prepare.
      for (let round = 0; round <= rounds; round++) {
        for (const [i, kind] of kinds.entries()) {
          const began = performance.now();
          await trainers[i]!.run(timedSteps, { recordEvery: timedSteps });
          if (round > 0) times[kind].push((performance.now() - began) / timedSteps);
        }
      }
    } finally {
      for (const trainer of trainers) trainer.dispose();
    }
    const all = [...times.tied, ...times.untied];
    const row = (kind: (typeof kinds)[number]): Row => ({
      label: `${kind}, ${count(sizes[kind])} parameters`,
      kind,
      values: times[kind],
      text: `${median(times[kind]).toFixed(1)} ms`,
    });
    draw(
      rowsOf({
        title: `Two small transformers, trained in turn on this machine just now: time per step, ${rounds} rounds, median on the right`,
        domain: [0, Math.max(...all)],
        as: 'dots',
        rows: kinds.map(row),
      }),
    );
  },
};

const billions = (parameters: number): string =>
  parameters >= 1e9
    ? `${Number((parameters / 1e9).toPrecision(2))} billion`
    : `${Math.round(parameters / 1e6)} million`;

const smallModels: Demo = {
  again: null,
  async run({ facts, draw }) {
    const { models } = await facts();
    const range = make('input', { type: 'range', min: '7.8', max: '11', step: '0.05', value: '9.6' });
    range.setAttribute('aria-label', 'Where small ends');
    const output = make('output');
    const found = make('div');
    const show = (): void => {
      const limit = 10 ** range.valueAsNumber;
      const [small, large] = [
        models.filter(({ total }) => total < limit),
        models.filter(({ total }) => total >= limit),
      ];
      const exceptions = [...small.filter(({ tied }) => !tied), ...large.filter(({ tied }) => tied)];
      output.textContent = `${billions(limit)} parameters`;
      range.setAttribute(
        'aria-valuetext',
        `${output.textContent}: ${exceptions.length} of ${models.length} models break the rule`,
      );
      const tiedOf = (some: typeof models): Row['text'] =>
        `${some.filter(({ tied }) => tied).length} of ${some.length}`;
      const share = (some: typeof models): number => some.filter(({ tied }) => tied).length / Math.max(1, some.length);
      found.replaceChildren(
        rowsOf({
          title: 'How many tie?',
          domain: [0, 1],
          as: 'bars',
          rows: [
            barOf('smaller ones', 'tied', share(small), tiedOf(small)),
            barOf('larger ones', 'tied', share(large), tiedOf(large)),
          ],
        }),
        make(
          'p',
          {},
          `“Smaller ones tie, larger ones do not” is wrong for ${exceptions.length} of ${models.length} published models, such as ${exceptions
            .slice(0, 3)
            .map(({ name }) => name)
            .join(', ')}.`,
        ),
      );
    };
    range.addEventListener('input', show);
    show();
    draw(make('label', { className: 'quiz-slider' }, make('span', {}, 'Small ends at ', output), range), found);
  },
};

/** By the id of the claim in the page. */
export const demos: Readonly<Record<string, Demo>> = {
  'claim-same-score': sameScore,
  'claim-equally-likely': equallyLikely,
  'claim-symmetry': symmetryAlone,
  'claim-bigrams': someBigrams,
  'claim-any-bigrams': anyBigrams,
  'claim-map': map,
  'claim-larger': larger,
  'claim-writing': writing,
  'claim-faster': faster,
  'claim-small-models': smallModels,
};
