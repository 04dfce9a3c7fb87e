// How <tied-seq2seq> presents its runs, and in which order it trains. Its use is tested in tests/browser/seq2seq.test.ts.
import { describe, expect, it } from 'vitest';
import { TiedError } from '../../../web/core/runtime/errors.js';
import { parsePairs } from '../../../web/core/text/pair-texts.js';
import type { Lab } from '../../../web/core/types.js';
import { alignmentSeries, apartWords, driftSeries } from '../../../web/elements/seq2seq/apart.js';
import { pullSeries, qualitySeries } from '../../../web/elements/seq2seq/curves.js';
import {
  marksOf,
  momentSteps,
  comparedTables,
  pullAt,
  spread,
  stepOf,
  tableComparisons,
  type History,
  type Moment,
  type ModelHistory,
  type Plan,
} from '../../../web/elements/seq2seq/history.js';
import { divided, longest, refusalWords, refusedLine, TooFewPairs } from '../../../web/elements/seq2seq/own-pairs.js';
import { Seq2seqRun } from '../../../web/elements/seq2seq/run.js';
import { inOrder, seq2seqSettings } from '../../../web/elements/seq2seq/seq2seq.settings.js';
import { seq2seqStrings as texts } from '../../../web/elements/seq2seq/seq2seq.strings.js';
import { errorOf } from '../core/support.js';
import { placeTables } from '../../../web/elements/seq2seq/tables-drawing.js';
import { LabLease } from '../../../web/elements/shared/lab-lease.js';
import { noElement } from '../../../web/elements/shared/when-gone.js';

const norms = (encoder: number[], input: number[], output: number[]): ModelHistory['norms'] => ({
  encoder,
  input,
  output,
});

describe('what a model wrote', () => {
  const shown = (written: string, target: string) =>
    marksOf(written, target)
      .map(({ text, right }) => (right ? text : `[${text}]`))
      .join('');
  it('is highlighted where it differs from the target', () => {
    expect(shown('abc', 'abc')).toBe('abc');
    expect(shown('abd', 'abc')).toBe('ab[d]');
    expect(shown('', 'abc')).toBe('');
    expect(shown('xyz', '')).toBe('[xyz]');
  });
  it('is aligned by the fewest edits, so an extra or missing letter does not affect the others', () => {
    expect(shown('aabc', 'abc')).toMatch(/^(\[a\]abc|a\[a\]bc)$/);
    expect(shown('bcdef', 'abcdef')).toBe('bcdef');
    expect(shown('θαλας', 'θάλας')).toBe('θ[α]λας');
  });
  it('contains every character once and in order, with as many wrong ones as there are edits', () => {
    for (const [written, target] of [
      ['kitten', 'sitting'],
      ['went', 'goed'],
      ['12045', '1245'],
    ] as const) {
      expect(
        marksOf(written, target)
          .map(({ text }) => text)
          .join(''),
      ).toBe(written);
    }
  });
});

describe('the moments', () => {
  it('are increasing integers from 0 to the last step', () => {
    for (const steps of [20, 300, 10_000]) {
      const moments = momentSteps(steps);
      expect([moments[0], moments.at(-1)]).toEqual([0, steps]);
      expect(moments).toEqual([...new Set(moments)].sort((a, b) => a - b));
      expect(moments.every(Number.isInteger)).toBe(true);
    }
  });
  it('are spread evenly if there are more steps than can be shown', () => {
    expect(spread(3, 5)).toEqual([0, 1, 2]);
    expect(spread(14, 5)).toEqual([0, 3, 7, 10, 13]);
    expect(spread(0, 5)).toEqual([]);
  });
  it('include the chosen one, however many follow', () => {
    for (let count = 1; count < 40; ++count) {
      for (let chosen = 0; chosen < count; ++chosen) {
        const shown = spread(count, 5, chosen);
        expect(shown).toContain(chosen);
        expect([shown.length, shown[0], shown.at(-1)]).toEqual([Math.min(5, count), 0, count - 1]);
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
      }
    }
  });
});

