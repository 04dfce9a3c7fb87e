/** Files of each kind in docs/verdicts.md get the verdict that the table there gives. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gguf, ramp, safetensors } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { CASES } from './verdict-cases.js';
import { llama, lora, table } from './verdict-files.js';

const WORDS = { tied: true, untied: false, 'not known': null } as const;
const document = readFileSync(new URL('../../../docs/verdicts.md', import.meta.url), 'utf8');
const rows = [...document.matchAll(/^\| (?!the file)(.+?) \| (tied|untied|not known) \| `([\w-]+)` \|$/gm)].map(
  ([, kind, verdict, evidence]) => ({ kind: kind!, tied: WORDS[verdict as keyof typeof WORDS], evidence: evidence! }),
);

test('the table and the files have the same kinds', () => {
  expect(rows.map(({ kind }) => kind).sort()).toEqual(Object.keys(CASES).sort());
});

describe.each(rows)('$kind', ({ kind, tied, evidence }) => {
  test.each((CASES[kind] ?? []).map((file, at) => [at + 1, file] as const))('file %i', async (_, file) => {
    const { source, options, says = [], candidates = [], conflict, adds } = file;
    const checkpoint = await openHere(source, options);
    const { tying, leftOut } = checkpoint;
    expect({ tied: tying.tied, evidence: tying.evidence, reason: tying.reason }).toMatchObject({ tied, evidence });
    expect(tying.reason).toMatch(/^[^\n]+\.$/);
    for (const words of says) expect(tying.reason).toContain(words);
    expect(tying.candidates).toEqual(candidates);
    if (conflict === undefined) expect(tying.conflict).toBeNull();
    else expect(tying.conflict).toMatch(conflict);
    if (adds !== undefined) expect(leftOut.output).toEqual(adds);
    // One table has both roles only where that is proved.
    const { input, output } = checkpoint.tables;
    if (tied !== true) expect(input !== null && input.name === output?.name).toBe(false);
  });
});

test.each([
  ['an adapter', safetensors(lora), /is not a whole language model: '[^']+lora_A\.weight' belongs to an adapter/],
  [
    'an importance matrix',
    gguf({
      values: { 'general.type': { string: 'imatrix' } },
      tensors: { 'output.weight.in_sum2': { dimensions: [8, 1], type: 0, data: ramp(8) } },
    }),
    /general\.type is imatrix; it has no table of tokens of a known name; expected a model/,
  ],
])('%s without tables is refused by what it is', async (_, file, message) => {
  await expect(openHere(file)).rejects.toThrow(message);
});

test('a file with two language models is refused with their tables', async () => {
  const stack = (name: string, at: number) => ({
    [`${name}.model.embed_tokens.weight`]: table(at),
    [`${name}.lm_head.weight`]: table(at + 1),
    ...llama(1, `${name}.model.`),
  });
  await expect(openHere(safetensors({ ...stack('thinker', 0), ...stack('talker', 5) }))).rejects.toThrow(
    /several tensors may be the input table: 'thinker\.model\.embed_tokens\.weight', 'talker\.model\.embed_tokens\.weight'/,
  );
});
