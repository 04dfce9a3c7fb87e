/** A model of ONNX: where its tensors are, in the file or in files beside it, and which of them its graph reads and writes tokens with. */
import type { TiedError } from '../../../runtime/errors.js';
import { inSlices, pause } from '../../../runtime/pause.js';
import { HeaderCursor } from '../../bytes/header-cursor.js';
import { badFile, isPlainName, type ByteSource } from '../../bytes/source.js';
import { elementsOf, isDecoded, isOfIntegers } from '../../elements/stored-types.js';
import type { StatedRoles, StoredTensor } from '../../tensors.js';
import { readGraph, type OnnxTensor } from './graph.js';
import { packedRows } from './packed-rows.js';
import { ProtocolBuffer } from './protocol-buffer.js';
import { tablesOfGraph, type TableOfGraph, type TablesOfGraph } from './tables-of-graph.js';

export interface OnnxFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly roles: StatedRoles;
  readonly sources: readonly ByteSource[];
  readonly notes: readonly string[];
}

type Wrong = (problem: string) => TiedError;

/** Types by their numbers: the name and the bits of an element. */
const TYPES: Readonly<Record<number, readonly [dtype: string, bits: number]>> = {
  ...{ 1: ['F32', 32], 2: ['U8', 8], 3: ['I8', 8], 4: ['U16', 16], 5: ['I16', 16], 6: ['I32', 32], 7: ['I64', 64] },
  ...{ 9: ['BOOL', 8], 10: ['F16', 16], 11: ['F64', 64], 12: ['U32', 32], 13: ['U64', 64], 14: ['C64', 64] },
  ...{ 16: ['BF16', 16], 17: ['F8_E4M3', 8], 18: ['F8_E4M3FNUZ', 8], 19: ['F8_E5M2', 8], 20: ['F8_E5M2FNUZ', 8] },
  ...{ 21: ['packed by ONNX (UINT4)', 4], 22: ['packed by ONNX (INT4)', 4], 23: ['packed by ONNX (FLOAT4E2M1)', 4] },
  ...{ 24: ['F8_E8M0', 8] },
};

/** Tensors without a pause. */
const AT_ONCE = 4000;

export async function readOnnx(source: ByteSource, signal?: AbortSignal): Promise<OnnxFile> {
  const wrong: Wrong = (problem) => badFile(source.name, problem);
  if (source.size === null) throw wrong('its size is not known; expected a server that reports it, or the file itself');
  const { given, found } = await tablesIn(source, source.size, wrong, signal);
  const files = new FilesBeside(source, signal);
  const tensors = new Map<string, StoredTensor>();
  const isDue = inSlices(AT_ONCE);
  for (const tensor of given.values()) {
    if (isDue()) await pause();
    tensors.set(tensor.name, await storedTensor(tensor, source, files, wrong));
  }
  const roles = rolesOf({ inputs: found.inputs.map(asStored), outputs: found.outputs.map(asStored) }, tensors);
  return { tensors, roles, sources: [source, ...files.opened], notes: files.notes };

  /** Integers are packed, whether a node says so or one after it. */
  function asStored(table: TableOfGraph): TableOfGraph {
    const { dtype } = tensors.get(table.name)!;
    return table.packed === null && isOfIntegers(dtype) ? { ...table, packed: `in integers (${dtype})` } : table;
  }
}

interface Described {
  readonly given: ReadonlyMap<string, OnnxTensor>;
  readonly found: TablesOfGraph;
}

/** What the graph says of tensors, without its nodes, of which there may be a million. */
async function tablesIn(source: ByteSource, size: number, wrong: Wrong, signal?: AbortSignal): Promise<Described> {
  const graph = await readGraph(new ProtocolBuffer(new HeaderCursor(source, signal), wrong), size, wrong);
  if (graph === null) throw wrong('it begins as a model of ONNX, but has no graph; expected one');
  const found = await tablesOfGraph(graph);
  await pause();
  return { given: graph.tensors, found };
}

/** Files with the numbers of large models, each opened once. */
class FilesBeside {
  readonly #model: ByteSource;
  readonly #signal: AbortSignal | undefined;
  readonly #files = new Map<string, ByteSource>();
  readonly opened: ByteSource[] = [];
  readonly notes: string[] = [];

  constructor(model: ByteSource, signal: AbortSignal | undefined) {
    this.#model = model;
    this.#signal = signal;
  }

