// How often tokens follow themselves in the direct paths of public models, beside the same with the rows of the output table in a random order.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/root.mjs';
import { fraction } from './statistics.mjs';

/**
 * @typedef {{ rows: number, cols: number, data: Float32Array }} Matrix
 * @typedef {{ kind: 'rms-norm' | 'layer-norm', gain?: string, shift?: string }} Norm
 * @typedef {{ name: string, about: string, file: string, tying: string, embedding: string, unembedding?: string, isTurned?: boolean,
 *   bias?: string, scale?: string, norms?: readonly Norm[] }} Model
 * @typedef {{ value: number, low: number, high: number, count: number }} Statistic
 */

/** The folder of the models that a survey names as files, and of those that it says where to get `from`. @param {{ from?: string }} spec */
const modelsFolder = ({ from }) => join(root, from === undefined ? '../shared/data/models' : 'build/models');

/** What all of these models add to the mean square. */
const epsilon = 1e-5;

/** @param {Float32Array} row @param {{ kind: string, gain: Float32Array | null, shift: Float32Array | null }} norm */
function normalized(row, { kind, gain, shift }) {
  const mean = kind === 'layer-norm' ? row.reduce((sum, x) => sum + x, 0) / row.length : 0;
  const square = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
  const factor = 1 / Math.sqrt(square + epsilon);
  return row.map((x, i) => (x - mean) * factor * (gain?.[i] ?? 1) + (shift?.[i] ?? 0));
}

/** @param {Matrix} table @param {(row: Float32Array, at: number) => Float32Array} change @returns {Matrix} */
function byRow({ rows, cols, data }, change) {
  const changed = Array.from({ length: rows }, (_, i) => change(data.subarray(i * cols, (i + 1) * cols), i));
  const width = changed[0].length;
  const all = new Float32Array(rows * width);
  changed.forEach((row, i) => all.set(row, i * width));
  return { rows, cols: width, data: all };
}

/** @param {Matrix} matrix @returns {Matrix} */
function turned({ rows, cols, data }) {
  const across = new Float32Array(data.length);
  data.forEach((value, at) => (across[(at % cols) * rows + Math.floor(at / cols)] = value));
  return { rows: cols, cols: rows, data: across };
}

/**
 * The factors of a model's paths by name: of the tables alone and, if it has norms, behind these. The output bias is one more column.
 * @param {Model} model @param {(name: string) => Promise<Matrix>} read
 */
export async function pathsOf(model, read) {
  const vector = async (name) => (name === undefined ? null : (await read(name)).data);
  const stored = await read(model.embedding);
  const factor = Math.fround(model.scale === undefined ? 1 : Math.sqrt(stored.cols));
  const embedding = byRow(stored, (row) => row.map((x) => factor * x));
  const output = model.unembedding === undefined ? stored : await read(model.unembedding);
  const bias = await vector(model.bias);
  const withBias = (table, value) =>
    bias === null ? table : byRow(table, (row, at) => Float32Array.of(...row, value(at)));
  const unembedding = withBias(model.isTurned === true ? turned(output) : output, (at) => bias[at]);
  const paths = { '': { embedding: withBias(embedding, () => 1), unembedding } };
  if (model.norms === undefined) return paths;
  let behind = embedding;
  for (const { kind, gain, shift } of model.norms) {
    const norm = { kind, gain: await vector(gain), shift: await vector(shift) };
    behind = byRow(behind, (row) => normalized(row, norm));
  }
  return { ...paths, norm: { embedding: withBias(behind, () => 1), unembedding } };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The value at a part of a sorted list, the next one inward. @param {readonly number[]} sorted @param {number} part */
const quantile = (sorted, part) => sorted[Math.floor(part * (sorted.length - 1) + (part < 0.5 ? 0 : 1 - 1e-9))];

/**
 * What a path does, and what it would with the rows of its output table in a random order.
 * @param {any} parts of the library's sources @param {any} core @param {{ embedding: Matrix, unembedding: Matrix }} path
 * @param {{ orders: number, seed: number }} drawn
 */
export function repetitionOfPath({ softmaxRows, repetitionIn, inRandomOrder }, core, path, { orders, seed }) {
  const of = (unembedding) => {
    const chain = softmaxRows(core.directPath({ embedding: path.embedding, unembedding }));
    const { stationary } = core.markovBounds(chain);
    return { ...repetitionIn(chain, stationary), stationary };
  };
  const found = of(path.unembedding);
  const shuffled = Array.from({ length: orders }, (_, i) => of(inRandomOrder(path.unembedding, seed + i)));
  const differences = found.own.map((own, id) => own - found.stationary[id]);
  return {
    below: found.below,
    tokens: found.own.length,
    differences,
    belowByOrder: shuffled.map(({ below }) => below),
  };
}

/** @param {ReturnType<typeof repetitionOfPath>} found @returns {Record<string, Statistic>} by the beginning of their names */
export function statisticsOf({ below, tokens, belowByOrder }) {
  const sorted = belowByOrder.toSorted((a, b) => a - b);
  const [low, high] = [0.025, 0.975].map((part) => quantile(sorted, part));
  const chance = mean(sorted);
  const count = sorted.length;
  const distance = Math.abs(below - chance) - 1e-12;
  return {
    below: fraction(Array.from({ length: tokens }, (_, at) => at < Math.round(below * tokens))),
    'by-chance': { value: chance, low, high, count },
    'above-chance': { value: below - chance, low: below - high, high: below - low, count },
    'as-far': fraction(sorted.map((one) => Math.abs(one - chance) >= distance)),
  };
}

/** Six digits, as of other statistics. */
const rounded = (value) => Number(value.toPrecision(6));

/** The least, the greatest, and the values at quarters of the way. @param {readonly number[]} values */
const quarters = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return [0, 0.25, 0.5, 0.75, 1].map((part) => rounded(sorted[Math.round(part * (sorted.length - 1))]));
};

/** A list of numbers is one row. @param {{ shape: readonly number[] }} tensor */
const shapeOf = ({ shape }) => (shape.length === 1 ? [1, shape[0]] : shape);

/** All paths of a survey; null if a file is missing. @param {{ from?: string, models: readonly Model[], orders: number, seed: number }} spec */
export async function publicPaths(spec, parts, core) {
  const folder = modelsFolder(spec);
  if (!spec.models.every(({ file }) => existsSync(join(folder, file)))) return null;
  /** @type {Record<string, Statistic>} */
  const values = {};
  const paths = [];
  for (const model of spec.models) {
    const bytes = readFileSync(join(folder, model.file));
    const tables = { input: model.embedding, output: model.unembedding ?? model.embedding };
    const checkpoint = await core.openCheckpoint(new File([bytes], model.file), { tables });
    const made = await pathsOf(model, (name) => {
      const [rows, cols] = shapeOf(checkpoint.tensors.find((tensor) => tensor.name === name));
      return checkpoint.tensorWindow(name, { rows: { from: 0, to: rows }, cols: { from: 0, to: cols } });
    });
    for (const [path, factors] of Object.entries(made)) {
      const found = repetitionOfPath(parts, core, factors, spec);
      const place = [model.name, path].filter((word) => word !== '').join(', ');
      for (const [name, value] of Object.entries(statisticsOf(found))) values[`${name}(${place})`] = value;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      paths.push({ place, tying: model.tying, sha256, tokens: found.tokens, differences: quarters(found.differences) });
    }
  }
  return { found: spec.models, values, paths };
}
