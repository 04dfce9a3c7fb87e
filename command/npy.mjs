// A matrix in a file of NumPy, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
import { Refusal } from './exit-codes.mjs';
import { toFloats, widths } from './number-formats.mjs';

const dtypes = { '<f8': 'F64', '<f4': 'F32', '<f2': 'F16' };

/** @param {import('./source.mjs').Source} source */
export async function readNpy(source) {
  const wrong = (what) => new Refusal(`${source.name}: ${what}`);
  if (source.size < 12) throw wrong('it is cut off');
  const start = await source.read(0, 12);
  const view = new DataView(start.buffer, start.byteOffset);
  const isLong = start[6] > 1;
  const [at, length] = isLong ? [12, view.getUint32(8, true)] : [10, view.getUint16(8, true)];
  if (at + length > source.size) throw wrong('it is cut off');
  const header = new TextDecoder('latin1').decode(await source.read(at, length));
  const dtype = dtypes[/'descr':\s*'([^']*)'/.exec(header)?.[1] ?? ''];
  if (dtype === undefined)
    throw wrong(`its header is ${header.trim()}; expected floating-point numbers, little-endian`);
  const shape = (/'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? '')
    .split(',')
    .filter((one) => one.trim() !== '')
    .map(Number);
  if (shape.length !== 2) throw wrong(`its shape is [${shape.join(', ')}]; expected [tokens, width]`);
  if (/'fortran_order':\s*True/.test(header))
    throw wrong('its columns come first; expected rows, as numpy.ascontiguousarray makes them');
  const [rows, cols] = shape;
  const bytes = rows * cols * widths[dtype];
  if (at + length + bytes > source.size) throw wrong(`it ends at byte ${source.size}; expected ${at + length + bytes}`);
  return { dtype, matrix: { rows, cols, data: toFloats(await source.read(at + length, bytes), dtype, source.name) } };
}
