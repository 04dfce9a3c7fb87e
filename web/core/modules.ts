/**
 * The wasm modules: all that the rest of the project knows of them follows from this table. Loading, the options that say
 * where a module is, the files and exports of the package, the size budgets and the tests read it; tools do so through
 * tools/lib/modules.mjs. Docs: docs/decisions/0017-modules-on-demand.md.
 */
import type { Core, Simd } from './types.js';

interface ModuleEntry {
  /**
   * 'always': no core runs without it. 'default': `loadCore` loads it unless its option `modules` says otherwise.
   * 'asked': only where that option names it. A lab fetches both of the latter on the first call of one of their verbs.
   */
  readonly load: 'always' | 'default' | 'asked';
  /** Whether the relaxed build has a file of its own. Otherwise both builds share one. */
  readonly relaxed: boolean;
  /** A function that this module binds and no other does. */
  readonly binds: string;
  /** The verbs of a core that need it, unless it is always there. */
  readonly verbs: readonly (keyof Core)[];
  /** KB gzip: of the file, or, where it is always loaded, of the glue and all such files up to this one. */
  readonly budgetKilobytes: number;
}

export const MODULES = {
  core: { load: 'always', relaxed: true, binds: 'createTrainerFromTokens', verbs: [], budgetKilobytes: 60 },
  analysis: { load: 'always', relaxed: true, binds: 'directPath', verbs: [], budgetKilobytes: 110 },
  accounting: {
    load: 'default',
    relaxed: false,
    binds: 'countParameters',
    verbs: ['countParameters', 'countCompute', 'adviseTying'],
    budgetKilobytes: 12,
  },
  stories: { load: 'default', relaxed: false, binds: 'writeStories', verbs: ['writeStories'], budgetKilobytes: 20 },
} as const satisfies Readonly<Record<string, ModuleEntry>>;

export type ModuleName = keyof typeof MODULES;
/** Those that can be left out. */
export type OptionalModule = {
  [Name in ModuleName]: (typeof MODULES)[Name]['load'] extends 'always' ? never : Name;
}[ModuleName];

export const MODULE_NAMES = Object.keys(MODULES) as readonly ModuleName[];
const entries: Readonly<Record<ModuleName, ModuleEntry>> = MODULES;

const loadedAs = (...ways: ModuleEntry['load'][]): readonly ModuleName[] =>
  MODULE_NAMES.filter((name) => ways.includes(entries[name].load));
export const ALWAYS_LOADED = loadedAs('always');
export const OPTIONAL_MODULES = loadedAs('default', 'asked') as readonly OptionalModule[];
export const DEFAULT_MODULES = loadedAs('default') as readonly OptionalModule[];

/** The file of a module. */
export function fileOf(name: ModuleName, simd: Simd): string {
  return simd === 'relaxed' && entries[name].relaxed ? `${name}-relaxed.wasm` : `${name}.wasm`;
}

/** The module that a verb of the core needs, where it may have to be fetched first. */
export function moduleOfVerb(verb: string): OptionalModule | undefined {
  return OPTIONAL_MODULES.find((name) => (entries[name].verbs as readonly string[]).includes(verb));
}

/** The options that say where a module is. The core's are the oldest, and called after the file. */
export function placeOptions(name: ModuleName): { url: string; bytes: string } {
  const prefix = name === 'core' ? 'wasm' : name;
  return { url: `${prefix}Url`, bytes: `${prefix}Bytes` };
}
