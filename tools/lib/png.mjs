// PNG files: texts inside them (the chunk tEXt of the format, a keyword and Latin-1 text), and their pixels packed as small as zlib can.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureLength = 8;
/** Signature, and the chunk IHDR with its 13 bytes. */
const headLength = signatureLength + 12 + 13;

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function* chunksOf(png) {
  for (let at = signatureLength; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** What a byte was predicted from: the ones before it, above it, and above the one before it (the five filters of the format). */
const predictions = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
    if (toLeft <= toAbove && toLeft <= toCorner) return left;
    return toAbove <= toCorner ? above : corner;
  },
];

/** Rows of eight bits a channel, each after a zero for "not filtered", from rows that are filtered. */
function unfiltered(rows, { width, channels }) {
  const stride = width * channels + 1;
  const plain = Buffer.alloc(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const inRow = at % stride;
    if (inRow === 0) continue;
    const left = inRow > channels ? plain[at - channels] : 0;
    const above = at >= stride ? plain[at - stride] : 0;
    const corner = inRow > channels && at >= stride ? plain[at - stride - channels] : 0;
    plain[at] = rows[at] + predictions[rows[at - inRow]](left, above, corner);
  }
  return plain;
}

/** The same picture with a text before its pixels. These are not filtered, which suits flat colors. Other chunks are left out. */
export function packedWithText(png, keyword, text) {
  const packed = [...chunksOf(png)].flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []));
  const [depth, kind] = png.subarray(24, 26);
  const channels = { 2: 3, 6: 4 }[kind];
  if (depth !== 8 || channels === undefined)
    throw new Error('expected: a PNG file with eight bits a channel, in color');
  const pixels = unfiltered(inflateSync(Buffer.concat(packed)), { width: png.readUInt32BE(16), channels });
  return Buffer.concat([
    png.subarray(0, headLength),
    chunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1')),
    chunk('IDAT', deflateSync(pixels, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** { width, height, texts } of a PNG file; throws if it is none. */
export function readPng(png) {
  if (png.toString('latin1', 1, 4) !== 'PNG' || png.toString('latin1', 12, 16) !== 'IHDR')
    throw new Error('not a PNG file');
  const texts = new Map();
  for (const { type, data } of chunksOf(png)) {
    if (type !== 'tEXt') continue;
    const [keyword, text] = data.toString('latin1').split('\0');
    texts.set(keyword, text);
  }
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), texts };
}
