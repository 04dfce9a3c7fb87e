/** Real models: what they are, whether they share their tables, and where each figure comes from, one a line of known-models.json. */
import type { KnownModel } from '../types.js';
import { importConfig } from '../import-config.js';
import table from './known-models.json';

const texts: Readonly<Record<string, string>> = table.texts;
/** A model whose sizes are those of a `config.json`, or with its architecture. */
type Row = Omit<KnownModel, 'architecture'> &
  ({ readonly architecture: KnownModel['architecture'] } | { readonly config: object });
// A test compares the keys and the kinds of the values of all models with the public type.
const models = table.models as unknown as readonly Row[];

const architectureOf = (row: Row): KnownModel['architecture'] =>
  'config' in row ? importConfig(row.config).architecture : structuredClone(row.architecture);

/**
 * A source names a place that a reader can open, at the version that was read. `{file|a/b|1234567|c.py}` in it stands for the text
 * `file` with `a/b` in place of $1, and so on.
 */
function expanded(source: string): string {
  return source.replace(/\{([^}]+)\}/g, (_, call: string) => {
    const [name, ...values] = call.split('|');
    return texts[name!]!.replace(/\$(\d)/g, (_, place: string) => values[Number(place) - 1]!);
  });
}

/** Returns new copies on each call, which the caller may change. */
export function knownModels(): KnownModel[] {
  return models.map((row) => ({
    ...{ id: row.id, name: row.name, organization: row.organization, year: row.year },
    architecture: architectureOf(row),
    tying: row.tying,
    published: row.published && { ...row.published, source: expanded(row.published.source) },
    sources: { sizes: expanded(row.sources.sizes), tying: expanded(row.sources.tying) },
    ...(row.note !== undefined && { note: row.note }),
  }));
}
