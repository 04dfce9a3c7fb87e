// The documented defaults and ranges equal those of the core.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  ARCHITECTURE_FIELDS,
  ENCODER_DECODER_DEFAULTS,
  MAX_CUTOFFS,
  MAX_SCHEDULE_POINTS,
  MAX_TYING_CHANGES,
  MODEL_DEFAULTS,
  MODEL_FIELDS,
  MUON_MOMENTUM,
  TRAINING_DEFAULTS,
  TRAINING_FIELDS,
} from '../../../web/core/generated/fields.js';
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
  expect(source).toContain(`Default ${TRAINING_DEFAULTS.momentum}, with Muon ${MUON_MOMENTUM}.`);
  const { beta1, beta2 } = TRAINING_DEFAULTS;
  expect(source).toContain(`Defaults ${beta1}, ${beta2}, 1e-8.`);
  expect(TRAINING_DEFAULTS.epsilon).toBe(1e-8);
});

test.each([
  ['model', TRAINING_FIELDS.temperature.real, (least: number, most: number) => `From ${least} to ${most}. Default 1.`],
  ['model', MODEL_FIELDS['tying.share'].real, (least: number, most: number) => `/** From ${least} to ${most}. */`],
  // Tables of n-grams begin with pairs.
  ['model', MODEL_FIELDS['ngrams.order'].whole, (_: number, most: number) => `/** From 2 to ${most}. */`],
  ['accounting', ARCHITECTURE_FIELDS.ngramOrder.whole, (_: number, most: number) => `(at most ${most})`],
  ['model', [1, MAX_TYING_CHANGES], (_: number, most: number) => `once, or up to ${most} times`],
  ['model', [1, MAX_SCHEDULE_POINTS], (_: number, most: number) => `up to ${most} pairs [steps done, value]`],
  ['model', [1, MAX_CUTOFFS], (least: number, most: number) => `/** ${least} to ${most} ranks by frequency`],
] as const)('the range in the comments of %s options is that of the core: %j', (folder, [least, most], sentence) => {
  expect(read(`web/core/${folder}/types.ts`)).toContain(sentence(least, most));
});
