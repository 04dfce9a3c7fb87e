/** The option `head`: its checks, and its form as numbers of the core. */
import { exp, log } from '../runtime/elementary.js';
import { kindOf } from '../runtime/arrays.js';
import { invalidArgument } from '../runtime/errors.js';
import type { Next } from '../runtime/next-number.js';
import type { HeadConfig, ModelConfig } from '../types.js';
import { checkChoice, checkInteger, checkOptions, checkTokenIds, readList } from '../runtime/validate.js';

/** In the order of HeadKind in model/config.h. */
export const HEADS = ['full', 'sampled', 'adaptive', 'clustered', 'culled'] as const;
export const PROPOSALS = ['log-uniform', 'counts'] as const;
// Limits of the core, defined in model/config.h.
const MOST_SAMPLES = 2 ** 22;
const MOST_CUTOFFS = 4;
const DIVISOR = 4;

/** The options that each kind has besides `kind`. */
const OPTIONS: Readonly<Record<(typeof HEADS)[number], readonly string[]>> = {
  full: [],
  sampled: ['samples', 'proposal'],
  adaptive: ['cutoffs', 'divisor'],
  clustered: ['clusters'],
  culled: ['kept'],
};

interface Sizes {
  vocabSize: number;
  dModel: number;
  tying: ModelConfig['tying'];
}

/** A head of any kind but 'full', which is the same as none. */
export type OtherHead = Exclude<HeadConfig, { kind: 'full' }>;

/** Checks the head of a model whose other options have been checked. */
export function checkHead(given: unknown, model: Sizes): OtherHead | undefined {
  if (given === undefined) return undefined;
  const { vocabSize, tying } = model;
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
    case 'adaptive':
      if (typeof tying !== 'string') {
        throw invalidArgument('model.tying', tying, `one that does not change, for a head of kind 'adaptive'`);
      }
      return Object.freeze({ kind, ...checkCutoffs(options['cutoffs'], options['divisor'], model) });
    case 'clustered':
      return Object.freeze({ kind, clusters: checkInteger('model.head.clusters', options['clusters'], 2, vocabSize) });
    case 'culled':
      return Object.freeze({ kind, kept: checkKept(options['kept'], vocabSize) });
  }
}

function checkCutoffs(given: unknown, givenDivisor: unknown, { vocabSize, dModel }: Sizes) {
  const argument = 'model.head.cutoffs';
  const list = readList(given, 1, MOST_CUTOFFS);
  if (!list) throw invalidArgument(argument, given, `an array of 1 to ${MOST_CUTOFFS} ranks`);
  let previous = 0;
  const cutoffs = list.map((cutoff, i) => {
    previous = checkInteger(`${argument}[${i}]`, cutoff, previous + 1, vocabSize - 1);
    return previous;
  });
  const largest = Math.max(1, Math.floor(exp(log(dModel + 0.5) / cutoffs.length)));
  const divisor = givenDivisor === undefined ? DIVISOR : checkInteger('model.head.divisor', givenDivisor, 1);
  if (divisor > largest) {
    const why = `so that vectors of ${dModel} elements, ${cutoffs.length} times divided, have at least one`;
    throw invalidArgument('model.head.divisor', divisor, `at most ${largest}, ${why}`);
  }
  return { cutoffs: Object.freeze(cutoffs), divisor };
}

/** Returns ids in ascending order. */
function checkKept(kept: unknown, vocabSize: number): number | Uint32Array {
  const argument = 'model.head.kept';
  if (typeof kept === 'number') return checkInteger(argument, kept, 1, vocabSize);
  if (kindOf(kept) !== 'Uint32Array') {
    throw invalidArgument(argument, kept, `an integer from 1 to ${vocabSize}, or a Uint32Array of token ids`);
  }
  const ids = checkTokenIds(argument, kept, 1).slice().sort();
  const last = ids.at(-1)!;
  if (last >= vocabSize) throw invalidArgument(argument, last, `token ids below model.vocabSize, ${vocabSize}`);
  const twice = ids.find((id, i) => id === ids[i + 1]);
  if (twice !== undefined) throw invalidArgument(argument, twice, 'each id once');
  return ids;
}

/** The ids that a culled head was given, if any. */
export const keptIds = (head: HeadConfig | undefined): Uint32Array | undefined =>
  head?.kind === 'culled' && typeof head.kept !== 'number' ? head.kept : undefined;

/** The core's head, proposal, head_samples, _clusters, _kept, _divisor and _cutoffs, of a checked head. */
export function headNumbers(head: HeadConfig | undefined): number[] {
  const kept = head?.kind !== 'culled' ? 0 : typeof head.kept === 'number' ? head.kept : head.kept.length;
  const { cutoffs = [], divisor = 0 } = head?.kind === 'adaptive' ? head : {};
  return [
    HEADS.indexOf(head?.kind ?? 'full'),
    head?.kind === 'sampled' ? PROPOSALS.indexOf(head.proposal ?? 'log-uniform') : 0,
    head?.kind === 'sampled' ? head.samples : 0,
    head?.kind === 'clustered' ? head.clusters : 0,
    kept,
    divisor,
    ...Array.from({ length: MOST_CUTOFFS }, (_, i) => cutoffs[i] ?? 0),
  ];
}

/** The reverse; `kept` is then the number of ids. */
export function headOf(next: Next): OtherHead | undefined {
  const [kind, proposal, samples, clusters, kept, divisor] = [next(), next(), next(), next(), next(), next()];
  const cutoffs = Array.from({ length: MOST_CUTOFFS }, next).filter((cutoff) => cutoff > 0);
  switch (HEADS[kind]) {
    case 'sampled':
      return Object.freeze({ kind: 'sampled', samples, proposal: PROPOSALS[proposal]! });
    case 'adaptive':
      return Object.freeze({ kind: 'adaptive', cutoffs: Object.freeze(cutoffs), divisor });
    case 'clustered':
      return Object.freeze({ kind: 'clustered', clusters });
    case 'culled':
      return Object.freeze({ kind: 'culled', kept });
    default:
      return undefined;
  }
}
