// Licenses of bundled packages, most of which must accompany copies.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

// Compiled into the wasm, invisible to bundlers.
const compiledIn = [
  'Eigen 3.4 (https://eigen.tuxfamily.org), Mozilla Public License 2.0; its source is unchanged and is had there.',
  'xsimd 13 (https://github.com/xtensor-stack/xsimd), BSD 3-Clause, Copyright (c) 2016 Johan Mabille, Sylvain Corlay,',
  '  Wolf Vollprecht and Martin Renou; Copyright (c) 2016 QuantStack; Copyright (c) 2018 Serge Guelton.',
  'Emscripten (https://emscripten.org), MIT, Copyright (c) 2010-2014 Emscripten authors; with musl, MIT, and libc++,',
  '  Apache License 2.0 with LLVM exceptions.',
];

/** Package folders, such as d3-array or @lit/reactive-element, from esbuild's metafiles. */
function packagesIn(metafiles) {
  const names = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
      if (name) names.add(name);
    }
  }
  return [...names].sort();
}

/** A package's name, version and license; a missing license file stops the build. */
function noticeOf(name) {
  const folder = join(root, 'node_modules', name);
  const file = existsSync(folder) && readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} is bundled, but its folder has no license file`);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}, ${license}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
}

const separate = (parts) => `${parts.join('\n\n----\n\n')}\n`;

/** The text of THIRD-PARTY.txt. */
export function noticesOf(metafiles) {
  const title = 'Third-party work in this package, with its licenses.';
  return separate([title, compiledIn.join('\n'), ...packagesIn(metafiles).map(noticeOf)]);
}

/** Adds more packages, such as those of a page's fonts. */
export const withNotices = (text, names) => separate([text.trim(), ...names.map(noticeOf)]);