  async file(location: string): Promise<ByteSource> {
    const known = this.#files.get(location);
    if (known !== undefined) return known;
    const name = location.replace(/^(?:\.\/)+/, '');
    if (!isPlainName(name))
      throw badFile(this.#model.name, `its numbers are in '${location.slice(0, 80)}'; expected a file in the same folder`); // prettier-ignore
    const found = await this.#model.beside(name, this.#signal);
    if (found === null)
      this.notes.push(`The numbers of ${this.#model.name} are in ${name.slice(0, 120)}, which is not there.`); // prettier-ignore
    else this.opened.push(found);
    const file = found ?? new AbsentFile(this.#model.name, name);
    this.#files.set(location, file);
    return file;
  }
}

/** A file that the model names and nobody gave: what the model says of it can be told without it. */
class AbsentFile implements ByteSource {
  readonly name: string;
  readonly size = null;
  readonly bytesRead = 0;
  readonly notes: readonly string[] = [];
  readonly #model: string;

  constructor(model: string, name: string) {
    this.#model = model;
    this.name = name;
  }

  read(): Promise<Uint8Array> {
    return Promise.reject(
      badFile(this.#model, `the numbers of its tables are in ${this.name.slice(0, 120)}; expected both files together`),
    );
  }

  beside(): Promise<null> {
    return Promise.resolve(null);
  }
}

async function storedTensor(
  { name, dims, type, place, external }: OnnxTensor,
  source: ByteSource,
  files: FilesBeside,
  wrong: Wrong,
): Promise<StoredTensor> {
  const called = (): string => `'${name.slice(0, 120)}'`;
  const [dtype, bits] = TYPES[type] ?? [`stored as type ${type} of ONNX`, null];
  const elements = elementsOf(dims);
  const bytes = elements === null || bits === null ? null : Math.ceil((elements * bits) / 8);
  if (elements === null || !Number.isSafeInteger(bytes ?? 0) || dims.some((size) => size < 0))
    throw wrong(`${called()} has the shape [${dims.join(', ')}]; expected one of fewer than 2^53 bytes`);
  if (external !== null) {
    const [offset, length] = [wholeOf(external.offset), wholeOf(external.length)];
    const { location } = external;
    const from = offset ?? 0;
    const stored = bytes ?? length ?? 0;
    if (location === undefined || Number.isNaN(from) || (length !== null && length !== stored))
      throw wrong(`${called()} is in another file, at '${String(location).slice(0, 80)}' from ${external.offset ?? '0'} on, with ${external.length ?? 'an unknown number of'} bytes; expected ${stored} bytes, as its shape says`); // prettier-ignore
    const file = await files.file(location);
    if (file.size !== null && from + stored > file.size)
      throw badFile(file.name, `${called()} ends at byte ${from + stored}, after the file of ${file.size} bytes; expected all of it: it may be cut off`); // prettier-ignore
    return { name, shape: dims, dtype, bytes: stored, source: file, from };
  }
  if (place === null || bytes === null) {
    const inTypes = bytes === null ? dtype : `stored as a list of numbers (${dtype})`;
    return { name, shape: dims, dtype: elements === 0 ? dtype : inTypes, bytes: place?.length ?? 0, source, from: place?.from ?? 0 }; // prettier-ignore
  }
  if (place.length !== bytes)
    throw wrong(`${called()} has ${place.length} bytes; expected ${bytes} for the shape [${dims.join(', ')}] of ${dtype}`); // prettier-ignore
  return { name, shape: dims, dtype, bytes, source, from: place.from };
}

/** NaN: it is none. Null: it is not said. */
const wholeOf = (text: string | undefined): number | null =>
  text === undefined || text === '' ? null : /^\d{1,15}$/.test(text) ? Number(text) : NaN;

// ---------------------------------------------------------------- which are the tables

const quoted = ({ name }: TableOfGraph): string => `'${name.slice(0, 120)}'`;

/** Replaces the tensors of the two roles by what the graph makes of them. */
function rolesOf({ inputs, outputs }: TablesOfGraph, tensors: Map<string, StoredTensor>): StatedRoles {
  const output = outputs.length === 1 ? outputs[0]! : null;
  const input = inputs.length === 1 ? inputs[0]! : (fitting(inputs, output, tensors) ?? null);
  const none = { tied: null, evidence: 'unknown' } as const;
  // One tensor that is a table both ways has the rows that are read.
  const isBothWays = input !== null && input.name === output?.name && input.isTurned !== output.isTurned;
  const used = (isBothWays ? [input] : [input, output]).filter((table) => table !== null);
  for (const [table, stored] of used.map((table) => [table, tensors.get(table.name)!] as const))
    shapeAs(table, stored, tensors);
  if (inputs.length > 1 && input === null) {
    const reason = `The graph reads tokens with several tables: ${inputs.map(quoted).join(', ')}; naming both with tables: { input, output } settles it.`;
    return { ...rolesIn(null, output), verdict: { ...none, reason } };
  }
  if (outputs.length > 1) {
    const reason = `The graph has several products before its outputs: ${outputs.map(quoted).join(', ')}; naming both with tables: { input, output } settles it.`;
    return { ...rolesIn(input, null), verdict: { ...none, reason } };
  }
  if (input === null && output === null) return { input: null, output: null };
  if (input === null || output === null) {
    const there = (input ?? output)!;
    const reason =
      input === null
        ? `The graph writes with ${quoted(there)}, and no Gather by an input of the model reads a table.`
        : `The graph reads tokens with ${quoted(there)}, and no product with a table leads to its outputs.`;
    return { ...rolesIn(input, output), verdict: { ...none, reason } };
  }
  const both = `${input.op} reads and its ${output.op} writes`;
  if (input.name === output.name) {
    if (input.isTurned === output.isTurned)
      return {
        ...rolesIn(input, output),
        verdict: { tied: true, evidence: 'same-storage', reason: `The graph’s ${both} with one tensor, ${quoted(input)}.` }, // prettier-ignore
      };
    const reason = `The graph’s ${both} with one tensor, ${quoted(input)}: a token is a row for the one and a column for the other.`;
    return { ...rolesIn(input, null), verdict: { ...none, reason } };
  }
  if (input.packed === null && output.packed === null)
    return { ...rolesIn(input, output), said: `The graph’s ${both} with two tensors` };
  if (input.packed !== null && output.packed !== null) {
    const reason = `The graph’s ${both} with two tensors, ${quoted(input)} and ${quoted(output)}, both packed: whether they hold the same numbers is not known.`;
    return { ...rolesIn(input, output), verdict: { ...none, reason } };
  }
  const [side, own, other] = output.packed !== null ? (['output', output, input] as const) : (['input', input, output] as const); // prettier-ignore
  const reason = `The file stores a separate ${side} table, ${quoted(own)}, which is packed ${own.packed}, beside ${quoted(other)}.`;
  const isShown = isDecoded(tensors.get(own.name)!.dtype);
  const roles = isShown ? rolesIn(input, output) : side === 'output' ? rolesIn(input, null) : rolesIn(null, output);
  return { ...roles, verdict: { tied: false, evidence: `packed-${side}`, reason } };
}

const rolesIn = (input: TableOfGraph | null, output: TableOfGraph | null): Pick<StatedRoles, 'input' | 'output'> => ({
  input: input?.name ?? null,
  output: output?.name ?? null,
});

/** Of several tables that read, the one for the tokens that are predicted. */
function fitting(
  inputs: readonly TableOfGraph[],
  output: TableOfGraph | null,
  tensors: ReadonlyMap<string, StoredTensor>,
): TableOfGraph | undefined {
  const same = inputs.find(({ name }) => name === output?.name);
  if (same !== undefined || output === null) return same;
  const tokens = tensors.get(output.name)!.shape[output.isTurned ? 1 : 0];
  const found = inputs.filter(({ name }) => tensors.get(name)!.shape[0] === tokens);
  return found.length === 1 ? found[0] : undefined;
}

/** As the graph uses it: by columns, or packed. */
function shapeAs(table: TableOfGraph, stored: StoredTensor, tensors: Map<string, StoredTensor>): void {
  const { name, isTurned, packed, packedBy, shape } = table;
  // One that is packed for both roles, and was read for the other one.
  if (tensors.get(name)!.arrangedFrom !== undefined) return;
  if (packed === null) {
    tensors.set(name, { ...stored, hasRowsOfTokens: true, ...(isTurned ? { turned: true } : {}) });
    return;
  }
  const [rows = 1, ...cols] = stored.shape;
  const sizes = shape ?? (isTurned ? [stored.shape.at(-1)!, rows] : [rows, cols.reduce((all, size) => all * size, 1)]);
  const how = `packed ${packed}`;
  const found = packedBy === null ? null : packedRows(stored, packedBy, isTurned, how, tensors);
  if (found !== null && typeof found !== 'string') {
    tensors.set(name, { ...found, hasRowsOfTokens: true });
    return;
  }
  tensors.set(name, { ...stored, shape: sizes, dtype: how, ...(found === null ? {} : { whyPacked: found }) });
}
