/** A list of numbers as a file that numpy.load reads. @param {Uint16Array} values @returns {Uint8Array} */
export function npyOf(values) {
  const header = `{'descr': '<u2', 'fortran_order': False, 'shape': (${values.length},), }`;
  // Magic, version and length take ten bytes; the numbers begin at a multiple of 64.
  const size = Math.ceil((10 + header.length + 1) / 64) * 64;
  const bytes = new Uint8Array(size + 2 * values.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0]);
  view.setUint16(8, size - 10, true);
  bytes.set(new TextEncoder().encode(`${header.padEnd(size - 11)}\n`), 10);
  values.forEach((value, i) => {
    view.setUint16(size + 2 * i, value, true);
  });
  return bytes;
}
