import type { KnownModel, ModelFamily, ParameterCount } from '../../core/accounting/types.js';

/** One row of the table: a model's published facts and our counts. */
export interface ModelRow {
  readonly model: KnownModel;
  /** Which token tables are shared: all, the inputs only, or none. */
  readonly shares: 'all' | 'inputs' | 'none';
  /** Layers of all stacks; `encoderLayers`: of the encoder, if there is also a decoder. */
  readonly layers: number;
  readonly encoderLayers: number;
  /** One table, V x d. */
  readonly table: number;
  /** Stored parameters by our count. */
  readonly total: number;
  /** All token tables as a fraction of the stored parameters. */
  readonly tableShare: number;
  /** Sizes with all tables shared, and with none. */
  readonly tied: number | null;
  readonly untied: number;
  /**
   * What tying saves a tied model: all its tables but one. For other models, what it would save: all but one of their
   * tables, of which there are two if the inputs are already shared. Null if one table cannot serve as input and
   * output.
   */
  readonly saved: number | null;
  readonly savedOfTied: number | null;
  readonly savedOfUntied: number | null;
}

export function modelRow(model: KnownModel, count: ParameterCount): ModelRow {
  const { architecture, stored, tied, untied, tableShare } = count;
  const shares = model.tying === 'untied' ? 'none' : model.tying === 'tied-inputs' ? 'inputs' : 'all';
  const apart = shares === 'inputs' ? stored : untied;
  const saved = tied === null ? null : apart - tied;
  return {
    model,
    shares,
    layers: architecture.nLayers + architecture.nEncoderLayers,
    encoderLayers: architecture.nEncoderLayers,
    table: architecture.vocabSize * architecture.dModel,
    total: stored,
    tableShare,
    tied,
    untied,
    saved,
    savedOfTied: saved === null || tied === null ? null : ratio(saved, tied),
    savedOfUntied: saved === null ? null : ratio(saved, apart),
  };
}

const ratio = (part: number, whole: number): number => part / whole;

// ---------------------------------------------------------------- choice

export const tyingFilters = ['all', 'tied', 'untied'] as const;
export type TyingFilter = (typeof tyingFilters)[number];

export interface RowFilter {
  readonly tying: TyingFilter;
  /** '' = all. */
  readonly family: ModelFamily | '';
  /** Words that must all occur in the name, organization, year or id. */
  readonly search: string;
}

/**
 * Whether the output table is shared with the input: "tied" in this table. A model that shares only its inputs is not
 * tied.
 */
export const isTied = (row: ModelRow): boolean => row.shares === 'all';

export function filteredRows(rows: readonly ModelRow[], { tying, family, search }: RowFilter): ModelRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const { model } = row;
    if (tying !== 'all' && isTied(row) !== (tying === 'tied')) return false;
    if (family !== '' && model.architecture.family !== family) return false;
    const text = `${model.name} ${model.organization} ${String(model.year)} ${model.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Numeric order: "Gemma 2 9B" before "Gemma 2 27B". */
export const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Families of the rows, most frequent first. */
export function familiesOf(rows: readonly ModelRow[]): ModelFamily[] {
  const counts = new Map<ModelFamily, number>();
  for (const { model } of rows) {
    const { family } = model.architecture;
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  return [...counts].sort(([a, many], [b, few]) => few - many || byName.compare(a, b)).map(([family]) => family);
}
