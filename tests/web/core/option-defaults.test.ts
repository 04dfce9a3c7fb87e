// The documented defaults equal those of the core.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MODEL_DEFAULTS, TRAINING_DEFAULTS } from '../../../web/core/model/option-defaults.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Initial values of a struct's fields, by name, as C++ writes them: 'n_layers' -> '4', 'norm' -> 'Norm::kRms'. */
function fieldsOf(header: string, struct: string): Map<string, string> {
  const [, body = ''] = new RegExp(`struct ${struct} \\{([\\s\\S]*?)\\n\\};`).exec(read(header)) ?? [];
  const fields = body.matchAll(/^ {2}[\w:]+ (\w+) = ([^;]+);/gm);
  return new Map([...fields].map(([, name = '', value = '']) => [name, value]));
}

/** Names that differ by more than case, and public words for values that C++ spells differently. */
const cppNames: Readonly<Record<string, string>> = {
  embeddingScale: 'scales_embedding',
  decayEmbeddings: 'decays_embeddings',
};
const cppValues: Readonly<Record<string, string>> = {
  none: 'false',
  'rms-norm': 'Norm::kRms',
  learned: 'Positions::kLearned',
  gelu: 'FeedForward::kGelu',
  'feed-forward': 'Biases::kFeedForward',
  adamw: 'OptimizerKind::kAdamW',
  constant: 'Decay::kConstant',
};
const snake = (name: string): string =>
  cppNames[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const plain = (value: unknown): string => cppValues[String(value)] ?? String(value);
const number = (text: string): string => (Number.isNaN(Number(text)) ? text : String(Number(text)));

describe('defaults of the core', () => {
  // In C++ the default rank is 0, for a model without a correction.
  const model = Object.entries(MODEL_DEFAULTS).filter(([name]) => name !== 'lowRank');
  const { learningRateMultipliers, ...training } = TRAINING_DEFAULTS;
  const roles = Object.entries(learningRateMultipliers).map(([role, rate]) => [`${role}Rate`, rate] as const);
  it.each([
    ['cpp/model/config.h', 'ModelConfig', model],
    ['cpp/training/training_config.h', 'TrainingConfig', [...Object.entries(training), ...roles]],
  ] as const)('equal those of %s', (header, struct, defaults) => {
    const fields = fieldsOf(header, struct);
    for (const [name, value] of defaults) expect(number(fields.get(snake(name)) ?? ''), name).toBe(plain(value));
  });

  it('equal those in the documentation of the options', () => {
    const source = read('web/core/model/types.ts');
    const documented = (name: string): string | undefined =>
      [...source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)\?:/g)]
        .filter(([, , option]) => option === name)
        .map(([, comment = '']) => /Default ('[^']*'|[^\s,;]*[^\s,;.])/.exec(comment)?.[1])
        .find((found) => found !== undefined);
    const several: readonly string[] = ['beta1', 'beta2', 'epsilon', 'learningRateMultipliers'];
    for (const [name, value] of [...Object.entries(MODEL_DEFAULTS), ...Object.entries(TRAINING_DEFAULTS)]) {
      if (several.includes(name)) continue;
      expect(number(documented(name)?.replaceAll("'", '') ?? ''), name).toBe(String(value));
    }
    const { beta1, beta2 } = TRAINING_DEFAULTS;
    expect(source).toContain(`Defaults ${beta1}, ${beta2}, 1e-8.`);
    expect(TRAINING_DEFAULTS.epsilon).toBe(1e-8);
  });
});
