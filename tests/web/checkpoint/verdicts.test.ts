/** Files of each kind in docs/verdicts.md get the verdict that the table there gives. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gguf, ramp, safetensors } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { CASES } from './verdict-cases.js';
import { D, llama, lora, matrix, table } from './verdict-files.js';

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

describe('several language models', () => {
  const stack = (name: string, at: number) => ({
    [`${name}.model.embed_tokens.weight`]: table(at),
    ...llama(1, `${name}.model.`),
  });
  const both = { ...stack('thinker', 0), 'thinker.lm_head.weight': table(1), ...stack('talker', 5) };

  test.each([
    ['two heads', { ...both, 'talker.lm_head.weight': table(6) }],
    ['one head', both],
    ['a head for sound', { ...both, 'talker.codec_head.weight': matrix(9, D) }],
  ])('with %s are refused with their tables', async (_, tensors) => {
    await expect(openHere(safetensors(tensors))).rejects.toThrow(
      /several tensors may be the input table: 'thinker\.model\.embed_tokens\.weight', 'talker\.model\.embed_tokens\.weight'; expected tables: \{ input \}/,
    );
  });

  test('are judged one by one, each with its own output table', async () => {
    const file = safetensors({ ...both, 'talker.lm_head.weight': table(5) });
    const verdictOn = async (name: string) => {
      const { tying, tables } = await openHere(file, { tables: { input: `${name}.model.embed_tokens.weight` } });
      return [tying.tied, tables.output?.name];
    };
    expect(await verdictOn('thinker')).toEqual([false, 'thinker.lm_head.weight']);
    expect(await verdictOn('talker')).toEqual([true, 'talker.lm_head.weight']);
  });

  test('the table of another one is no output table', async () => {
    const { tying } = await openHere(safetensors(both), { tables: { input: 'talker.model.embed_tokens.weight' } });
    expect([tying.tied, tying.candidates]).toEqual([
      null,
      ['thinker.model.embed_tokens.weight', 'thinker.lm_head.weight'],
    ]);
  });
});
