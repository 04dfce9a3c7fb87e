/** Token strings in a JSON weight file, under the names that small programs give them. */
import { TiedError } from '../../runtime/errors.js';
import type { PlainValue } from './exact-json.js';
import { listOf, tokensByIds, type TokenStrings } from '../tokens/token-strings.js';

export type { TokenStrings };

/** Lists by id, or objects from string to id. */
const LISTS = ['tokens', 'vocab', 'vocabulary', 'itos', 'uchars', 'chars', 'characters', 'stoi', 'token_to_id'];
/** Fields with the id of a token that is not in a list. */
const SPECIAL = /^(?:bos|eos|pad|unk|sep|mask)$/i;

/** From the first of these objects that has any. Anything but a list of strings gives a note; the tables work without it. */
export function tokensOfFields(
  all: readonly ReadonlyMap<string, PlainValue>[],
  file: string,
): { tokens: TokenStrings | null; notes: string[] } {
  for (const fields of all) {
    const key = LISTS.find((name) => Array.isArray(fields.get(name)) || fields.get(name) instanceof Map);
    if (key === undefined) continue;
    try {
      return { tokens: withSpecial(stringsOf(fields.get(key)!, `${file}, ${key}`), fields), notes: [] };
    } catch (error) {
      if (!(error instanceof TiedError)) throw error;
      return { tokens: null, notes: [`Token strings were not read: ${error.message}`] };
    }
  }
  return { tokens: null, notes: [] };
}

function stringsOf(value: PlainValue, where: string): Map<number, string> {
  if (value instanceof Map) return tokensByIds(value, where);
  return new Map(listOf(value as PlainValue[], where).entries());
}

/** Names special tokens after their fields, if nothing else names them. */
function withSpecial(tokens: Map<number, string>, fields: ReadonlyMap<string, PlainValue>): Map<number, string> {
  const known = new Set(tokens.values());
  for (const [name, id] of fields)
    if (
      SPECIAL.test(name) &&
      Number.isInteger(id) &&
      !tokens.has(id as number) &&
      !known.has(name) &&
      (id as number) >= 0
    )
      tokens.set(id as number, name);
  return tokens;
}
