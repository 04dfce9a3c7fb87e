// Source maps that do not depend on where the package is.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { root } from '../lib/root.mjs';

const base64 = /^web\/wasm\/([a-z-]+)-bytes\.mjs$/;

/**
 * Rewrites the maps in `folder`, which will become the folder `place` of the project: sources are named relative to that
 * folder, and maps contain their text, because the package has no sources. The wasm's base64 is omitted.
 */
export function settleSourceMaps(folder, place) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.js.map')) continue;
    const file = join(folder, path);
    const map = JSON.parse(readFileSync(file, 'utf8'));
    const sources = map.sources.map((source) => relative(root, resolve(dirname(file), source)).replaceAll('\\', '/'));
    map.sources = sources.map((source) => posix.relative(posix.join(place, posix.dirname(path)), source));
    map.sourcesContent = map.sourcesContent.map((text, index) => {
      const [, module] = base64.exec(sources[index]) ?? [];
      return module === undefined ? text : `// ${module}.wasm as base64\n`;
    });
    writeFileSync(file, JSON.stringify(map));
  }
}
