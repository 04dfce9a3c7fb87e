import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What one table costs transformers that predict the next token, or hidden ones from both sides, before and after they have learned from their context. */

const experiments = ['masked-tying', 'masked-longer', 'masked-seeds'];

/** @param {any[]} outcomes - of these experiments */
export function maskedFacts(...outcomes) {
  const [early, longer, seeds] = outcomes.map(({ values }, index) => (what) => {
    const found = values.find(({ value }) => value === what);
    if (found === undefined) throw new Error(`claims/outcomes/${experiments[index]}.json has no ${what}`);
    return found.points[0];
  });
  const costIn = (of, objective) => {
    const { mean, halfWidth, values } = of(`loss(tied-${objective}) - loss(untied-${objective})`);
    return { mean, halfWidth, least: Math.min(...values), most: Math.max(...values) };
  };
  // All have the same text and tokenizer, so the loss of token frequencies is that of one.
  const frequencies = longer('bigram-bounds(untied-next).unigram').mean;
  const factsOf = (of) => ({
    next: costIn(of, 'next'),
    hidden: costIn(of, 'masked-50'),
    below: frequencies - of('loss(tied-masked-50)').mean,
  });
  const isLess = outcomes[2].claims.some(({ id, verdict }) => id === 'masked-costs-less' && verdict === 'holds');
  return { early: factsOf(early), learned: factsOf(seeds), isLess };
}

/** @param {string} root */
export async function readMaskedFacts(root) {
  const files = experiments.map((name) => readFile(join(root, `claims/outcomes/${name}.json`), 'utf8'));
  return maskedFacts(...(await Promise.all(files)).map((text) => JSON.parse(text)));
}
