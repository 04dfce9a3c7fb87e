/** Arrays of NumPy as archives and pickles store them: a type, a shape, an order, and the numbers. */
import type { TiedError } from '../../runtime/errors.js';
import { elementsOf } from '../elements/stored-types.js';
import type { StoredTensor } from '../tensors.js';
import { NPY_BF16, type NpyHeader } from './npy.js';
import { swapped } from './swapped-source.js';

/** What NumPy calls types, and what other formats do. */
const TYPES: ReadonlyMap<string, readonly [dtype: string, bytes: number]> = new Map([
  ['<f8', ['F64', 8]],
  ['<f4', ['F32', 4]],
  ['<f2', ['F16', 2]],
  ...NPY_BF16.map((descr): [string, [string, number]] => [descr, ['BF16', 2]]),
  ...['<i8', '<i4', '<i2', '|i1', '<u8', '<u4', '<u2', '|u1'].map((descr): [string, [string, number]] => {
    const bytes = Number(descr[2]);
    return [descr, [`${descr[1]!.toUpperCase()}${8 * bytes}`, bytes]];
  }),
  ['|b1', ['BOOL', 1]],
  ['<c8', ['C64', 8]],
]);

/** All that is said of an array, and where its numbers are: `from` and `bytes` of `source`. */
export type ArrayPlace = Omit<NpyHeader, 'from'> & Pick<StoredTensor, 'name' | 'bytes' | 'source' | 'from'>;

/** `where`: what has the bytes, in words. */
export function storedArray(
  { name, descr, isFortran, shape: said, bytes, source, from }: ArrayPlace,
  where: string,
  wrong: (problem: string) => TiedError,
): StoredTensor {
  const isSwapped = descr.startsWith('>');
  const [dtype, each] = TYPES.get(isSwapped ? `<${descr.slice(1)}` : descr) ?? [whatIs(descr), null];
  const elements = elementsOf(said);
  if (each !== null && (elements === null || elements * each !== bytes))
    throw wrong(`it has ${bytes} bytes ${where}; expected ${elements === null ? 'fewer than 2^53' : elements * each} for the shape [${said.join(', ')}] of ${descr}`); // prettier-ignore
  const shape = isFortran ? [...said].reverse() : said;
  const stored = {
    name,
    shape,
    dtype,
    bytes,
    source,
    from,
    ...(isFortran && said.length === 2 ? { turned: true } : {}),
  };
  // A complex number is two.
  return isSwapped && each !== null ? swapped(stored, dtype === 'C64' ? each / 2 : each) : stored;
}

/** In words, of a type that is not read. */
const whatIs = (descr: string): string =>
  /O/.test(descr) ? 'stored as objects of Python' : `stored as ${descr.slice(0, 20)} of NumPy`;
