/**
 * Numbers as a file that numpy.load reads: a list or, with the lengths of its sides, an array.
 * @param {Uint16Array | Float32Array} values @param {readonly number[]} [shape] @returns {Uint8Array}
 */
export function npyOf(values, shape = [values.length]) {
  const isFloat = values instanceof Float32Array;
  const sides = shape.map((side) => `${side},`).join(' ');
  const header = `{'descr': '<${isFloat ? 'f4' : 'u2'}', 'fortran_order': False, 'shape': (${sides}), }`;
  // Magic, version and length take ten bytes; the numbers begin at a multiple of 64.
  const start = Math.ceil((10 + header.length + 1) / 64) * 64;
  const width = values.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(start + width * values.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0]);
  view.setUint16(8, start - 10, true);
  bytes.set(new TextEncoder().encode(`${header.padEnd(start - 11)}\n`), 10);
  values.forEach((value, i) => {
    if (isFloat) view.setFloat32(start + width * i, value, true);
    else view.setUint16(start + width * i, value, true);
  });
  return bytes;
}
