/** The identity cards of the page's finished models, which describe their tables; the figure shows them. */
import { rounded } from './rounded.mjs';

const files = (models) => [new File([models], 'models.safetensors')];
/** The tensors that the figure opens as tables. */
const tables = {
  tied: { input: 'tied.embedding', output: 'tied.embedding' },
  untied: { input: 'untied.embedding', output: 'untied.unembedding' },
};

/** @param {{ lab: any, models: Uint8Array }} options */
export async function cardFacts({ lab, models }) {
  const open = (model) => lab.openCheckpoint(files(models), { tables: tables[model] });
  const [tied, untied] = [await open('tied'), await open('untied')];
  const [one, two] = [await tied.identityCard(), await untied.identityCard()];
  tied.dispose();
  untied.dispose();
  const tableOf = ({ normQuantiles, centered, shortRows }) => ({
    median: normQuantiles[4],
    longest: normQuantiles.at(-1),
    effectiveRank: centered.effectiveRank,
    effectiveRankNull: centered.null.effectiveRank,
    short: shortRows.count,
  });
  return rounded({
    sampled: one.data.selfPrediction.of,
    tied: {
      ...tableOf(one.data.tables.input),
      asymmetryNull: one.data.asymmetry.null,
      self: one.data.selfPrediction.count,
    },
    untied: {
      asymmetry: two.data.folded.asymmetry,
      asymmetryNull: two.data.folded.null,
      self: two.data.selfPrediction.count,
      reading: tableOf(two.data.tables.input),
      writing: tableOf(two.data.tables.output),
    },
  });
}
