import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The outcome of the experiment claims/three-tables.json. */
const file = 'claims/outcomes/three-tables.json';
/** Its specification. */
const plan = 'claims/three-tables.json';

/**
 * What encoder-decoders with one, two and three tables learn, averaged over seeds. Throws unless, as the page says, all
 * of them learn the task, the model with one table and the one with a shared decoder table end above three tables in
 * every seed, and sharing the inputs makes no difference that the interval distinguishes from 0.
 */
export function threeTablesFacts({ claims, values }) {
  const pointOf = (what) => {
    const found = values.find(({ value }) => value === what);
    if (found === undefined) throw new Error(`${file} has no ${what}`);
    return found.points[0];
  };
  const learned = claims.filter(({ id }) => id.endsWith('-learns-the-task'));
  if (learned.length < 5 || learned.some(({ verdict }) => verdict !== 'holds')) throw new Error(`${file}: not all learn the task`);
  const costs = (arm) => pointOf(`loss(${arm}) - loss(three)`);
  for (const arm of ['one', 'two-decoder'])
    if (!costs(arm).values.every((value) => value > 0)) throw new Error(`${file}: ${arm} is not above three in every seed`);
  const inputs = costs('two-inputs');
  if (Math.abs(inputs.mean) > inputs.halfWidth) throw new Error(`${file}: sharing the inputs makes a difference`);
  const lossOf = (arm) => pointOf(`loss(${arm})`).mean;
  return {
    seeds: inputs.seeds.length,
    one: lossOf('one'),
    decoder: lossOf('two-decoder'),
    inputs: lossOf('two-inputs'),
    three: lossOf('three'),
  };
}

/** Also how wide the models are and how long they train. */
export async function readThreeTablesFacts(root) {
  const read = async (name) => JSON.parse(await readFile(join(root, name), 'utf8'));
  const { model, training } = await read(plan);
  return { ...threeTablesFacts(await read(file)), dModel: model.dModel, steps: training.steps };
}
