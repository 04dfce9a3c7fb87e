// Writes cpp/text/unicode_classes.inc: where Unicode's letters, numbers and white space begin and end, according to this version of Node.
// A test compares the file with the engine's own classes. `node tools/unicode-classes.mjs`
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/root.mjs';

const CLASSES = [/^\p{L}$/u, /^\p{N}$/u, /^\p{White_Space}$/u];
const END = 0x110000;

const classOf = (codePoint) => 1 + CLASSES.findIndex((pattern) => pattern.test(String.fromCodePoint(codePoint)));

/** Each boundary: the distance from the one before times 4, plus the class that begins there, in groups of seven bits. */
export function unicodeClassBytes() {
  const bytes = [];
  let [last, kind] = [0, 0];
  for (let codePoint = 0; codePoint < END; codePoint++) {
    const here = classOf(codePoint);
    if (here === kind) continue;
    let number = (codePoint - last) * 4 + here;
    for (; number >= 0x80; number = Math.floor(number / 0x80)) bytes.push((number % 0x80) + 0x80);
    bytes.push(number);
    [last, kind] = [codePoint, here];
  }
  return bytes;
}

export function unicodeClassFile() {
  const bytes = unicodeClassBytes();
  const lines = [];
  for (let at = 0; at < bytes.length; at += 24) lines.push(`    ${bytes.slice(at, at + 24).join(', ')},`);
  return [
    '// Written by tools/unicode-classes.mjs.',
    `// Unicode ${process.versions.unicode}`,
    `inline constexpr std::uint8_t kUnicodeClasses[${bytes.length}] = {`,
    ...lines,
    '};',
    '',
  ].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(join(root, 'cpp/text/unicode_classes.inc'), unicodeClassFile());
