/** Checks of the values that verbs return: null if a value has the shape, otherwise what is wrong with it. */
export type Shape = (value: unknown, where?: string) => string | null;

const complaint = (where: string, value: unknown, expected: string): string =>
  `${where} is ${Object.prototype.toString.call(value)} ${String(value).slice(0, 40)}; expected ${expected}`;

const check =
  (expected: string, fits: (value: unknown) => boolean): Shape =>
  (value, where = 'the result') =>
    fits(value) ? null : complaint(where, value, expected);

export const anyNumber = check('a number', (value) => typeof value === 'number');
export const number = check('a finite number', (value) => Number.isFinite(value));
export const whole = check('an integer', (value) => Number.isInteger(value));
export const string = check('a string', (value) => typeof value === 'string');
export const boolean = check('true or false', (value) => typeof value === 'boolean');
export const nothing = check('undefined', (value) => value === undefined);
export const bytes = check('a Uint8Array', (value) => value instanceof Uint8Array && ownsBuffer(value));
export const tokenIds = check('a Uint32Array', (value) => value instanceof Uint32Array && ownsBuffer(value));
export const doubles = check('a Float64Array', (value) => value instanceof Float64Array && ownsBuffer(value));
export const floats = check('a Float32Array', (value) => value instanceof Float32Array && ownsBuffer(value));

/** A view of a larger buffer would point into the core's memory. */
function ownsBuffer(array: ArrayBufferView): boolean {
  return array.buffer instanceof ArrayBuffer && array.buffer.byteLength === array.byteLength;
}

export const nullOr =
  (shape: Shape): Shape =>
  (value, where) =>
    value === null ? null : shape(value, where);

export const either =
  (first: Shape, second: Shape): Shape =>
  (value, where) =>
    first(value, where) === null ? null : second(value, where);

export const listOf =
  (shape: Shape): Shape =>
  (value, where = 'the result') => {
    if (!Array.isArray(value)) return complaint(where, value, 'an array');
    for (let i = 0; i < value.length; i++) {
      const wrong = shape(value[i], `${where}[${i}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

/** At least these fields. */
export const record =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, where = 'the result') => {
    if (typeof value !== 'object' || value === null) return complaint(where, value, 'an object');
    for (const [name, shape] of Object.entries(fields)) {
      const wrong = shape((value as Record<string, unknown>)[name], `${where}.${name}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const parts = record({ rows: whole, cols: whole, data: floats });
export const matrix: Shape = (value, where = 'the result') => {
  const wrong = parts(value, where);
  if (wrong !== null) return wrong;
  const { rows, cols, data } = value as { rows: number; cols: number; data: Float32Array };
  return data.length === rows * cols ? null : `${where} is ${rows} x ${cols} with ${data.length} elements`;
};
