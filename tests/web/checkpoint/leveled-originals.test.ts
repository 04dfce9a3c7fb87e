/** Between which numbers the originals of few or uneven levels lie. ggml's own tables judge the same in tests/judges/ggml-rows.test.ts. */
import { expect, test } from 'vitest';
import { blockOf, ELEMENT_TYPES } from '../../../web/core/checkpoint/elements/element-types.js';
import { isLeveled, leveled, type LeveledType } from '../../../web/core/checkpoint/elements/leveled-blocks.js';
import { originalsOf } from '../../../web/core/checkpoint/elements/originals.js';
import { refinedBlock } from '../../../web/core/checkpoint/elements/refined-scales.js';
import { isQuantized } from '../../../web/core/checkpoint/elements/stored-blocks.js';
import { Draw } from '../../fuzz/draw.js';
import { reference } from './reference-decoder.js';

const TYPES = ELEMENT_TYPES.filter((type): type is LeveledType => isQuantized(type) && isLeveled(type));
const BLOCKS = 24;

/** Blocks of random numbers whose scales are ordinary, so that no two levels are equal. */
function blocks(type: LeveledType): Uint8Array {
  const draw = new Draw(11);
  const { bytes } = blockOf(type);
  const stored = Uint8Array.from({ length: BLOCKS * bytes }, () => draw.whole(0, 255));
  const halves = { Q2_K: [80, 82], Q3_K: [108], TQ1_0: [52], TQ2_0: [64], MXFP4: [], NVFP4: [] }[type as 'Q2_K'] ?? [0];
  for (let at = 0; at < stored.length; at += bytes) {
    // 1 to 2 in halves; negative in every other block.
    for (const place of halves) stored.set([draw.whole(0, 255), (at / bytes) % 2 ? 0x3c : 0xbc], at + place);
    if (type === 'MXFP4') stored[at] = 120;
    if (type === 'NVFP4') stored.fill(0x38, at, at + 4);
  }
  return stored;
}

test.each(TYPES)('an original in %s is nearer to its level than to the next ones, or has its sign', (type) => {
  const stored = blocks(type);
  const elements = BLOCKS * blockOf(type).elements;
  const values = reference.decodeElements(type, stored, elements);
  const { boundsOf } = originalsOf(type, stored, values, 'nearest');
  const { size, levels, isRefined = false } = leveled(type);
  const bounds = Array.from({ length: elements }, (_, i) => boundsOf(i));
  // Nothing is called equal by it.
  expect(bounds.every(({ near }) => Number.isNaN(near.least) && Number.isNaN(near.most))).toBe(true);
  if (isRefined) {
    expect(bounds.every(({ sure }) => sure.least === -Infinity && sure.most === Infinity)).toBe(true);
    const { quants } = refinedBlock(type, stored, values, 1)!;
    const step = values[32]! / levels[quants[0]!]!;
    for (const [i, q] of quants.entries()) expect(values[32 + i]).toBe(levels[q]! * step);
    return;
  }
  // Of points of a grid, only the sign is sure.
  if (size === blockOf(type).elements && type.startsWith('IQ')) {
    for (const [i, { sure }] of bounds.entries()) {
      const [open, edge] = values[i]! > 0 ? [sure.most, -sure.least] : [-sure.least, sure.most];
      expect(open).toBe(Infinity);
      expect(edge).toBeGreaterThan(0);
      expect(edge).toBeLessThan(2 ** -17);
    }
    return;
  }
  let met = 0;
  for (let first = 0; first < elements; first += size) {
    const order = Array.from({ length: size }, (_, i) => first + i).sort((a, b) => values[a]! - values[b]!);
    for (const [at, i] of order.slice(1).entries()) {
      const [below, above] = [order[at]!, i];
      expect(bounds[i]!.sure.least).toBeLessThanOrEqual(values[i]!);
      expect(bounds[i]!.sure.most).toBeGreaterThanOrEqual(values[i]!);
      if (values[below] === values[above]) continue;
      // Intervals of two levels meet in the middle if there is none between them; they never overlap by more than the rounding of scales.
      const gap = values[above]! - values[below]!;
      const between = bounds[above]!.sure.least - bounds[below]!.sure.most;
      expect(between).toBeGreaterThan(-0.02 * gap - 2 ** -9);
      if (Math.abs(between) < 0.02 * gap) met++;
    }
  }
  expect(met).toBeGreaterThan(BLOCKS / 2);
});
