/** What a reason says settles the question does so, when it is done literally. */
import { expect, test } from 'vitest';
import { Draw } from '../../fuzz/draw.js';
import { floats, type TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { bytes, D, files, llama, V, vector } from './verdict-files.js';

const FILES = 1500;

type Tensors = Record<string, TensorParts>;

/** Numbers of which no two tables have a row in common. */
const random = (draw: Draw, rows: number, cols: number): TensorParts => ({
  ...{ shape: [rows, cols], data: floats(Array.from({ length: rows * cols }, () => draw.share() - 0.5)) },
});

const NAMES = [
  'lm_head',
  'score',
  'vocabulary',
  'head.proj',
  'my.input',
  'reward_layers.0',
  'bos',
  'frame_embed',
  'projector.1',
];

/** A tensor that may be a table, or only looks like one: of any shape and type. */
function candidate(draw: Draw): TensorParts {
  const rows = draw.of([1, 5, V, V, 3 * V]);
  return draw.of([
    () => random(draw, rows, D),
    () => random(draw, D, rows),
    () => vector(draw.of([1, D, V])),
    () => ({ ...random(draw, V, D), shape: [1, V, D] }),
    () => bytes(draw.of(['BOOL', 'U8', 'I32', 'F8_E8M0']), [V, D], 1),
  ])();
}

const ENDS = ['.weight', '.kernel', '.weight_scale', ''];
const CLASSES = ['LlamaForCausalLM', 'LlamaForProbing', 'T5ForConditionalGeneration'];

function file(draw: Draw): File[] {
  const table = draw.of([
    ['model.embed_tokens.weight'],
    ['lm_head.weight'],
    ['encoder.embed_tokens.weight'],
    ['shared.weight', 'decoder.embed_tokens.weight'],
    ['student.embed_tokens.weight', 'teacher.lm_head.weight'],
  ]);
  const type = draw.odds(0.1) ? 'F8_E8M0' : null;
  const tables: Tensors = Object.fromEntries(
    table.map((name) => [name, type === null ? random(draw, V, D) : bytes(type, [V, D], 1)]),
  );
  const extras = Array.from({ length: draw.whole(0, 2) }, () => `${draw.of(NAMES)}${draw.of(ENDS)}`);
  const layers = table.map((name) =>
    name.includes('.e') || name.includes('.l') ? `${name.split('.')[0]}.` : 'decoder.',
  );
  return files(
    {
      ...tables,
      ...(Object.assign({}, ...layers.map((prefix) => llama(2, prefix))) as Tensors),
      ...Object.fromEntries(extras.map((name) => [name, candidate(draw)])),
    },
    draw.odds(0.5) ? { architectures: [draw.of(CLASSES)], tie_word_embeddings: draw.odds(0.5) } : undefined,
  );
}

/** The choices that a reason offers. */
function offered(reason: string, there: readonly string[], candidates: readonly string[], isInput: boolean) {
  const pair = (other: string): { input: string; output: string } =>
    isInput ? { input: there[0]!, output: other } : { input: other, output: there[0]! };
  const [, twice] = /'([^']+)' for both/.exec(reason) ?? [];
  const [, reads] = /naming '([^']+)' and the output table/.exec(reason) ?? [];
  const both = there.length > 1 ? [{ input: there[0]!, output: there[1]! }] : candidates.map(pair);
  return [
    ...(/; naming both with tables: \{ input, output \} settles it/.test(reason) ? both : []),
    ...(twice === undefined ? [] : [{ input: twice, output: twice }]),
    ...(reads === undefined ? [] : candidates.map((output) => ({ input: reads, output }))),
  ];
}

test(`every option that the reasons of ${FILES} files name gives a verdict`, async () => {
  const counts = { open: 0, offers: 0, tied: 0 };
  for (let seed = 0; seed < FILES; seed++) {
    const source = file(new Draw(seed));
    const { tying, tables } = await openHere(source).catch((error: Error) => {
      expect(error).toMatchObject({ name: 'TiedError' });
      return { tying: null, tables: null };
    });
    if (tying === null || tying.tied !== null || !tying.reason.includes('settles it')) continue;
    counts.open++;
    const there = [tables.input, tables.output].flatMap((one) => (one === null ? [] : [one.name]));
    const choices = offered(tying.reason, there, tying.candidates, tables.input !== null);
    expect(choices, `${seed}: ${tying.reason}`).not.toHaveLength(0);
    for (const choice of choices) {
      const settled = (await openHere(source, { tables: choice })).tying;
      expect(settled, `${seed}: ${tying.reason} ${JSON.stringify(choice)}`).toMatchObject({
        tied: expect.any(Boolean) as boolean,
      });
      counts.offers++;
      counts.tied += settled.tied === true ? 1 : 0;
    }
  }
  expect(counts.open).toBeGreaterThan(FILES / 3);
  expect(counts.offers - counts.tied).toBeGreaterThan(FILES / 10);
  expect(counts.tied).toBeGreaterThan(FILES / 10);
});

test('a table that is named is believed, also without the other one', async () => {
  const draw = new Draw(1);
  const source = files({
    'model.embed_tokens.weight': random(draw, V, D),
    ...llama(),
    'score.weight': random(draw, 5, D),
  });
  const output = (await openHere(source, { tables: { output: 'score.weight' } })).tying;
  expect([output.tied, output.evidence]).toEqual([false, 'different']);
  const same = (await openHere(source, { tables: { output: 'model.embed_tokens.weight' } })).tying;
  expect([same.tied, same.evidence]).toEqual([true, 'same-storage']);
});