describe('the pull of the roles', () => {
  it('is the fraction of each role in the norms over the last steps', () => {
    const of = norms([1, 1, 1], [1, 1, 1], [2, 2, 2]);
    expect(pullAt({ norms: of }, 3)).toEqual({ encoder: 0.25, input: 0.25, output: 0.5 });
    const late = norms(
      [...Array<number>(10).fill(9), ...Array<number>(10).fill(0)],
      Array<number>(20).fill(1),
      Array<number>(20).fill(3),
    );
    expect(pullAt({ norms: late }, 20)).toEqual({ encoder: 0, input: 0.25, output: 0.75 });
  });
  it('before the first step equals that of the first step, and is unknown without a step', () => {
    expect(pullAt({ norms: norms([3], [0], [1]) }, 0)).toEqual({ encoder: 0.75, input: 0, output: 0.25 });
    expect(pullAt({ norms: norms([], [], []) }, 0)).toBeNull();
  });
  it('divides each table among its roles, in drawings of equal size that do not overlap', () => {
    const pull = { encoder: 0.2, input: 0.1, output: 0.7 };
    for (const width of [220, 320]) {
      for (const tying of ['all', 'decoder', 'none'] as const) {
        const tables = placeTables(tying, pull, width);
        expect(tables).toHaveLength({ all: 1, decoder: 2, none: 3 }[tying]);
        for (const [at, { x, width: own, bands }] of tables.entries()) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + own).toBeLessThanOrEqual(tables[at + 1]?.x ?? width);
          expect(bands[0]!.from).toBe(x);
          expect(bands.at(-1)!.to).toBeCloseTo(x + own, 9);
        }
      }
    }
    const [whole] = placeTables('all', pull, 300);
    expect(whole!.bands.map(({ from, to }) => (to - from) / whole!.width)).toEqual([
      expect.closeTo(0.2, 9),
      expect.closeTo(0.1, 9),
      expect.closeTo(0.7, 9),
    ]);
    expect(placeTables('decoder', pull, 300)[1]!.bands.map(({ role }) => role)).toEqual(['input', 'output']);
  });
  it('is drawn in percentages that add up', () => {
    const model = { norms: norms([1, 2], [1, 2], [2, 4]) } as ModelHistory;
    const series = pullSeries(texts, model);
    expect(series.map(({ y }) => Array.from(y))).toEqual([
      [25, 25],
      [25, 25],
      [50, 50],
    ]);
  });
});

describe('tables of a model', () => {
  const moment = (step: number, drift: number, cosine: number): Moment => ({
    ...{ step, loss: 1, exactMatch: 0.5, characterErrorRate: 0.5, written: [] },
    drift: { encoder: drift, input: 2 * drift, output: 3 * drift },
    alignment: Object.fromEntries(
      tableComparisons.map((pair, at) => [
        pair,
        { cosine: cosine + at / 10, chance: { mean: 0.01 * at, least: -0.02, most: 0.05 * (at + 1) } },
      ]),
    ),
  });
  const of = (tying: ModelHistory['tying'], cosine: number): ModelHistory => ({
    ...{ tying, parameters: 10, tableParameters: 5, norms: norms([], [], []) },
    moments: [moment(0, 0, 0), moment(20, 0.4, cosine)],
  });
  const history = (...models: ModelHistory[]) => ({ models }) as unknown as History;

  it('are compared in pairs of different tables, each pair once', () => {
    expect([comparedTables('all'), comparedTables('decoder'), comparedTables('none')]).toEqual([
      [],
      ['encoder-input'],
      [...tableComparisons],
    ]);
  });
  it('are drawn with their measured similarity and the range of chance', () => {
    const series = alignmentSeries(texts, of('none', 0.3));
    expect(series.map(({ id, y }) => [id, Array.from(y)])).toEqual([
      ['encoder-input', [0, 0.3]],
      ['encoder-output', [0.1, 0.4]],
      ['input-output', [0.2, 0.5]],
      ['chance', [expect.closeTo(0.01), expect.closeTo(0.01)]],
    ]);
    expect(series[3]!.runs!.map((run) => Array.from(run)[1])).toEqual([-0.02, expect.closeTo(0.15)]);
    expect(alignmentSeries(texts, of('decoder', 0.3)).map(({ label }) => label)).toEqual([
      'Encoder and decoder',
      'By chance',
    ]);
  });
  it('are drawn with their measured drift, a shared table once, beside the model with one table', () => {
    const drifts = (...models: ModelHistory[]) =>
      driftSeries(texts, history(...models)).map(({ label, y }) => [label, y[1]]);
    expect(drifts(of('all', 0), of('decoder', 0), of('none', 0))).toEqual([
      ['Encoder reads', 0.4],
      ['Decoder reads', 0.8],
      ['Decoder writes', expect.closeTo(1.2)],
      ['One table', 0.4],
    ]);
    expect(drifts(of('decoder', 0))).toEqual([
      ['Encoder reads', 0.4],
      ['Decoder reads and writes', 0.8],
    ]);
    expect(drifts(of('all', 0))).toEqual([['One table', 0.4]]);
  });
  it('are called alike only beyond chance', () => {
    const words = (model: ModelHistory) => apartWords(texts, history(model), 20);
    expect(words(of('none', -0.2))).toBe(
      'The three tables have not become alike: a token’s rows have a cosine of at most 0.00, no more than by chance.',
    );
    expect(words(of('none', 0.02))).toBe(
      'Among the three tables, more alike than by chance: encoder reads, decoder writes (0.12), decoder reads, decoder writes (0.22).',
    );
    expect(words(of('decoder', 0.06))).toBe(
      'Among the two tables, more alike than by chance: encoder and decoder (0.06).',
    );
    expect(words(of('all', 1))).toBe('');
  });
});

