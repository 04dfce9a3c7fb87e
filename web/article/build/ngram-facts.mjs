import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The widest models of the experiment claims/hashed-heads.json. */
const dModel = 48;

/** By how many nats a second table of tokens, or tables of pairs that only read, lower the loss of a tied model: means over the seeds. */
function ngramFacts({ values }) {
  const at = (arm) => {
    const found = values.find(({ value }) => value === `loss(${arm})`);
    const point = found?.points.find((one) => one.point['model.dModel'] === dModel);
    if (point === undefined) throw new Error(`claims/outcomes/hashed-heads.json has no loss(${arm}) at width ${dModel}`);
    return point;
  };
  const tied = at('tied');
  const gainOf = (arm) => tied.mean - at(arm).mean;
  return {
    dModel,
    seeds: tied.seeds.length,
    second: gainOf('untied'),
    pairs: gainOf('pairs-512'),
    fourHeads: gainOf('pairs-512-heads-4'),
    eightTimes: gainOf('pairs-4096'),
  };
}

/** @param {string} root */
export async function readNgramFacts(root) {
  return ngramFacts(JSON.parse(await readFile(join(root, 'claims/outcomes/hashed-heads.json'), 'utf8')));
}
