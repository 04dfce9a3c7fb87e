// Bytes of the token tables in the files of four programs.
import { expect, test } from 'vitest';
import { completeArchitecture } from '../../../web/core/accounting/architecture-options.js';
import { RULES, tableBytes, type TableBytes } from '../../../web/core/accounting/table-bytes/rules.js';
import type { Architecture } from '../../../web/index.js';

const of = (vocabSize: number, dModel: number, bits?: number, more: Partial<Architecture> = {}): TableBytes[] =>
  tableBytes(completeArchitecture({ family: 'llama', vocabSize, dModel, nLayers: 1, ...more }), bits);
const one = (rows: TableBytes[], program: string, kind: string): TableBytes =>
  rows.find((row) => row.program === program && row.kind === kind)!;

test('llama.cpp: the sizes of published tables', () => {
  // Gemma 2B: 531.25 MiB as Q8_0; Llama 3.2 1B: 215.5 MB as Q6_K, in files that others published.
  const gemma = of(256_000, 2048);
  expect(one(gemma, 'llama.cpp', 'Q8_0').tied).toBe(531.25 * 2 ** 20);
  expect(one(gemma, 'llama.cpp', 'Q4_K_M').shared).toEqual({ type: 'Q6_K', bytes: (256_000 * 2048 * 210) / 256 });
  expect(one(of(128_256, 2048), 'llama.cpp', 'Q6_K').tied / 1e6).toBeCloseTo(215.5, 1);
  expect(one(gemma, 'llama.cpp', 'Q8_0').savedOfUntied).toBe(0.5);
  expect(one(gemma, 'llama.cpp', 'Q4_K_M').savedOfUntied).toBeCloseTo(0.4068, 4);
  expect(one(gemma, 'llama.cpp', 'Q2_K').savedOfUntied).toBeCloseTo(0.2857, 4);
});

test('MLX packs both tables alike: half is saved', () => {
  const { shared, savedOfUntied } = one(of(1000, 128), 'MLX', '4-bit');
  // 4 bits a value, and a scale and an offset of 16 bits for 64 of them: 4.5 bits.
  expect(shared).toEqual({ type: 'affine 4-bit', bytes: (1000 * 128 * 4.5) / 8 });
  expect(savedOfUntied).toBe(0.5);
  expect(one(of(1000, 100), 'MLX', '4-bit').shared.type).toBe('BF16');
});

test('ONNX Runtime GenAI: Phi-4 mini shrinks by the table in float32, from 5.15 to 2.69 GB', () => {
  const { saved, shared } = one(of(200_064, 3072), 'ONNX Runtime GenAI', 'int4');
  expect(saved).toBe(4 * 200_064 * 3072);
  expect(saved / 1e9).toBeCloseTo(5.15 - 2.69, 2);
  expect(shared.bytes).toBe((200_064 * 3072 * 5) / 8);
});

test('Ollama leaves what is looked up as it was: a head of its own adds 8 bits', () => {
  const { tied, untied, output } = one(of(1000, 128), 'Ollama', 'int4');
  expect(tied).toBe(2 * 128_000);
  expect(output).toEqual({ type: 'affine 8-bit', bytes: 128_000 * 1.0625 });
  expect(untied - tied).toBe(output.bytes);
});

test('bits choose kinds by their name, and models with other tables have no row', () => {
  expect(new Set(of(1000, 256, 4).map(({ program }) => program))).toEqual(new Set(RULES.map(({ program }) => program)));
  expect(of(1000, 256, 4).every(({ bits }) => bits === 4)).toBe(true);
  expect(of(1000, 256, 7)).toEqual([]);
  expect(of(1000, 256, 4, { outputVocabSize: 999 })).toEqual([]);
  expect(of(1000, 256, 4, { stack: 'encoder-decoder' })).toEqual([]);
  // Nothing replaces Q1_0 where its blocks do not divide a row.
  expect(of(1000, 288, 1).map(({ kind }) => kind)).not.toContain('Q1_0');
});