describe('own pairs', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, at) => ({ source: `s${at}`, target: `t${at}` }));
  it('are split: one in ten is held out, at most a hundred', () => {
    const { trained, heldOut, leftOut } = divided(pairs(30));
    expect([trained.length, heldOut.map(({ source }) => source), leftOut]).toEqual([27, ['s1', 's11', 's21'], 0]);
    expect(divided(pairs(5000)).heldOut).toHaveLength(100);
    expect(divided(pairs(2)).trained).toHaveLength(1);
  });
  it('are left out if a side is too long, and refused if none are left to show', () => {
    const long = { source: 'ä'.repeat(longest + 1), target: 'a' };
    const { trained, leftOut } = divided([long, ...pairs(10), { ...long, source: 'ä'.repeat(longest) }]);
    expect([leftOut, trained.length]).toEqual([1, 10]);
    expect(() => divided(pairs(1))).toThrow(TooFewPairs);
    expect(() => divided([long, long])).toThrow(TooFewPairs);
  });
  it('are refused at the same line as by the core', () => {
    expect(refusedLine('a\tb\r\n\nc\td\tmore\n')).toBeNull();
    for (const [bad, line, words] of [
      ['a\tb\n\nc', 3, /is not a pair/],
      ['a\tb\r\nc\t\r\n', 2, /is not a pair/],
      ['\tb', 1, /is not a pair/],
      ['a\t\tb', 1, /is not a pair/],
      ['a\t\r', 1, /is not a pair/],
      [`a\tb\n${'c'.repeat(2 ** 16 + 1)}\td`, 2, /has more than 65,536 characters on one side/],
      ['a\tb\n\nc\t\u0003d\n', 3, /has a control character/],
      ['a\u0002\tb', 1, /has a control character/],
      [`${'a\tb\n'.repeat(2 ** 20)}\nc\td`, 2 ** 20 + 2, /too many pairs: from line 1,048,578/],
    ] as const) {
      expect(refusedLine(bad)?.line, JSON.stringify(bad.slice(0, 20))).toBe(line);
      const error = errorOf(() => parsePairs(bad));
      expect(error.message).toMatch(new RegExp(`^line ${line} of text `));
      expect(refusalWords(texts, error, bad)).toMatch(words);
    }
    expect(refusalWords(texts, new TooFewPairs(), 'a\tb')).toBe(texts.tooFewPairs);
    expect(refusalWords(texts, new Error('another'), 'a')).toBeNull();
  });
});

it('the models to train have a fixed order, and selecting all of them is the default', () => {
  expect(inOrder(['none', 'all'])).toEqual(['all', 'none']);
  expect(inOrder(['none', 'all', 'decoder'])).toBe(seq2seqSettings.tyings.initial);
});

it('one unseen source is not called several', () => {
  expect(texts.claim('20', '1', 'one table 100%')).toBe(
    'After 20 steps, these shares of 1 unseen source are right: one table 100%.',
  );
  expect(texts.leftOut('1', '64')).toMatch(/^1 pair was left out: it has /);
});

