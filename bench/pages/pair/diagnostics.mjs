// Every diagnostic that the package has, as calls on a pair of models.

const NEIGHBORS = 10;

/** Stacks matrices vertically. */
function stacked(matrices) {
  const rows = matrices.reduce((sum, one) => sum + one.rows, 0);
  const { cols } = matrices[0];
  const data = new Float32Array(rows * cols);
  let at = 0;
  for (const one of matrices) {
    data.set(one.data, at);
    at += one.data.length;
  }
  return { rows, cols, data };
}

/** The last hidden states [n, d] of the predictions of a text, in sequences, before and after the final norm. */
async function statesOf(trainer, ids, length) {
  const readings = [];
  for (let first = 0; first + 1 < ids.length; first += length) {
    const sequence = ids.subarray(first, Math.min(first + length, ids.length - 1));
    readings.push(await trainer.hiddenStates(sequence, { finalNorm: true }));
  }
  return { before: stacked(readings.map((one) => one.at(-2))), after: stacked(readings.map((one) => one.at(-1))) };
}

/**
 * [{ name, call(listening), stops }]: `listening` is { onProgress, signal }; `stops`: whether the verb takes them.
 * @returns {Promise<{ name: string, call: (listening: object) => Promise<unknown>, stops: boolean }[]>}
 */
export async function diagnosticsOf({ lab, corpus, pair, records, training, text, counts }) {
  const found = [];
  const add = (name, call, stops = true) => found.push({ name, call, stops });
  const tables = {
    tied: await pair.tied.matrix('embedding'),
    input: await pair.untied.matrix('embedding'),
    output: await pair.untied.matrix('unembedding'),
  };
  for (const [one, other] of [
    ['input', 'tied'],
    ['output', 'tied'],
    ['input', 'output'],
  ]) {
    const [a, b] = [tables[one], tables[other]];
    const which = `${one} with ${other}`;
    for (const method of ['identity', 'orthogonal', 'linear', 'ridge']) {
      add(`align ${method}, ${which}`, (listening) => lab.align(a, b, { method, nullRuns: 3, ...listening }));
    }
    add(`neighborOverlap, ${which}`, (listening) => lab.neighborOverlap(a, b, { k: NEIGHBORS, ...listening }));
    add(`spectralDistance, ${which}`, (listening) => lab.spectralDistance(a, b, listening));
    add(`cka, ${which}`, (listening) => lab.cka(a, b, listening));
  }
  for (const [which, table] of Object.entries(tables)) {
    add(`spectrum, ${which}`, (listening) => lab.spectrum(table, listening));
    add(`isotropy, ${which}`, (listening) => lab.isotropy(table, { counts, ...listening }));
    add(`neighbors, ${which}`, () => lab.neighbors(table, 7, { k: NEIGHBORS }), false);
    add(`normFrequency, ${which}`, () => lab.normFrequency(table, counts), false);
  }
  for (const [which, trainer] of Object.entries(pair)) {
    let logitLens;
    let lens;
    add(`logitLens, ${which}`, async (listening) => {
      logitLens = await trainer.logitLens(text, listening);
    });
    add(`trainTunedLens, ${which}`, async (listening) => {
      lens = await trainer.trainTunedLens({ tokenIds: training, ...listening });
    });
    add(`logitLens tuned, ${which}`, (listening) => trainer.logitLens(text, { lens, ...listening }));
    add(`gradientReport, ${which}`, (listening) => trainer.gradientReport(text, { counts, ...listening }));
    add(`lossByFrequency, ${which}`, (listening) => trainer.lossByFrequency(text, { counts, ...listening }));
    add(`ablateLayers, ${which}`, (listening) => trainer.ablateLayers(text, listening));
    add(`directPathReport, ${which}`, (listening) =>
      trainer.directPathReport(text, { bigramsOf: training, ...listening }),
    );
    for (const stage of [{}, { finalNorm: true }, { finalNorm: true, mlp0: true }]) {
      const name = `directPath ${Object.keys(stage).join(' ')}`.trim();
      add(`${name}, ${which}`, (listening) => trainer.directPath({ ...stage, symmetry: true, ...listening }));
    }
    const states = {};
    add(
      `hiddenStates, ${which}`,
      async () => {
        const { contextLength } = trainer.model;
        Object.assign(states, await statesOf(trainer, text, contextLength));
        logitLens ??= await trainer.logitLens(text);
        states.predicted = logitLens.layers.at(-1).predicted.slice(0, -1);
        states.right = text.slice(1);
      },
      false,
    );
    const unembedding = which === 'tied' ? tables.tied : tables.output;
    const embedding = which === 'tied' ? tables.tied : tables.input;
    for (const where of ['before', 'after']) {
      for (const token of ['predicted', 'right']) {
        add(`decomposeHidden ${where} the norm, ${token}, ${which}`, (listening) =>
          lab.decomposeHidden(states[where], unembedding, states[token], { embedding, ...listening }),
        );
      }
    }
    // A card reads layers and gradients again, as in a program that calls no other verb.
    add(`modelCard, ${which}`, (listening) =>
      trainer.modelCard({ tokenIds: text, counts, records: records[which], ...listening }),
    );
  }
  add('irreversibility', (listening) => corpus.irreversibility(listening));
  const { counts: pairs } = await corpus.bigrams();
  add('kolmogorovCycles', (listening) => lab.kolmogorovCycles(pairs, listening));
  return found;
}
