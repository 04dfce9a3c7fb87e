/** Tables that ggml stored in two types: equal as far as their own scales let one tell, and different where no rounding explains it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blockOf, type ElementType } from '../../../web/core/checkpoint/elements/element-types.js';
import { GGUF_TYPES } from '../../../web/core/checkpoint/elements/stored-types.js';
import { loadCore, type CheckpointTying } from '../../../web/index.js';
import { gguf } from './checkpoint-files.js';

interface Case {
  readonly name: string;
  readonly rows: number;
  readonly stored: Readonly<Record<string, string>>;
  readonly changed?: Readonly<Record<string, string>>;
}

/** Made by tests/reference/ggml_tables.py. */
const { cols, equal, apart, important } = JSON.parse(
  readFileSync(new URL('../../reference/ggml_tables.json', import.meta.url), 'utf8'),
) as { cols: number; equal: Case[]; apart: Case[]; important: Case };
const core = await loadCore({ modules: ['checkpoint'] });

const READ = ['Q4_0', 'Q4_1', 'Q5_0', 'Q5_1', 'Q4_K', 'Q5_K'] as const;
const WRITTEN = ['Q6_K', 'Q8_0'] as const;
const PAIRS = READ.flatMap((read) => WRITTEN.map((written) => [read, written] as const));

const typeOf = (name: string): number => [...GGUF_TYPES].find(([, [one]]) => one === name)![0];
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(base64, 'base64'));

async function verdictOf(
  rows: number,
  input: readonly [type: string, data: Uint8Array<ArrayBuffer>],
  output: readonly [type: string, data: Uint8Array<ArrayBuffer>],
): Promise<CheckpointTying> {
  const tensor = ([type, data]: typeof input) => ({ dimensions: [cols, rows], type: typeOf(type), data });
  const checkpoint = await core.openCheckpoint(
    gguf({ tensors: { 'token_embd.weight': tensor(input), 'output.weight': tensor(output) } }),
  );
  const { tying } = checkpoint;
  checkpoint.dispose();
  return tying;
}

test.each(equal)('one table, $name, is equal in every pair of types', async ({ rows, stored }) => {
  for (const [read, written] of [...PAIRS, ['Q6_K', 'Q8_0'] as const]) {
    const tying = await verdictOf(rows, [read, bytesOf(stored[read]!)], [written, bytesOf(stored[written]!)]);
    expect([read, written, tying.tied, tying.evidence]).toEqual([read, written, true, 'equal-values']);
  }
});

test.each(apart)('noise of $name is seen in every pair of types', async ({ rows, stored, changed }) => {
  for (const [read, written] of PAIRS) {
    const tying = await verdictOf(rows, [read, bytesOf(stored[read]!)], [written, bytesOf(changed![written]!)]);
    expect([read, written, tying.tied, tying.evidence]).toEqual([read, written, false, 'different']);
  }
});

test('tables of other rows are different, in pairs of types with refined scales too', async () => {
  const { rows, stored } = equal[0]!;
  const other = equal.find(({ name }) => name === "Student's t, 3 degrees")!.stored;
  for (const read of READ)
    for (const written of [...READ, ...WRITTEN].filter((type) => type !== read)) {
      const tying = await verdictOf(rows, [read, bytesOf(stored[read]!)], [written, bytesOf(other[written]!)]);
      expect([read, written, tying.tied]).toEqual([read, written, false]);
    }
});

test('scales refined with an importance matrix never make equal tables different', async () => {
  const { rows, stored } = important;
  const verdicts = new Map<string, boolean | null>();
  for (const [read, written] of PAIRS) {
    const { tied } = await verdictOf(rows, [read, bytesOf(stored[read]!)], [written, bytesOf(stored[written]!)]);
    verdicts.set(`${read} ${written}`, tied);
  }
  expect([...verdicts.values()]).not.toContain(false);
  // Quants of the K types are chosen for the scales that are stored.
  expect(verdicts.get('Q5_K Q8_0')).toBe(true);
  // A refined scale is off by more than rounding to the nearest explains: not known.
  expect(verdicts.get('Q4_0 Q8_0')).toBe(null);
});

test('one element beyond its step is enough', async () => {
  const { rows, stored } = equal[0]!;
  for (const read of READ.slice(4)) {
    const changed = bytesOf(stored['Q8_0']!);
    // Four steps of a block of 32, of which each is at most a fifteenth of the steps of the other type.
    const at = 3 * blockOf('Q8_0').bytes + 2 + 7;
    changed[at] = ((changed[at]! << 24) >> 24 > 0 ? -40 : 40) & 255;
    const { tied } = await verdictOf(rows, [read, bytesOf(stored[read]!)], ['Q8_0', changed]);
    expect([read, tied]).toEqual([read, false]);
  }
});

test('a number just below half a step has the quant 0, and more than half the step that is stored', async () => {
  // The scale is rounded to 16 bits, down by almost half of its last bit.
  const scale = 1 + 0.499 / 1024;
  const inSteps = Array.from({ length: 32 }, (_, i) => (i === 0 ? -8 : i === 1 ? 0.4999 : (i % 15) - 7));
  const floats = new Uint8Array(Float32Array.from({ length: cols }, (_, i) => inSteps[i % 32]! * scale).buffer);
  const quants = inSteps.map((x) => Math.trunc(x + 8.5));
  const block = [0x00, 0x3c, ...quants.slice(0, 16).map((low, i) => low | (quants[i + 16]! << 4))];
  const blocks = Uint8Array.from({ length: (cols / 32) * block.length }, (_, i) => block[i % block.length]!);
  expect((await verdictOf(1, ['F32', floats], ['Q4_0', blocks])).tied).toBe(true);
});

test('a scale that is not a number leaves it open', async () => {
  const { rows, stored } = equal[0]!;
  for (const dtype of ['Q4_K', 'Q4_0'] as const satisfies readonly ElementType[]) {
    const broken = bytesOf(stored[dtype]!);
    broken.set([0x00, 0x7e], 0);
    const { tied } = await verdictOf(rows, [dtype, broken], ['Q8_0', bytesOf(stored['Q8_0']!)]);
    expect([dtype, tied]).toEqual([dtype, null]);
  }
});
