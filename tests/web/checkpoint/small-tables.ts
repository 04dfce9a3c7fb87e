/** Small tables to open, and files of JSON. */
import { fileOf, ramp, utf8 } from './checkpoint-files.js';

export const json = (name: string, value: unknown): File => fileOf(name, utf8(JSON.stringify(value)));

export const [V, D] = [6, 4];
export const table = (start = 0) => ({ shape: [V, D], data: ramp(V * D, start) });
export const filler = (elements: number) => ({ shape: [elements], data: new Uint8Array(4 * elements) });
export const numbers = (from: number, count: number, start = 0): number[] =>
  Array.from({ length: count }, (_, i) => start + (from + i) / 4);
