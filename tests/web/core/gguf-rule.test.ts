// The types and bytes of the tables in files that llama.cpp's own quantizer wrote.
import { expect, test } from 'vitest';
import {
  GGUF_FILE_TYPES,
  ggufBytes,
  ggufTableTypes,
  type GgufFileType,
} from '../../../web/core/accounting/table-bytes/gguf-rule.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/lib/root.mjs';

interface Row {
  types: GgufFileType[];
  /** By width of the model: [shared, own input, own output]. */
  widths: Record<string, [string, string, string] | null>;
}

const { vocabSize, rows } = JSON.parse(readFileSync(join(root, 'tests/reference/gguf_table_types.json'), 'utf8')) as {
  vocabSize: number;
  rows: Row[];
};

const cases = rows.flatMap(({ types, widths }) =>
  types.flatMap((type) =>
    Object.entries(widths).map(([width, expected]) => ({ type, width: Number(width), expected })),
  ),
);

test('every kind of file is in the reference', () => {
  expect(new Set(cases.map(({ type }) => type))).toEqual(new Set(GGUF_FILE_TYPES));
});

test.each(cases)('a $type file of width $width has the types that llama.cpp gave it', ({ type, width, expected }) => {
  if (expected === null) {
    expect(ggufTableTypes(type, width, true)).toBe(null);
    expect(ggufTableTypes(type, width, false)).toBe(null);
    return;
  }
  const [shared, input, output] = expected;
  expect(ggufTableTypes(type, width, true)).toEqual({ input: shared, output: null });
  expect(ggufTableTypes(type, width, false)).toEqual({ input, output });
});

// The sizes that were measured in the files: 512 rows.
test.each([
  ['Q4_K_M', 256, 107_520, 73_728],
  ['Q4_K_M', 288, 156_672, 101_376],
  ['Q2_K', 256, 107_520, 43_008],
  ['IQ4_XS', 256, 107_520, 69_632],
  ['Q5_K_S', 288, 156_672, 110_592],
  ['IQ3_XXS', 256, 90_112, 56_320],
  ['Q1_0', 256, 107_520, 18_432],
  ['F16', 48, 49_152, 49_152],
  ['Q8_0', 48, 49_152, 49_152],
] as const)('%s, width %d: the shared table has %d bytes, an input table of its own %d', (type, width, shared, own) => {
  expect(ggufBytes(ggufTableTypes(type, width, true)!.input, vocabSize, width)).toBe(shared);
  const { input, output } = ggufTableTypes(type, width, false)!;
  expect(ggufBytes(input, vocabSize, width)).toBe(own);
  expect(ggufBytes(output!, vocabSize, width)).toBe(shared);
});

test('tying saves half of the bytes of tables in a few kinds of files, and less in most', () => {
  const saved = (type: GgufFileType): number => {
    const shared = ggufBytes(ggufTableTypes(type, 256, true)!.input, vocabSize, 256);
    const { input, output } = ggufTableTypes(type, 256, false)!;
    return 1 - shared / (ggufBytes(input, vocabSize, 256) + ggufBytes(output!, vocabSize, 256));
  };
  expect(saved('Q8_0')).toBe(0.5);
  expect(saved('Q6_K')).toBe(0.5);
  expect(saved('Q4_K_M')).toBeCloseTo(0.4068, 4);
  expect(saved('Q2_K')).toBeCloseTo(0.2857, 4);
  expect(saved('IQ2_XS')).toBeCloseTo(0.3231, 4);
});
