import type {
  Architecture,
  CountedTensor,
  ParameterCount,
  ParameterGroup,
  TableTying,
} from '../../core/accounting/types.js';
import type { LabAccounting } from '../shared/architecture/architecture-element.js';
import type { ArchitectureState } from '../shared/architecture/architecture-state.js';
import { possibleTyings } from '../shared/architecture/what-follows.js';

/** The calculator's questions to the lab. Every number it shows is in one of the answers. */

type Counts = Pick<LabAccounting, 'countParameters'>;

/** One way of sharing the tables, counted. */
export interface CountedWay {
  readonly tying: TableTying;
  readonly count: ParameterCount;
}

/** An answer with the state it belongs to. */
export interface CountedState {
  readonly state: ArchitectureState;
  /** Most sharing first; includes the tying of the state itself. */
  readonly ways: readonly CountedWay[];
  /** What the read-out is about: the state's tying, or full sharing if the state shares nothing. */
  readonly shared: CountedWay;
  readonly untied: CountedWay;
  /** The state's tying. */
  readonly chosen: CountedWay;
}

const maps: readonly TableTying[] = ['tied-linear', 'tied-mlp', 'tied-low-rank'];

/** The bars: every way of sharing whole tables, and the state's map between the tables, if any. */
export const shownWays = ({ architecture, tying }: ArchitectureState): TableTying[] =>
  possibleTyings(architecture).filter((way) => !maps.includes(way) || way === tying);

export async function countState(lab: Counts, state: ArchitectureState): Promise<CountedState> {
  const tyings = shownWays(state);
  if (!tyings.includes(state.tying)) tyings.unshift(state.tying);
  const ways = await Promise.all(
    tyings.map(async (tying) => ({ tying, count: await lab.countParameters(state.architecture, tying) })),
  );
  const of = (wanted: TableTying): CountedWay | undefined => ways.find(({ tying }) => tying === wanted);
  const untied = of('untied') ?? ways.at(-1);
  const chosen = of(state.tying) ?? ways[0];
  const shared = state.tying === 'untied' ? ways[0] : chosen;
  if (untied === undefined || chosen === undefined || shared === undefined) throw new Error('nothing was counted');
  return { state, ways, shared, untied, chosen };
}

// ---------------------------------------------------------------- parts of a bar

/** A part of a bar: a table by its roles, or everything of one kind. */
export type PartId =
  | 'shared-table'
  | 'input-table'
  | 'output-table'
  | 'encoder-table'
  | 'decoder-table'
  | 'additional-tables'
  | Exclude<ParameterGroup, 'tables'>;

/** Roles of a table: input of the encoder or only stack, input of the decoder, output. */
export type TableRole = 'E' | 'D' | 'U';

export interface Part {
  readonly id: PartId;
  readonly count: number;
  /** For tables of tokens. */
  readonly roles: readonly TableRole[];
}

const groups = ['positions', 'attention', 'feed-forward', 'norms', 'head'] as const;
const tableRoles: Readonly<Record<string, TableRole>> = { embedding: 'E', decoder_embedding: 'D', unembedding: 'U' };

/** The non-empty parts of a count; their sum is `stored`. */
export function partsOf({ tensors, groups: sums }: ParameterCount): Part[] {
  // Those without one of the usual roles, such as tables of n-grams.
  const isAdditional = ({ name }: CountedTensor): boolean => !(name.replace('.factor', '') in tableRoles);
  // A factorized table is the sum of its two matrices.
  const isFactor = ({ name }: CountedTensor): boolean => name.endsWith('.factor');
  const tables = tensors.filter((tensor) => tensor.group === 'tables' && !isAdditional(tensor) && !isFactor(tensor));
  const factorOf = (table: string): number => tensors.find(({ name }) => name === `${table}.factor`)?.count ?? 0;
  const twoStacks = tables.some(({ name }) => name === 'decoder_embedding');
  const kept = tables
    .filter(({ tiedTo }) => tiedTo === null)
    .map(({ name, count }) => {
      const roles = tables
        .filter((table) => table.name === name || storageOf(table, tables) === name)
        .map((table) => tableRoles[table.name]!);
      return { id: tableId(roles, twoStacks), count: count + factorOf(name), roles };
    });
  const additional = tensors
    .filter((tensor) => tensor.group === 'tables' && isAdditional(tensor))
    .reduce((sum, { count }) => sum + count, 0);
  const rest = groups.map((id) => ({ id, count: sums[id], roles: [] }));
  const others = [{ id: 'additional-tables' as const, count: additional, roles: [] }, ...rest];
  return [...kept, ...others].filter(({ count }) => count > 0);
}

