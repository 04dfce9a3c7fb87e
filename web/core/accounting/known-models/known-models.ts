/** Real models: what they are, whether they share their tables, and where each figure comes from, one a line of known-models.json. */
import type { KnownModel } from '../types.js';
import table from './known-models.json';

const texts: Readonly<Record<string, string>> = table.texts;
// A test compares the keys and the kinds of the values of all models with this type.
const models = table.models as readonly KnownModel[];

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
  return models.map((model) => ({
    ...model,
    architecture: { ...model.architecture },
    published: model.published && { ...model.published, source: expanded(model.published.source) },
    sources: { sizes: expanded(model.sources.sizes), tying: expanded(model.sources.tying) },
  }));
}