it('qualities are drawn in percent and losses in nats', () => {
  const moments = [{ step: 0, exactMatch: 0.5, characterErrorRate: 0.25, loss: 2 } as Moment];
  const history = { models: [{ tying: 'all', moments } as unknown as ModelHistory] } as unknown as History;
  const [exact] = qualitySeries(texts, history, 'exact-match');
  const [loss] = qualitySeries(texts, history, 'loss');
  expect([exact!.y, loss!.y, exact!.role]).toEqual([[50], [2], 'tied']);
});

/** A lab that records its calls; training takes no time. */
function standInLab(log: string[], deaths: number): { lab: Lab; open: () => number } {
  let open = 0;
  let left = deaths;
  const trainerOf = ({ model: { tying } }: { model: { tying: string } }) => {
    open++;
    return Promise.resolve({
      run: (steps: number) => {
        log.push(`${tying} +${steps}`);
        if (tying === 'none' && left-- > 0) return Promise.reject(new TiedError('stopped', 'the worker stopped'));
        const ones = new Float64Array(steps).fill(1);
        const gradient = { encoderGradientNorm: ones, inputGradientNorm: ones, outputGradientNorm: ones };
        const drift = { encoderEmbeddingDrift: ones, embeddingDrift: ones, unembeddingDrift: ones };
        return Promise.resolve({ ...gradient, ...drift });
      },
      matrix: (name: string) => Promise.resolve(name),
      parameters: () => Promise.resolve([{ count: 10 }, { count: 5 }]),
      evaluatePairs: () => {
        log.push(`${tying} measured`);
        return Promise.resolve({ loss: 1, exactMatch: 0.5, characterErrorRate: 0.25 });
      },
      translate: ({ source }: { source: string }) => Promise.resolve({ text: source, tokenIds: Uint32Array.of(2) }),
      pairAttention: () =>
        Promise.resolve({
          cross: [
            { weights: { rows: 2, cols: 1, data: Float32Array.of(1, 0) } },
            { weights: { rows: 2, cols: 1, data: Float32Array.of(0, 0.5) } },
          ],
        }),
      dispose: () => void open--,
    });
  };
  const tokenizer = { vocabSize: 28, dispose: () => void open-- };
  const lab = {
    writePairs: ({ count }: { count: number }) =>
      Promise.resolve(Array.from({ length: count }, (_, at) => ({ source: `a${at}`, target: `${at}a` }))),
    pairTokenizer: () => Promise.resolve((open++, tokenizer)),
    encodePairs: ({ pairs }: { pairs: readonly unknown[] }) =>
      Promise.resolve({
        pairs: { source: pairs.map(() => Uint32Array.of(2)), target: pairs.map(() => Uint32Array.of(2)) },
        sourceLength: 1,
        contextLength: 2,
      }),
    // Asked of labs that may be dead; this one lives.
    symmetry: () => Promise.resolve({}),
    estimateMemory: () => Promise.resolve({}),
    createTrainers: (list: readonly Parameters<typeof trainerOf>[0][]) => Promise.all(list.map(trainerOf)),
    align: (one: string, other: string, { nullRuns }: { nullRuns: number }) => {
      log.push(`aligned ${one} ${other}`);
      const runs = Array.from({ length: nullRuns }, (_, at) => at / 100);
      return Promise.resolve({ meanCosine: 0.5, null: { meanCosine: 0.1, runs } });
    },
  };
  return { lab: lab as unknown as Lab, open: () => open };
}

