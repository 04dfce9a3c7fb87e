// Verbs, files and folders to test completion with.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Verb } from '../../../command/declare.mjs';

const run = (): Promise<number> => Promise.resolve(0);

/** Verbs that the command does not have: the scripts know them only from their declarations. */
export const otherVerbs: readonly Verb[] = [
  {
    name: 'bake',
    summary: "bread, 'rye' [or] wheat: $HOME",
    about: '',
    operands: [
      { name: 'DOUGH', kind: 'file' },
      { name: 'FORM', kind: 'choice', of: ['round', 'long'], optional: true },
    ],
    flags: { to: { kind: 'folder', summary: 'where [to]: "here"' }, hot: { kind: 'switch', summary: "it's `hot`" } },
    examples: [],
    run,
  },
  { name: 'oven light on', summary: 'on', about: '', operands: [], flags: {}, examples: [], run },
  { name: 'oven light off', summary: 'off', about: '', operands: [], flags: {}, examples: [], run },
];

export interface Shelf {
  folder: string;
  /** Writes the script, and returns its path. */
  written: (script: string) => string;
  remove: () => void;
}

/** A folder with `here/`, `here/claim.json` and `here/my tables/`. */
export function newShelf(): Shelf {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'tied-completion-')));
  const folder = join(top, 'here');
  mkdirSync(join(folder, 'my tables'), { recursive: true });
  writeFileSync(join(folder, 'claim.json'), '{}');
  return {
    folder,
    written(script) {
      const path = join(mkdtempSync(join(top, 'script-')), 'script');
      writeFileSync(path, script);
      return path;
    },
    remove: () => {
      rmSync(top, { recursive: true });
    },
  };
}
