/**
 * The table of wasm modules. Loading, the options that locate modules, the package's files and exports, size budgets
 * and tests all derive from it; tools read it through tools/lib/modules.mjs. Each verb declares those that it needs
 * (api/core-verbs.ts); models-module.ts determines which models need `models`. See
 * docs/decisions/0017-modules-on-demand.md.
 */
import type { Simd } from './types.js';

export interface ModuleEntry {
  /**
   * 'always': required by every core. 'with-core': loaded by every `loadCore`. 'default': loaded by `loadCore` unless its
   * option `modules` says otherwise. 'asked': only if that option names it. A lab fetches all but the first on the first
   * call of one of their verbs.
   */
  readonly load: 'always' | 'with-core' | 'default' | 'asked';
  /** Whether the relaxed build has a separate file; otherwise both builds share one. */
  readonly relaxed: boolean;
  /**
   * The module whose functions these are, in a separate file: see docs/decisions/0064-a-core-in-two-files.md. That
   * module binds them in any case.
   */
  readonly partOf?: 'core';
  /** A function that only this module binds, or that only works with this part; `models` also binds what `core` does. */
  readonly binds: string;
  /** Limit for the gzipped file in KB; for modules that are always loaded, for the glue and all of them up to this one. */
  readonly budgetKilobytes: number;
}

export const MODULES = {
  core: { load: 'always', relaxed: true, binds: 'createTrainerFromTokens', budgetKilobytes: 65.7 },
  analysis: { load: 'always', relaxed: true, binds: 'directPath', budgetKilobytes: 114.7 },
  files: { load: 'with-core', relaxed: true, partOf: 'core', binds: 'startFile', budgetKilobytes: 9.5 },
  accounting: { load: 'default', relaxed: false, binds: 'countParameters', budgetKilobytes: 12 },
  diagnostics: { load: 'asked', relaxed: false, binds: 'startAlignment', budgetKilobytes: 45 },
  graphs: { load: 'asked', relaxed: false, binds: 'startSpectralDistance', budgetKilobytes: 35.5 },
  readout: { load: 'asked', relaxed: false, binds: 'startReadout', budgetKilobytes: 30 },
  checkpoint: { load: 'asked', relaxed: false, binds: 'decodeElements', budgetKilobytes: 35.8 },
  stories: { load: 'default', relaxed: false, binds: 'startStories', budgetKilobytes: 20 },
  models: { load: 'asked', relaxed: true, binds: 'keptTokens', budgetKilobytes: 91.6 },
} as const satisfies Readonly<Record<string, ModuleEntry>>;

export type ModuleName = keyof typeof MODULES;
/**
 * Modules that a core can run without: 'accounting' (counts and advice), 'stories' (`writeStories`, `writePairs`), 'diagnostics'
 * (measures of tables), 'graphs' (`spectralDistance`, `kolmogorovCycles`, `tiedFloor`, `recoverTable`), 'readout' (lenses and other diagnostics of a trainer),
 * 'checkpoint' (files of other programs), 'models' (encoder-decoders, heads other than the full softmax, hidden tokens).
 */
export type OptionalModule = {
  [Name in ModuleName]: (typeof MODULES)[Name]['load'] extends 'always' | 'with-core' ? never : Name;
}[ModuleName];

export const MODULE_NAMES = Object.keys(MODULES) as readonly ModuleName[];
const entries: Readonly<Record<ModuleName, ModuleEntry>> = MODULES;

/** The module that this one is a part of; undefined if it runs by itself. */
export const wholeOf = (name: ModuleName): 'core' | undefined => entries[name].partOf;

const loadedAs = (...ways: ModuleEntry['load'][]): readonly ModuleName[] =>
  MODULE_NAMES.filter((name) => ways.includes(entries[name].load));
export const ALWAYS_LOADED = loadedAs('always');
/** The modules that a core on its own thread always has. */
export const LOADED_WITH_CORE = loadedAs('with-core');
export const OPTIONAL_MODULES = loadedAs('default', 'asked') as readonly OptionalModule[];
export const DEFAULT_MODULES = loadedAs('default') as readonly OptionalModule[];

/** The file of a module. */
export function fileOf(name: ModuleName, simd: Simd): string {
  return simd === 'relaxed' && entries[name].relaxed ? `${name}-relaxed.wasm` : `${name}.wasm`;
}

/** The options that locate a module. The core's options are older and named after its file. */
export function locationOptions(name: ModuleName): { url: string; bytes: string } {
  const prefix = name === 'core' ? 'wasm' : name;
  return { url: `${prefix}Url`, bytes: `${prefix}Bytes` };
}
