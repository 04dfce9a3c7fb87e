// The documented defaults equal those of the core.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENCODER_DECODER_DEFAULTS, MODEL_DEFAULTS, TRAINING_DEFAULTS } from '../../../web/core/generated/fields.js';
import { LOW_RANK } from '../../../web/core/model/option-defaults.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const number = (text: string): string => (Number.isNaN(Number(text)) ? text : String(Number(text)));

test('the defaults of the core equal those in the documentation of the options', () => {
  const source = read('web/core/model/types.ts');
  const documented = (name: string): string | undefined =>
    [...source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)\?:/g)]
      .filter(([, , option]) => option === name)
      .map(([, comment = '']) => /Default ('[^']*'|[^\s,;]*[^\s,;.])/.exec(comment)?.[1])
      .find((found) => found !== undefined);
  const several: readonly string[] = ['beta1', 'beta2', 'epsilon', 'startToken', 'endToken'];
  const defaults = { ...MODEL_DEFAULTS, lowRank: LOW_RANK, ...ENCODER_DECODER_DEFAULTS, ...TRAINING_DEFAULTS };
  for (const [name, value] of Object.entries(defaults)) {
    if (several.includes(name)) continue;
    expect(number(documented(name)?.replaceAll("'", '') ?? ''), name).toBe(String(value));
  }
  const { beta1, beta2 } = TRAINING_DEFAULTS;
  expect(source).toContain(`Defaults ${beta1}, ${beta2}, 1e-8.`);
  expect(TRAINING_DEFAULTS.epsilon).toBe(1e-8);
});
