import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What files do to two tables: the outcomes of claims/lost-head.json and of claims/table-bits-stories.json, beside claims/table-bits.json. */

const experiments = ['lost-head', 'table-bits-stories', 'table-bits'];

const steps = [0, 50, 100, 200, 300, 400, 500, 600];

/** As the page names them: by the program that packs, from many bits to few. */
const packings = {
  'llama.cpp': ['F16', 'Q8_0', 'Q6_K', 'Q5_K_M', 'Q4_K_M', 'Q3_K_M', 'Q2_K'],
  MLX: ['mlx-8', 'mlx-6', 'mlx-4', 'mlx-3'],
};

function reader({ values }, file) {
  return (what) => {
    const found = values.find(({ value }) => value === what);
    if (found === undefined) throw new Error(`${file} has no ${what}`);
    return found.points[0];
  };
}

/** Losses over the steps: of the untied model, and with one of its tables in both roles. */
function lostFacts(outcome) {
  const of = reader(outcome, 'claims/outcomes/lost-head.json');
  const last = steps.at(-1);
  const at = (step) => ({
    step,
    both: of(`loss(untied, step=${step})`),
    head: of(`lost-table(untied, lost=unembedding, step=${step})`),
    input: of(`lost-table(untied, lost=embedding, step=${step})`),
  });
  return {
    seeds: at(last).both.values.length,
    steps: last,
    guessing: of('lost-table(untied, lost=unembedding).guessing').mean,
    rows: steps.map(at),
    end: at(last),
    early: at(200),
    chance: of(`lost-table(untied, lost=unembedding, step=${last}).chance`),
    cosine: of('lost-table(untied, lost=unembedding).cosine'),
    late: {
      both: of(`loss(untied-late, step=${last})`),
      head: of(`lost-table(untied-late, lost=unembedding, step=${last})`),
      cosine: of('lost-table(untied-late, lost=unembedding).cosine'),
    },
  };
}

/** Kilobytes of the tables and bits per byte of text, by packing, and what packing costs each model. */
function bitsFacts(outcome) {
  const of = reader(outcome, 'claims/outcomes/table-bits-stories.json');
  const armOf = (arm, packing) => {
    const [loss, whole] = [of(`packed-loss(${arm}, packing=${packing}).bitsPerByte`), of(`loss(${arm}).bitsPerByte`)];
    const costs = loss.values.map((value, seed) => value - whole.values[seed]);
    const cost = costs.reduce((sum, one) => sum + one, 0) / costs.length;
    return { kilobytes: of(`packed-loss(${arm}, packing=${packing}).kilobytes`).mean, loss, costs, cost };
  };
  const rows = Object.entries(packings).flatMap(([program, names]) =>
    names.map((packing) => {
      const [tied, untied] = [armOf('tied', packing), armOf('untied', packing)];
      return { program, packing, tied, untied, saved: 1 - tied.kilobytes / untied.kilobytes };
    }),
  );
  const few = rows.filter(({ packing }) => packing === 'Q4_K_M' || packing === 'mlx-4');
  return {
    seeds: rows[0].tied.costs.length,
    rows,
    /** The most that packing costs a model down to four bits, in any seed. */
    most4: Math.max(...few.flatMap(({ tied, untied }) => [...tied.costs, ...untied.costs])),
    of: Object.fromEntries(rows.map((row) => [row.packing.replaceAll('-', '').replaceAll('_', ''), row])),
  };
}

/** By how much two tables in a Q2_K file predict better than one in 16 bits, in models of plays. */
function playsFacts(outcome) {
  const of = reader(outcome, 'claims/outcomes/table-bits.json');
  const [one, two] = ['tied, packing=F16', 'untied, packing=Q2_K'].map((model) => of(`packed-loss(${model}).bitsPerByte`));
  return { gains: one.values.map((value, seed) => value - two.values[seed]) };
}

/** Outcomes in the order of `experiments`. */
export const filesFacts = (lostHead, tableBits, ofPlays) => ({
  lost: lostFacts(lostHead),
  bits: { ...bitsFacts(tableBits), plays: playsFacts(ofPlays) },
});

/** Also how large the models are. @param {string} root */
export async function readFilesFacts(root) {
  const read = async (name) => JSON.parse(await readFile(join(root, name), 'utf8'));
  const outcomes = await Promise.all(experiments.map((name) => read(`claims/outcomes/${name}.json`)));
  const [lost, bits] = await Promise.all(['lost-head', 'table-bits-stories'].map((name) => read(`claims/${name}.json`)));
  const facts = filesFacts(...outcomes);
  return {
    lost: { ...facts.lost, dModel: lost.model.dModel, nLayers: lost.model.nLayers, vocabSize: lost.tokenizer.vocabSize },
    bits: { ...facts.bits, dModel: bits.model.dModel, nLayers: bits.model.nLayers, vocabSize: bits.tokenizer.vocabSize },
  };
}
