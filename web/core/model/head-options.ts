/** Checks of the option `head`. */
import { exp, log } from '../runtime/elementary.js';
import { kindOf } from '../runtime/arrays.js';
import { invalidArgument } from '../runtime/errors.js';
import { MAX_CUTOFFS, MODEL_FIELDS } from '../generated/fields.js';
import { applies, checkField, type Field, type Fields } from './option-codec.js';
import type { HeadConfig, ModelConfig } from './types.js';
import { checkInteger, checkOptions, checkTokenIds, readList } from '../runtime/validate.js';

const NAMES = ['kind', 'samples', 'proposal', 'clusters', 'kept', 'cutoffs', 'divisor'] as const;
const DIVISOR = 4;

interface Sizes {
  vocabSize: number;
  dModel: number;
  tying: ModelConfig['tying'];
}

const fieldOf = (name: string): Field => (MODEL_FIELDS as Fields)[`head.${name}`] ?? MODEL_FIELDS['head.cutoffs.0'];

/** A head of any kind but 'full', which is the same as none. */
export type OtherHead = Exclude<HeadConfig, { kind: 'full' }>;

/** Checks the head of a model whose other options have been checked. */
export function checkHead(given: unknown, model: Sizes): OtherHead | undefined {
  if (given === undefined) return undefined;
  const { vocabSize, tying } = model;
  const options = checkOptions('model.head', given as Partial<Record<string, unknown>>, NAMES);
  const check = (name: string, value: unknown, most?: number): unknown =>
    checkField(`model.head.${name}`, value, fieldOf(name), most);
  const kind = check('kind', options['kind']) as HeadConfig['kind'];
  for (const name of NAMES.slice(1)) {
    if (options[name] === undefined || applies(fieldOf(name), { 'head.kind': kind })) continue;
    throw invalidArgument(`model.head.${name}`, options[name], `it to be absent in a head of kind '${kind}'`);
  }
  switch (kind) {
    case 'full':
      return undefined;
    case 'sampled': {
      const { samples, proposal = 'log-uniform' } = options;
      return Object.freeze({
        kind,
        samples: check('samples', samples),
        proposal: check('proposal', proposal),
      }) as OtherHead;
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
  const list = readList(given, 1, MAX_CUTOFFS);
  if (!list) throw invalidArgument(argument, given, `an array of 1 to ${MAX_CUTOFFS} ranks`);
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
