/** The option `tying` of encoder-decoders: its checks, and its fields in the core. */
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { FlatOptions } from './option-codec.js';
import type { PairTying, TokenTable, Tying } from './types.js';
import { checkChoice, checkOptions, readList } from '../runtime/validate.js';

const TABLES: readonly TokenTable[] = ['encoder-input', 'decoder-input', 'output'];
const WORDS = ['all', 'decoder', 'none'] as const;

/** Returns the canonical form: a word if there is one. */
export function checkPairTying(tying: unknown): PairTying {
  const argument = 'model.tying';
  if (typeof tying === 'string') return checkChoice(argument, tying, WORDS);
  if (typeof tying !== 'object' || tying === null) {
    throw invalidArgument(argument, tying, `'all', 'decoder', 'none', or { tables } of an encoder-decoder`);
  }
  const { tables } = checkOptions(argument, tying as { tables?: unknown }, ['tables']);
  const listed = readList(tables, 2, TABLES.length);
  if (!listed) {
    throw invalidArgument(
      `${argument}.tables`,
      tables,
      `an array of two or three of ${TABLES.join(', ')}; 'none' ties none`,
    );
  }
  const named = listed.map((table, i) => checkChoice(`${argument}.tables[${i}]`, table, TABLES));
  const twice = named.find((table, i) => named.indexOf(table) !== i);
  if (twice !== undefined)
    throw new TiedError('invalid-argument', `${argument}.tables has '${twice}' twice; expected it once`);
  return ofTables(TABLES.filter((table) => named.includes(table)));
}

function ofTables(tables: readonly TokenTable[]): PairTying {
  if (tables.length === TABLES.length) return 'all';
  if (!tables.includes('encoder-input')) return 'decoder';
  return Object.freeze({ tables: Object.freeze(tables) });
}

/** The fields of the core: whether the decoder's two tables are one, and where the encoder's is. */
export function pairTyingValues(tying: PairTying): { tying: Tying; encoderTable: string } {
  if (typeof tying === 'string') {
    return { tying: tying === 'none' ? 'untied' : 'tied', encoderTable: tying === 'all' ? 'embedding' : 'own' };
  }
  return { tying: 'untied', encoderTable: tying.tables.includes('output') ? 'unembedding' : 'embedding' };
}

export function pairTyingOf({ tying, encoderTable: place }: FlatOptions): PairTying {
  if (tying === 'tied') return place === 'own' ? 'decoder' : 'all';
  if (place === 'own') return 'none';
  return ofTables(['encoder-input', place === 'embedding' ? 'decoder-input' : 'output']);
}
