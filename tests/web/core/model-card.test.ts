// Model cards: their numbers against those of the verbs, and against a model computed by hand.
import { describe, expect, test } from 'vitest';
import { meanCosineDeviation } from '../../../web/core/diagnostics/cosine-by-chance.js';
import type {
  Architecture,
  CardAlignment,
  CardDirectPath,
  CardGradient,
  CardLayers,
  CardNumber,
  CardTable,
  Matrix,
  ModelConfig,
  TableTying,
} from '../../../web/index.js';
import { ALL_TYINGS, BASE, IDS, TRAINING, VOCAB, cardOf, core, pathOf, trained } from './model-card-trainers.js';
import { matrixOf, rowsOf } from './support.js';

describe('a card of a direct path agrees with a calculation by hand', () => {
  // Logits W_E W_Uᵀ for the text 0 1 2 0.
  const E = [
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const U = [
    [0, 2],
    [1, 0],
    [-1, 1],
  ];
  const TEXT = Uint32Array.of(0, 1, 2, 0);

  /** The mean loss and the two parts of its gradient, from the formulas. */
  function byHand(read: number[][], write: number[][]) {
    const zeros = () => read.map((row) => row.map(() => 0));
    const [input, output] = [zeros(), zeros()];
    let [loss, positions] = [0, 0];
    for (let i = 0; i < 3; i++) {
      const [from, to] = [TEXT[i]!, TEXT[i + 1]!];
      const logits = write.map((row) => row.reduce((sum, u, k) => sum + u * read[from]![k]!, 0));
      const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      loss += (Math.log(total) - logits[to]!) / 3;
      const at = [0, 0];
      logits.forEach((logit, token) => {
        const g = (Math.exp(logit) / total - Number(token === to)) / 3;
        for (const k of [0, 1]) {
          at[k]! += g * write[token]![k]!;
          output[token]![k]! += g * read[from]![k]!;
        }
      });
      for (const k of [0, 1]) input[from]![k]! += at[k]!;
      positions += at[0]! ** 2 + at[1]! ** 2;
    }
    const norm = (rows: number[][]): number => Math.hypot(...rows.flat());
    const cosine = input.flat().reduce((sum, g, i) => sum + g * output.flat()[i]!, 0) / (norm(input) * norm(output));
    // Over all orders of three rows.
    const orders = ['012', '021', '102', '120', '201', '210'].map((order) =>
      [...order].reduce(
        (sum, v, to) => sum + [0, 1].reduce((row, k) => row + input[to]![k]! * output[Number(v)]![k]!, 0),
        0,
      ),
    );
    const deviation = Math.hypot(...orders) / Math.sqrt(6) / (norm(input) * norm(output));
    return { loss, input: norm(input), output: norm(output), positions: Math.sqrt(positions), cosine, deviation };
  }

  test.each([
    ['tied', undefined, 0, true],
    // A - Aᵀ by hand: A = [[0, 1, -1], [2, 0, 1], [2, 1, 0]].
    ['untied', U, Math.sqrt((1 ** 2 + 3 ** 2 + 0 ** 2) / 2 / 12), false],
  ] as const)('%s: loss, gradient and asymmetry', (_, write, asymmetry, symmetric) => {
    const trainer = pathOf(E, write as number[][] | undefined);
    const card = cardOf(trainer, { tokenIds: TEXT });
    const expected = byHand(E, (write as number[][] | undefined) ?? E);
    expect(card.loss.loss).toMatchObject({ unit: 'nats per token', chance: Math.log(3) });
    expect(card.loss.loss.value).toBeCloseTo(expected.loss, 6);
    expect(card.loss.perplexity).toMatchObject({ unit: 'tokens', chance: 3 });
    expect([card.loss.tokens, card.loss.leftOut]).toEqual([3, 1]);
    const { gradient } = card;
    expect(gradient.inputNorm.value).toBeCloseTo(expected.input, 6);
    expect(gradient.outputNorm.value).toBeCloseTo(expected.output, 6);
    expect(gradient.inputShare.value).toBeCloseTo(expected.input / (expected.input + expected.output), 6);
    expect(gradient.inputShare.value! + gradient.outputShare.value!).toBeCloseTo(1, 12);
    expect(gradient.inputPositionNorm.value).toBeCloseTo(expected.positions, 6);
    expect(gradient.inputPositionShare.value).toBeCloseTo(
      expected.positions / (expected.positions + expected.output),
      6,
    );
    expect(gradient.cosine.value).toBeCloseTo(expected.cosine, 5);
    expect(gradient.cosine.chance).toBe(0);
    expect(gradient.cosine.chanceDeviation).toBeCloseTo(expected.deviation, 5);
    expect(gradient.reach).toEqual({ notMeasured: expect.stringMatching(/no layers between its tables/) });
    expect(card.directPath).toMatchObject({ rows: 3, symmetric, asymmetry: { chance: Math.SQRT1_2 } });
    expect((card.directPath as { asymmetry: CardNumber }).asymmetry.value).toBeCloseTo(asymmetry, 6);
    expect((card.directPath as CardDirectPath).withFinalNorm).toEqual({
      notMeasured: expect.stringMatching(/no final norm/),
    });
    expect(card.layers).toEqual({ notMeasured: 'A direct path has no layers.' });
    expect(card.loss.bitsPerByte).toEqual({ notMeasured: expect.stringMatching(/Without a tokenizer/) });
  });

  test('tied: one table of 6 parameters, not two', () => {
    const { parameters, coupling, tables } = cardOf(pathOf(E), { tokenIds: TEXT });
    expect(parameters.stored.value).toBe(6);
    expect(parameters.untied.value).toBe(12);
    expect(parameters.saved).toEqual({ value: 6, unit: 'parameters', chance: null, chanceDeviation: null });
    expect([parameters.savedOfStored.value, parameters.savedOfUntied.value]).toEqual([1, 0.5]);
    expect(coupling.shared).toEqual([['unembedding', 'embedding']]);
    expect(tables.relation).toBe('shared');
    expect(tables.alignments).toHaveProperty('notMeasured');
    expect(tables.output).toEqual({ notMeasured: 'It is the input embedding.' });
    const { meanNorm, normSpearman } = tables.input as CardTable;
    expect(meanNorm.value).toBeCloseTo((1 + 1 + Math.SQRT2) / 3, 6);
    expect(normSpearman.chanceDeviation).toBeCloseTo(Math.SQRT1_2, 6);
  });

  test('a long text is read in parts with the same result', () => {
    const tokenIds = Uint32Array.from({ length: 2500 }, (_, i) => (i * i + (i % 4)) % 3);
    const trainer = pathOf(E, U);
    const { input, output, inputPositionNorm } = trainer.gradient({
      inputs: tokenIds.slice(0, -1),
      targets: tokenIds.slice(1),
    });
    const { gradient } = cardOf(trainer, { tokenIds });
    expect(gradient.tokens).toBe(2499);
    expect(gradient.inputNorm.value).toBeCloseTo(Math.hypot(...input.data), 6);
    expect(gradient.outputNorm.value).toBeCloseTo(Math.hypot(...output.data), 6);
    expect(gradient.inputPositionNorm.value).toBeCloseTo(inputPositionNorm, 6);
  });
});

describe('a card of a transformer', () => {
  const values = (numbers: (CardNumber | null)[]): (number | null)[] => numbers.map((number) => number?.value ?? null);

  test.each(ALL_TYINGS)('has the same numbers as the verbs: %j', (model) => {
    const trainer = trained(model);
    const lens = { tokenIds: IDS, steps: 10, tokensPerStep: 32, seed: 4 };
    const before = trainer.save();
    const card = cardOf(trainer, { tunedLens: lens });
    expect(trainer.save()).toEqual(before);

    const reading = trainer.logitLens(IDS);
    const { layers: plain } = reading;
    const trainedLens = trainer.trainTunedLens(lens);
    const { layers: tuned } = trainer.logitLens(IDS, { lens: trainedLens });
    const layers = card.layers as CardLayers;
    expect([layers.tokens, layers.leftOut]).toEqual([150, reading.leftOut]);
    expect(layers.lens).toEqual({
      ...{ tokens: 150, leftOut: trainedLens.leftOut, steps: 10, tokensPerStep: 32, learningRate: 0.01, seed: 4 },
    });
    expect(values(layers.layers.map(({ divergence }) => divergence))).toEqual(
      plain.map(({ divergence }) => divergence),
    );
    expect(values(layers.layers.map(({ loss }) => loss))).toEqual(plain.map(({ loss }) => loss));
    expect(values(layers.layers.map((layer) => layer.tunedDivergence))).toEqual(tuned.map((layer) => layer.divergence));
    const without = trainer.ablateLayers(IDS).layers;
    expect(values(layers.ablation.map(({ loss }) => loss))).toEqual(without.map(({ loss }) => loss));
    expect(values(layers.ablation.map(({ increase }) => increase))).toEqual(without.map(({ increase }) => increase));
    expect(layers.ablation.map((one) => [one.layer, one.standardError])).toEqual(
      without.map(({ standardError }, layer) => [layer, standardError]),
    );
    expect(layers.ablation[0]!.increase.chance).toBe(0);
    const last = layers.layers.at(-1)!;
    expect([last.divergence.value, last.tunedDivergence!.value]).toEqual([0, 0]);
    expect(layers.layers[0]!.divergence).toMatchObject({ unit: 'bits', chance: reading.chance });

    const report = trainer.gradientReport(IDS);
    const gradient: CardGradient = card.gradient;
    expect(values([gradient.inputShare, gradient.inputPositionShare, gradient.inputNorm, gradient.cosine])).toEqual([
      ...[report.inputShare, report.inputPositionShare, report.input, report.cosine],
    ]);
    expect(gradient.cosine).toMatchObject({ chance: 0, chanceDeviation: report.cosineNull.standardDeviation });
    expect(gradient.reach).toMatchObject({ value: report.reach.share, chance: Math.sqrt(8 / VOCAB) });

    const path = card.directPath as CardDirectPath;
    expect([path.withFinalNorm, path.throughMlp0]).toEqual(
      [false, true].map((mlp0) => ({
        value: trainer.directPath({ finalNorm: true, mlp0, symmetry: true }).asymmetry,
        ...{ unit: 'fraction', chance: Math.SQRT1_2, chanceDeviation: null },
      })),
    );

    const losses = trainer.lossByFrequency(IDS);
    expect(card.loss.loss.value).toBe(losses.loss);
    expect(card.loss.fromFrequencies).toMatchObject({ value: losses.chance, chance: Math.log(VOCAB) });
    expect(card.loss.bands.map(({ from, to, tokens, loss }) => [from, to, tokens, loss.value, loss.chance])).toEqual(
      losses.bands.map(({ from, to, tokens, loss, chance }) => [from, to, tokens, loss, chance]),
    );
  });

  test.each(ALL_TYINGS)('counts parameters as countParameters does: %j', (model) => {
    const trainer = trained(model);
    const { parameters } = cardOf(trainer);
    // Of ALL_TYINGS, the untied model differs in more.
    const full = model.norm === 'layer-norm';
    const architecture = {
      ...{
        family: 'tied-embeddings',
        vocabSize: VOCAB,
        dModel: 8,
        nLayers: 2,
        nHeads: 2,
        contextLength: 16,
        lowRank: 2,
      },
      ...(full ? { norm: 'layer-norm', biases: 'all', normBiases: true, outputBias: true } : {}),
      finalNorm: model.finalNorm ?? true,
    } as Architecture;
    const { tying } = model;
    const now = trainer.parameters().some(({ tiedTo }) => tiedTo !== null) ? 'tied' : 'untied';
    const count = core.countParameters(architecture, (typeof tying === 'string' ? tying : now) as TableTying);
    expect(parameters.stored.value).toBe(count.stored);
    expect(parameters.untied.value).toBe(count.untied);
    expect(parameters.saved.value).toBe(count.saved);
    expect(parameters.savedOfStored.value).toBe(count.savedOfStored);
    expect(parameters.tables).toBe(count.tables);
  });

  test('aligns separate tables, on held-out rows and compared with chance', () => {
    const trainer = trained();
    const { tables } = cardOf(trainer, { nullRuns: 4, seed: 9 });
    expect(tables.relation).toBe('separate');
    for (const [method, found] of Object.entries(tables.alignments)) {
      const expected = core.align(trainer.matrix('embedding'), trainer.matrix('unembedding'), {
        method: method as 'linear',
        nullRuns: 4,
        seed: 9,
      });
      const { runs, meanCosine: chance, theory } = expected.null;
      const deviation = Math.sqrt(runs.reduce((sum, run) => sum + (run - chance) ** 2, 0) / 3);
      expect(found).toEqual({
        ...{ rows: VOCAB, leftOut: 0, nullRuns: 4, seed: 9, chanceInTheory: theory },
        meanCosine: { value: expected.meanCosine, unit: 'cosine', chance, chanceDeviation: deviation },
        residual: { value: expected.residual, unit: 'ratio', chance: null, chanceDeviation: null },
        heldOut: {
          rows: expected.heldOut!.tokens,
          meanCosine: { value: expected.heldOut!.meanCosine, unit: 'cosine', chance: 0, chanceDeviation: null },
          residual: { value: expected.heldOut!.residual, unit: 'ratio', chance: null, chanceDeviation: null },
        },
      });
    }
    for (const [role, name] of [['input', 'embedding'] as const, ['output', 'unembedding'] as const]) {
      const counts = new Uint32Array(VOCAB);
      for (const id of IDS) counts[id]!++;
      const isotropy = core.isotropy(trainer.matrix(name), { counts, seed: 9 });
      const norms = core.normFrequency(trainer.matrix(name), counts);
      const table = tables[role] as CardTable;
      expect(values([table.meanCosine, table.isoScore, table.effectiveRank, table.normSpearman])).toEqual([
        ...[isotropy.meanCosine, isotropy.isoScore, isotropy.effectiveRank, norms.spearman],
      ]);
      expect(table.meanCosine).toMatchObject({ chance: 0, chanceDeviation: meanCosineDeviation(VOCAB, 8) });
      expect(table.centeredMeanCosine.chance).toBe(isotropy.null.centeredMeanCosine);
      expect(table.partition.value).toBe(isotropy.partition);
      expect(table.partition.chance).toBe(Number.isNaN(isotropy.null.partition) ? null : isotropy.null.partition);
      expect(table.frequencyR2.value).toBe(isotropy.frequencyR2!.heldOut);
      expect(table.normSpearman.chanceDeviation).toBe(norms.null);
    }
  });

  test('compares a derived output embedding as the model uses it', () => {
    const times = (a: Matrix, b: Matrix): number[][] =>
      rowsOf(a).map((row) => rowsOf(b).map((other) => row.reduce((sum, x, k) => sum + x * other[k]!, 0)));
    const linear = trained({ tying: 'tied-linear' });
    const lowRank = trained({ tying: 'tied-low-rank', lowRank: 2 } as Partial<ModelConfig>);
    const added = times(lowRank.matrix('low_rank.a'), lowRank.matrix('low_rank.b'));
    const corrected = rowsOf(lowRank.matrix('embedding')).map((row, i) => row.map((x, k) => x + added[i]![k]!));
    for (const [trainer, writing] of [
      [linear, times(linear.matrix('embedding'), linear.matrix('between'))],
      [lowRank, corrected],
    ] as const) {
      const card = cardOf(trainer);
      const [embedding, unembedding] = [trainer.matrix('embedding'), matrixOf(writing)];
      expect(card.tables.relation).toBe('derived');
      const { identity } = card.tables.alignments as Record<'identity', CardAlignment>;
      const expected = core.align(embedding, unembedding, { method: 'identity', nullRuns: 3 });
      expect(identity.meanCosine.value).toBeCloseTo(expected.meanCosine, 5);
      const { asymmetry } = core.directPathSymmetry({ embedding, unembedding });
      expect(asymmetry).toBeGreaterThan(0.01);
      expect((card.directPath as { asymmetry: CardNumber }).asymmetry.value).toBeCloseTo(asymmetry, 5);
    }
  });

  test('reports the chance level of the participation ratio, which random tables reach', () => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 400, dModel: 50, tying: 'tied' },
      training: { ...TRAINING, seed: 8 },
      tokenIds: IDS,
    });
    const { participationRatio, effectiveRank, isoScore, meanCosine, centeredMeanCosine } = cardOf(trainer).tables
      .input as CardTable;
    expect(participationRatio.chance).toBeCloseTo(50 / (1 + 50 / 399), 9);
    for (const { value, chance } of [participationRatio, effectiveRank, isoScore]) {
      expect(Math.abs(value! / chance! - 1)).toBeLessThan(0.02);
    }
    expect(meanCosine.value).toBeCloseTo(0, 2);
    expect(centeredMeanCosine.value).toBeCloseTo(0, 2);
  });

  test('reports chance levels of alignments, which random tables reach', () => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 400, dModel: 50, tying: 'untied' },
      training: { ...TRAINING, seed: 8 },
      tokenIds: IDS,
    });
    const { tables, directPath } = cardOf(trainer, { nullRuns: 8 });
    for (const found of Object.values(tables.alignments) as CardAlignment[]) {
      const { meanCosine, chanceInTheory, heldOut } = found;
      expect(Math.abs(meanCosine.value! - meanCosine.chance!)).toBeLessThan(0.03);
      expect(Math.abs(meanCosine.chance! - chanceInTheory!)).toBeLessThan(0.02);
      expect(meanCosine.chanceDeviation).toBeLessThan(0.02);
      expect(heldOut!.rows).toBe(80);
      expect(Math.abs(heldOut!.meanCosine.value!)).toBeLessThan(0.06);
    }
    const { asymmetry } = directPath as CardDirectPath;
    expect(Math.abs(asymmetry.value! - asymmetry.chance!)).toBeLessThan(0.02);
  });

  test('reports bits per byte if there is a tokenizer, and accepts counts of another text', () => {
    const text = 'the cat sat on the mat and the dog sat on the log. '.repeat(9);
    const tokenizer = core.trainTokenizer(text, { kind: 'word' });
    const tokenIds = tokenizer.encode(text);
    const trainer = core.createTrainer({
      model: { ...BASE, vocabSize: tokenizer.vocabSize } as ModelConfig,
      training: TRAINING,
      ...{ tokenIds, tokenizer },
    });
    const counts = new Uint32Array(tokenizer.vocabSize).fill(50);
    const card = cardOf(trainer, { tokenIds, counts });
    expect((card.loss.bitsPerByte as CardNumber).value).toBeCloseTo(trainer.evaluate(tokenIds).bitsPerByte!, 5);
    expect(card.loss.bands.map(({ from, to }) => [from, to])).toEqual([[32, 99]]);
    expect(card.text).toEqual({ tokens: tokenIds.length, distinct: new Set(tokenIds).size, counts: 'given' });
  });
});