describe('a run', () => {
  const plan: Plan = { task: 'reversal', length: 6, seed: 1, tyings: ['all', 'none'], lines: null };
  function opened(deaths = 0) {
    const log: string[] = [];
    const standIn = standInLab(log, deaths);
    const lease = new LabLease(noElement, () => standIn.lab);
    const run = new Seq2seqRun();
    /** Resolves to null if `onPart` or a test has aborted it. */
    const train = (of: Plan, steps: number, onPart?: (history: History) => void, stop = new AbortController()) =>
      lease.ask((lab) =>
        run.train(lab, { plan: of, steps }, { signal: stop.signal, onPart: (history) => onPart?.(history) }),
      );
    return { run, log, train, open: standIn.open };
  }

  it('trains all models to the same steps and measures each at every moment', async () => {
    const { run, log, train, open } = opened();
    const history = (await train(plan, 20))!;
    const { models, examples, heldOut } = history;
    expect(heldOut).toBe(100);
    expect(examples).toHaveLength(4);
    expect(stepOf(history)).toBe(20);
    for (const model of models) {
      expect(model.moments.map(({ step }) => step)).toEqual(momentSteps(20));
      expect(model.norms.encoder).toHaveLength(20);
      const steady = { encoder: 1, input: 1, output: 1 };
      expect(model.moments.map(({ drift }) => drift)).toEqual(
        momentSteps(20).map((step) => (step === 0 ? { encoder: 0, input: 0, output: 0 } : steady)),
      );
      // None for one table; all pairs for three.
      const alignment = { cosine: 0.5, chance: { mean: 0.1, least: 0, most: 0.19 } };
      const found = { 'encoder-input': alignment, 'encoder-output': alignment, 'input-output': alignment };
      for (const moment of model.moments) expect(moment.alignment).toEqual(model.tying === 'all' ? {} : found);
      expect(model.moments[0]!.written[0]).toEqual({
        text: examples[0]!.source,
        attention: { rows: 2, cols: 1, data: Float32Array.of(0.5, 0.25) },
      });
    }
    expect(models.map(({ parameters, tableParameters }) => [parameters, tableParameters])).toEqual([
      [15, 28 * 64],
      [15, 3 * 28 * 64],
    ]);
    // Once trained, a moment is measured again only at a later step.
    const before = log.length;
    expect(await train(plan, 20)).toEqual(history);
    expect(log.slice(before)).toEqual([]);
    const longer = await train(plan, 24);
    expect(longer!.models.map(({ norms: { output } }) => output.length)).toEqual([24, 24]);
    await run.release();
    expect(open()).toBe(0);
  });

  it('resumes after a pause, and starts over if the plan has changed', async () => {
    const { train, open } = opened();
    const stop = new AbortController();
    const steps: number[] = [];
    const pause = (history: History): void => {
      steps.push(stepOf(history));
      if (stepOf(history) === 4) stop.abort();
    };
    expect(await train(plan, 20, pause, stop)).toBeNull();
    expect(steps.at(-1)).toBe(4);
    const resumed = (await train(plan, 20, (history) => steps.push(stepOf(history))))!;
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(resumed.models.map(({ norms: { output } }) => output.length)).toEqual([20, 20]);
    expect(resumed.models[0]!.moments.map(({ step }) => step)).toEqual(momentSteps(20));
    const other = (await train({ ...plan, seed: 2, tyings: ['decoder'] }, 20))!;
    expect(other.models.map(({ tying }) => tying)).toEqual(['decoder']);
    expect(open()).toBe(2);
  });

  it('repeats training that was lost with its worker, unless workers end again and again', async () => {
    const { run, train, open } = opened(2);
    for (const { moments, norms: of } of (await train(plan, 20))!.models) {
      expect(moments.map(({ step }) => step)).toEqual(momentSteps(20));
      expect(of.output).toHaveLength(20);
    }
    await run.release();
    expect(open()).toBe(0);

    const dying = opened(Number.POSITIVE_INFINITY);
    await expect(dying.train(plan, 20)).rejects.toMatchObject({ code: 'stopped' });
    expect(dying.open()).toBe(0);
  });

  it('ends the slice of a paused run before the next one starts', async () => {
    const { run, train, open, log } = opened();
    const stop = new AbortController();
    const parts: History[] = [];
    const paused = train(plan, 20, (history) => parts.push(history), stop);
    stop.abort();
    const next = train({ ...plan, tyings: ['all'] }, 20);
    expect(await paused).toBeNull();
    expect(parts).toEqual([]);
    expect((await next)!.models.map(({ tying }) => tying)).toEqual(['all']);
    expect(log.filter((one) => one.startsWith('aligned'))).toEqual([]);
    await run.release();
    expect(open()).toBe(0);
  });

  it('continues to another number of steps when asked for it on the way', async () => {
    const { train } = opened();
    const stop = new AbortController();
    let longer: Promise<History | null> | null = null;
    await train(
      plan,
      20,
      (history) => {
        if (stepOf(history) < 4 || longer !== null) return;
        stop.abort();
        longer = train(plan, 40);
      },
      stop,
    );
    expect(stepOf((await longer!)!)).toBe(40);
  });

  it('that is discarded at once leaves nothing in the lab', async () => {
    const { run, open, train } = opened();
    const stop = new AbortController();
    const trained = train(plan, 20, undefined, stop);
    stop.abort();
    await run.release();
    expect([await trained, open()]).toEqual([null, 0]);
  });
});
