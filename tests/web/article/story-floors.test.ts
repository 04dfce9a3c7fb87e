// The numbers of docs/science.md about the built-in story, computed again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { bigramTable } from '../../../web/article/build/bigram-table.mjs';
import { percent2 } from '../../../web/article/build/format.mjs';
import { priceFacts } from '../../../web/article/build/price-facts.mjs';
import { repeatingFacts } from '../../../web/article/build/repeating-facts.mjs';
import { semidefiniteFacts } from '../../../web/article/build/semidefinite-facts.mjs';
import { directPathArm } from '../../../web/elements/training-lab/run-plan.js';
import { defaultSettings } from '../../../web/elements/training-lab/settings.js';
import { loadCore, type Core, type TokenizerOptions } from '../../../web/index.js';
import { builtInTexts } from '../../../web/texts/index.js';

const science = readFileSync(join(root, 'docs/science.md'), 'utf8');
const flat = science.replace(/\s+/g, ' ');
let core: Core;
let story: string;
beforeAll(async () => {
  core = await loadCore();
  story = await builtInTexts[0]!.load();
});

function read(options: TokenizerOptions) {
  const tokenizer = core.trainTokenizer(story, options);
  const tokens = [...tokenizer.tokens];
  const ids = tokenizer.encode(story);
  tokenizer.dispose();
  const { counts } = core.bigrams(ids, tokens.length);
  const { bigram, symmetricLogits } = core.bigramBounds(counts);
  return { tokens, ids, counts, bigram, price: symmetricLogits - bigram };
}

it.each([
  ['characters', { kind: 'character' }],
  ['512 byte pairs', { kind: 'bpe', vocabSize: 512 }],
  ['500 words', { kind: 'word', vocabSize: 500 }],
] as [string, TokenizerOptions][])('the price of symmetry by %s, beside chance', (name, options) => {
  const text = read(options);
  const { shuffled, heldOut } = priceFacts(core, text);
  expect(science).toContain(
    `| ${name} | ${[text.price, shuffled, heldOut].map((one) => one.toFixed(3)).join(' | ')} |`,
  );
});

it('how often the story and a tied path with its frequencies repeat', () => {
  const { tokens, counts } = read({ kind: 'word', vocabSize: 500 });
  const { below, needed, repeats } = repeatingFacts({ tokens, table: bigramTable(counts) });
  expect(flat).toContain(`Of the 500 tokens of the story, cut into words, ${below} follow themselves less often`);
  expect(flat).toContain(`repeats at least ${percent2(needed)} of its tokens, the story ${percent2(repeats)}.`);
});

it('what symmetry, the law for pairs and the sign of the eigenvalues cost on the story', { timeout: 120_000 }, () => {
  const text = read({ kind: 'word', vocabSize: 500 });
  const trained = (dModel: number): { gap: number; logits: Float32Array } => {
    const { model, training } = directPathArm({ ...defaultSettings, dModel }, 'tied');
    const trainer = core.createTrainer({
      model: { ...model, vocabSize: 500 },
      training: { ...training, seed: 1 },
      bigramCounts: text.counts,
    });
    trainer.run(defaultSettings.steps, { recordEvery: defaultSettings.steps });
    const gap = trainer.evaluate().loss - text.bigram;
    const logits = core.directPath({ embedding: trainer.matrix('embedding') }).data;
    trainer.dispose();
    return { gap, logits };
  };
  const [narrow, middle, wide] = [trained(4), trained(32), trained(128)];
  const { symmetric, law, anyWidth } = semidefiniteFacts({
    ids: text.ids,
    size: 500,
    logits: wide.logits,
    tiedGap: middle.gap,
  });
  for (const row of [
    `| symmetric | ${symmetric.toFixed(3)} |`,
    `| symmetric, with the law for all pairs | at most ${law.toFixed(3)} |`,
    `| of a shared table, any width and output bias | at least ${anyWidth.toFixed(3)} |`,
    `| of a shared table, best found (d = 128) | ${wide.gap.toFixed(3)} |`,
  ])
    expect(science).toContain(row);
  expect(flat).toContain(`the gap is ${narrow.gap.toFixed(3)} nats at d = 4 and ${middle.gap.toFixed(3)} at d = 32`);
  // Nothing that was found lies below what no shared table can reach.
  expect(wide.gap).toBeGreaterThan(anyWidth);
});
