/** The types of GGUF that store places in grids, one element at a time. The points are those that ggml's own decoder was seen to have (tests/reference/ggml_grids.py). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/lib/root.mjs';

type Half = (view: DataView, at: number) => number;
type Element = (view: DataView, at: number, i: number, half: Half) => number;

const text = readFileSync(join(root, 'cpp/checkpoint/grid_points.inc'), 'utf8');

function pointsOf(name: string, levels: readonly number[], size: number): number[][] {
  const members = new RegExp(`k${name}Members\\[\\] = \\{([^}]*)\\}`).exec(text)![1]!.split(',').map(Number);
  const points: number[][] = [];
  for (let number = 0; number < levels.length ** size; number++)
    if ((members[number >> 3]! >> (number & 7)) & 1)
      points.push(
        Array.from({ length: size }, (_, at) => levels[Math.floor(number / levels.length ** at) % levels.length]!),
      );
  return points;
}

const OF_2 = [8, 25, 43];
const [TWO_XXS, TWO_XS, TWO_S] = ['Iq2Xxs', 'Iq2Xs', 'Iq2S'].map((name) => pointsOf(name, OF_2, 8)) as [number[][], number[][], number[][]]; // prettier-ignore
const THREE_XXS = pointsOf('Iq3Xxs', [4, 12, 20, 28, 36, 44, 52, 62], 4);
const THREE_S = pointsOf('Iq3S', [1, 3, 5, 7, 9, 11, 13, 15], 4);
const ONE = pointsOf('Iq1S', [-1, 0, 1], 8);

/** Of seven signs and an eighth that makes their number even. */
function sign(seven: number, at: number): number {
  const ones = [...seven.toString(2)].filter((digit) => digit === '1').length;
  return (at < 7 ? (seven >> at) & 1 : ones & 1) ? -1 : 1;
}
const nibble = (byte: number, isUpper: number): number => (byte >> (4 * isUpper)) & 15;

export const GRIDS: Readonly<
  Record<'IQ2_XXS' | 'IQ2_XS' | 'IQ2_S' | 'IQ3_XXS' | 'IQ3_S' | 'IQ1_S' | 'IQ1_M', Element>
> = {
  IQ2_XXS: (view, at, i, half) => {
    const [group, k] = [at + 2 + 8 * (i >> 5), (i >> 3) & 3];
    const word = view.getUint32(group + 4, true);
    const value = TWO_XXS[view.getUint8(group + k)]![i & 7]! * sign((word >>> (7 * k)) & 127, i & 7);
    return half(view, at) * (0.5 + (word >>> 28)) * 0.25 * value;
  },
  IQ2_XS: (view, at, i, half) => {
    const word = view.getUint16(at + 2 + 2 * (i >> 3), true);
    const scale = nibble(view.getUint8(at + 66 + (i >> 5)), (i >> 4) & 1);
    return half(view, at) * (0.5 + scale) * 0.25 * TWO_XS[word & 511]![i & 7]! * sign(word >> 9, i & 7);
  },
  IQ2_S: (view, at, i, half) => {
    const j = i >> 3;
    const place = view.getUint8(at + 2 + j) | (((view.getUint8(at + 66 + (j >> 2)) >> (2 * (j & 3))) & 3) << 8);
    const scale = nibble(view.getUint8(at + 74 + (i >> 5)), (i >> 4) & 1);
    const isNegative = (view.getUint8(at + 34 + j) >> (i & 7)) & 1;
    return half(view, at) * (0.5 + scale) * 0.25 * TWO_S[place]![i & 7]! * (isNegative ? -1 : 1);
  },
  IQ3_XXS: (view, at, i, half) => {
    const word = view.getUint32(at + 66 + 4 * (i >> 5), true);
    const value = THREE_XXS[view.getUint8(at + 2 + (i >> 2))]![i & 3]!;
    return half(view, at) * (0.5 + (word >>> 28)) * 0.5 * value * sign((word >>> (7 * ((i >> 3) & 3))) & 127, i & 7);
  },
  IQ3_S: (view, at, i, half) => {
    const j = i >> 2;
    const place = view.getUint8(at + 2 + j) | (((view.getUint8(at + 66 + (j >> 3)) >> (j & 7)) & 1) << 8);
    const scale = nibble(view.getUint8(at + 106 + (i >> 6)), (i >> 5) & 1);
    const isNegative = (view.getUint8(at + 74 + (i >> 3)) >> (i & 7)) & 1;
    return half(view, at) * (1 + 2 * scale) * THREE_S[place]![i & 3]! * (isNegative ? -1 : 1);
  },
  IQ1_S: (view, at, i, half) => {
    const upper = view.getUint16(at + 34 + 2 * (i >> 5), true);
    const place = view.getUint8(at + 2 + (i >> 3)) | (((upper >> (3 * ((i >> 3) & 3))) & 7) << 8);
    const scale = half(view, at) * (2 * ((upper >> 12) & 7) + 1);
    return scale * (ONE[place]![i & 7]! + (upper & 0x8000 ? -0.125 : 0.125));
  },
  IQ1_M: (view, at, i, half) => {
    const words = [0, 2, 4, 6].map((of) => view.getUint16(at + 48 + of, true));
    const whole = new DataView(new ArrayBuffer(2));
    whole.setUint16(
      0,
      words.reduce((bits, word, of) => bits | ((word >> 12) << (4 * of)), 0),
      true,
    );
    const j = i >> 3;
    const upper = nibble(view.getUint8(at + 32 + (j >> 1)), j & 1);
    const place = view.getUint8(at + j) | ((upper & 7) << 8);
    const scale = half(whole, 0) * (2 * ((words[i >> 6]! >> (3 * ((i >> 4) & 3))) & 7) + 1);
    return scale * (ONE[place]![i & 7]! + (upper & 8 ? -0.125 : 0.125));
  },
};
