/**
 * The table of wasm modules. Loading, the options that locate modules, the package's files and exports, size budgets
 * and tests all derive from it; tools read it through tools/lib/modules.mjs. See
 * docs/decisions/0017-modules-on-demand.md.
 */
import type { Core } from '../api/core-types.js';
import type { Trainer } from '../training/trainer-types.js';
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
  /** The verbs of the core that need the module; empty for modules that are always loaded. */
  readonly verbs: readonly (keyof Core)[];
  /** The same of trainers. */
  readonly trainerVerbs?: readonly (keyof Trainer)[];
  /** Limit for the gzipped file in KB; for modules that are always loaded, for the glue and all of them up to this one. */
  readonly budgetKilobytes: number;
}

export const MODULES = {
  core: { load: 'always', relaxed: true, binds: 'createTrainerFromTokens', verbs: [], budgetKilobytes: 59 },
  analysis: { load: 'always', relaxed: true, binds: 'directPath', verbs: [], budgetKilobytes: 108 },
  files: {
    load: 'with-core',
    relaxed: true,
    partOf: 'core',
    binds: 'startFile',
    verbs: ['loadTrainer', 'loadModel'],
    trainerVerbs: ['save', 'toSafetensors'],
    budgetKilobytes: 9,
  },
  accounting: {
    load: 'default',
    relaxed: false,
    binds: 'countParameters',
    verbs: ['countParameters', 'countCompute', 'adviseTying'],
    budgetKilobytes: 12,
  },
  diagnostics: {
    load: 'asked',
    relaxed: false,
    binds: 'startAlignment',
    verbs: ['align', 'neighbors', 'neighborOverlap', 'spectrum', 'cka', 'isotropy', 'normFrequency', 'decomposeHidden'],
    trainerVerbs: ['modelCard'],
    budgetKilobytes: 45,
  },
  graphs: {
    load: 'asked',
    relaxed: false,
    binds: 'startSpectralDistance',
    verbs: ['spectralDistance', 'kolmogorovCycles'],
    budgetKilobytes: 30,
  },
  readout: {
    load: 'asked',
    relaxed: false,
    binds: 'startReadout',
    verbs: [],
    trainerVerbs: [
      'logitLens',
      'trainTunedLens',
      'gradientReport',
      'lossByFrequency',
      'ablateLayers',
      'directPath',
      'directPathReport',
      'modelCard',
    ],
    budgetKilobytes: 30,
  },
  checkpoint: {
    load: 'asked',
    relaxed: false,
    binds: 'decodeElements',
    verbs: ['decodeElements'],
    budgetKilobytes: 30,
  },
  stories: {
    load: 'default',
    relaxed: false,
    binds: 'startStories',
    verbs: ['writeStories', 'writePairs'],
    budgetKilobytes: 20,
  },
  models: {
    load: 'asked',
    relaxed: true,
    binds: 'keptTokens',
    // models-module.ts determines which models need it.
    verbs: [],
    budgetKilobytes: 84,
  },
} as const satisfies Readonly<Record<string, ModuleEntry>>;

export type ModuleName = keyof typeof MODULES;
/**
 * Modules that a core can run without: 'accounting' (counts and advice), 'stories' (`writeStories`, `writePairs`), 'diagnostics'
 * (measures of tables), 'graphs' (`spectralDistance`, `kolmogorovCycles`), 'readout' (lenses and other diagnostics of a trainer),
 * 'checkpoint' (files of other programs), 'models' (encoder-decoders, heads other than the full softmax).
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

/** The modules that a verb needs beside those that are always loaded; `of`: whose verb it is. */
export function modulesOfVerb(verb: string, of: 'core' | 'trainer'): ModuleName[] {
  return [...LOADED_WITH_CORE, ...OPTIONAL_MODULES].filter((name) => {
    const { verbs, trainerVerbs = [] } = entries[name];
    return ((of === 'core' ? verbs : trainerVerbs) as readonly string[]).includes(verb);
  });
}

/** The options that locate a module. The core's options are older and named after its file. */
export function locationOptions(name: ModuleName): { url: string; bytes: string } {
  const prefix = name === 'core' ? 'wasm' : name;
  return { url: `${prefix}Url`, bytes: `${prefix}Bytes` };
}
