/**
 * What NumPy's names make of their arguments. Up to protocol 4, an array is made empty and then gets a tuple of its version, shape, type, order and bytes;
 * in protocol 5 it is made of its bytes. https://github.com/numpy/numpy/blob/main/numpy/_core/src/multiarray/methods.c
 */
import { PyArray, PyArrayType, PyBytes, PyList, PyLongText, PyOther, type PyValue } from './values.js';

/** numpy.dtype, of a name such as f4. */
export const arrayTypeOf = ([code]: readonly PyValue[]): PyArrayType | null =>
  typeof code === 'string' ? new PyArrayType(code) : null;

/** (bytes, type, shape, order) */
export function arrayOfBytes([bytes, type, shape, order]: readonly PyValue[]): PyArray | null {
  const array = new PyArray();
  const sizes = sizesOf(shape);
  if (!(type instanceof PyArrayType) || sizes === null || !(bytes instanceof PyBytes)) return null;
  return Object.assign(array, { bytes, type, shape: sizes, isFortran: order === 'F' });
}

const LATIN = /^(?:latin-?1|iso-?8859-1)$/i;

/** A text of one character for each byte, as protocol 2 writes bytes. */
export function bytesOfText([text, code]: readonly PyValue[]): PyBytes | PyOther | null {
  if (typeof code !== 'string' || !LATIN.test(code)) return new PyOther('_codecs.encode', false);
  if (typeof text === 'string') {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return bytes.length === text.length && !/[^\0-\xff]/.test(text) ? new PyBytes(bytes) : null;
  }
  return text instanceof PyLongText ? ofLatin(text.bytes) : null;
}

/** From UTF-8, where characters up to 255 take two bytes at most. Null if there are others. */
function ofLatin(text: Uint8Array): PyBytes | null {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte < 0x80) bytes[length++] = byte;
    else if ((byte === 0xc2 || byte === 0xc3) && (text[at + 1]! & 0xc0) === 0x80)
      bytes[length++] = ((byte & 3) << 6) | (text[++at]! & 0x3f);
    else return null;
  }
  return new PyBytes(bytes.slice(0, length));
}

/** What follows an array or its type. False if that is no state of it. */
export function builtArray(value: PyValue, state: PyValue): boolean {
  const fields = Array.isArray(state) ? (state as readonly PyValue[]) : null;
  if (value instanceof PyArrayType) {
    value.isBigEndian = fields?.[1] === '>';
    return fields !== null;
  }
  if (!(value instanceof PyArray)) return true;
  const [, shape, type, isFortran, numbers] = fields ?? [];
  const sizes = sizesOf(shape);
  if (sizes === null || !(type instanceof PyArrayType) || typeof isFortran !== 'boolean') return false;
  if (!(numbers instanceof PyBytes) && !(numbers instanceof PyList)) return false;
  Object.assign(value, { shape: sizes, type, isFortran });
  if (numbers instanceof PyBytes) value.bytes = numbers;
  else value.items = numbers;
  return true;
}

export const isWhole = (value: PyValue | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export function sizesOf(value: PyValue | undefined): readonly number[] | null {
  const items = value instanceof PyList ? value.items : value;
  return Array.isArray(items) && items.every(isWhole) ? items : null;
}
