/** The option `head`: its checks, and its form as numbers of the core. */
import { invalidArgument } from './errors.js';
import type { Next } from './next-number.js';
import type { HeadConfig } from './types.js';
import { checkChoice, checkInteger, checkOptions, checkTokenIds, isRecord } from './validate.js';

/** In the order of HeadKind in model/config.h. */
const KINDS = ['full', 'sampled', 'adaptive', 'clustered', 'culled'] as const;
/** Those that can be trained. */
export const HEADS = ['full', 'sampled', 'clustered', 'culled'] as const;
export const PROPOSALS = ['log-uniform', 'counts'] as const;
// Limit of the core, defined in model/config.h.
const MOST_SAMPLES = 2 ** 22;

/** The option of each kind besides `kind`, and those that it may have. */
const OPTIONS: Readonly<Record<(typeof HEADS)[number], readonly string[]>> = {
  full: [],
  sampled: ['samples', 'proposal'],
  clustered: ['clusters'],
  culled: ['kept'],
};

/** A head of another kind than 'full', which is the same as none. */
export type OtherHead = Exclude<HeadConfig, { kind: 'full' }>;

export function checkHead(given: unknown, vocabSize: number): OtherHead | undefined {
  if (given === undefined) return undefined;
  const known = ['kind', ...Object.values(OPTIONS).flat()];
  const options = checkOptions('model.head', given as Partial<Record<string, unknown>>, known);
  const kind = checkChoice('model.head.kind', options['kind'], HEADS);
  for (const name of known.slice(1)) {
    if (options[name] === undefined || OPTIONS[kind].includes(name)) continue;
    throw invalidArgument(`model.head.${name}`, options[name], `it to be absent in a head of kind '${kind}'`);
  }
  switch (kind) {
    case 'full':
      return undefined;
    case 'sampled': {
      const { samples, proposal = 'log-uniform' } = options;
      return Object.freeze({
        kind,
        samples: checkInteger('model.head.samples', samples, 1, MOST_SAMPLES),
        proposal: checkChoice('model.head.proposal', proposal, PROPOSALS),
      });
    }
    case 'clustered':
      return Object.freeze({ kind, clusters: checkInteger('model.head.clusters', options['clusters'], 2, vocabSize) });
    case 'culled':
      return Object.freeze({ kind, kept: checkKept(options['kept'], vocabSize) });
  }
}

/** Ids are returned in ascending order. */
function checkKept(kept: unknown, vocabSize: number): number | Uint32Array {
  const argument = 'model.head.kept';
  if (!isRecord(kept) && !ArrayBuffer.isView(kept)) return checkInteger(argument, kept, 1, vocabSize);
  const ids = checkTokenIds(argument, kept, 1).slice().sort();
  const last = ids.at(-1)!;
  if (last >= vocabSize) throw invalidArgument(argument, last, `token ids below model.vocabSize, ${vocabSize}`);
  const twice = ids.find((id, i) => id === ids[i + 1]);
  if (twice !== undefined) throw invalidArgument(argument, twice, 'each id once');
  return ids;
}

/** The ids that a culled head was given, if it was. */
export const keptIds = (head: HeadConfig | undefined): Uint32Array | undefined =>
  head?.kind === 'culled' && typeof head.kept !== 'number' ? head.kept : undefined;

/** What the core calls head, proposal, head_samples, head_clusters and head_kept. Of a checked head. */
export function headNumbers(head: HeadConfig | undefined): number[] {
  const kind = KINDS.indexOf(head?.kind ?? 'full');
  switch (head?.kind) {
    case 'sampled':
      return [kind, PROPOSALS.indexOf(head.proposal ?? 'log-uniform'), head.samples, 0, 0];
    case 'clustered':
      return [kind, 0, 0, head.clusters, 0];
    case 'culled':
      return [kind, 0, 0, 0, typeof head.kept === 'number' ? head.kept : head.kept.length];
    default:
      return [kind, 0, 0, 0, 0];
  }
}

/** The reverse; `kept` is their number. */
export function headOf(next: Next): OtherHead | undefined {
  const [kind, proposal, samples, clusters, kept] = [next(), next(), next(), next(), next()];
  switch (KINDS[kind]) {
    case 'sampled':
      return Object.freeze({ kind: 'sampled', samples, proposal: PROPOSALS[proposal]! });
    case 'clustered':
      return Object.freeze({ kind: 'clustered', clusters });
    case 'culled':
      return Object.freeze({ kind: 'culled', kept });
    default:
      return undefined;
  }
}