/** Name of the tensor that stores this table. */
function storageOf(table: CountedTensor, tables: readonly CountedTensor[]): string {
  const next = tables.find(({ name }) => name === table.tiedTo);
  return next === undefined ? table.name : storageOf(next, tables);
}

function tableId(roles: readonly TableRole[], twoStacks: boolean): PartId {
  if (roles.length > 1) return 'shared-table';
  if (roles[0] === 'U') return 'output-table';
  if (roles[0] === 'D') return 'decoder-table';
  return twoStacks ? 'encoder-table' : 'input-table';
}

// ---------------------------------------------------------------- configurations to compare with

/** The kinds of model that the configurations can be counted as. */
export const comparisons = ['gpt-2', 'formula'] as const;
export type Comparison = (typeof comparisons)[number];

/** The sizes of the four GPT-2s, and one of them with a larger vocabulary. */
export const configurations = [
  { id: 'small', vocabSize: 50_257, dModel: 768, nLayers: 12 },
  { id: 'medium', vocabSize: 50_257, dModel: 1024, nLayers: 24 },
  { id: 'large', vocabSize: 50_257, dModel: 1280, nLayers: 36 },
  { id: 'xl', vocabSize: 50_257, dModel: 1600, nLayers: 48 },
  { id: 'large-vocabulary', vocabSize: 128_000, dModel: 1024, nLayers: 24 },
] as const;

export type ConfigurationId = (typeof configurations)[number]['id'];

export interface CountedConfiguration {
  readonly id: ConfigurationId;
  readonly vocabSize: number;
  readonly dModel: number;
  readonly nLayers: number;
  /** For a tied model. */
  readonly count: ParameterCount;
}

/** All configurations, counted as one kind of model. */
export interface Compared {
  readonly as: Comparison;
  readonly rows: readonly CountedConfiguration[];
}

/** 'formula': 12 d² and two norms of 2 d per layer. 'gpt-2': also positions, biases and the last norm. */
function asModel(comparison: Comparison, sizes: Pick<Architecture, 'vocabSize' | 'dModel' | 'nLayers'>): Architecture {
  const { vocabSize, dModel, nLayers } = sizes;
  return comparison === 'gpt-2'
    ? { family: 'gpt-2', vocabSize, dModel, nLayers }
    : { family: 'plain-formula', vocabSize, dModel, nLayers, norm: 'layer-norm', normBiases: true, finalNorm: false };
}

export const countConfigurations = (lab: Counts, comparison: Comparison): Promise<CountedConfiguration[]> =>
  Promise.all(
    configurations.map(async (sizes) => ({
      ...sizes,
      count: await lab.countParameters(asModel(comparison, sizes), 'tied'),
    })),
  );

/**
 * The tables of an encoder-decoder with 50,000 tokens and width 768; a published tutorial counts one table too many.
 */
export const threeTables: Architecture = {
  family: 'plain-formula',
  stack: 'encoder-decoder',
  vocabSize: 50_000,
  dModel: 768,
  nLayers: 0,
};

// ---------------------------------------------------------------- bytes in files

/** Programs whose files the tables can be in; their rules are in core/accounting/table-bytes. */
export const packedFiles = ['gguf', 'mlx', 'ollama', 'onnx'] as const;
export type PackedFiles = (typeof packedFiles)[number];

// ---------------------------------------------------------------- sizes to compare with

/** Nominal sizes in parameters. */
export const nominalSizes = [
  { name: '1B', size: 1e9 },
  { name: '7B', size: 7e9 },
  { name: '70B', size: 70e9 },
] as const;

/** `count` as a fraction of a nominal size: 204.8M of 1B is 0.2048. */
export const shareOfNominal = (count: number, size: number): number => count / size;
