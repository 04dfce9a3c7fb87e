/** Options of `loadCore` and `createLab`, checked before anything is fetched. */
import { invalidArgument } from './errors.js';
import { MODULE_NAMES, OPTIONAL_MODULES, locationOptions, type OptionalModule } from './modules.js';
import type { LoadOptions, Simd } from '../types.js';
import { checkChoice, checkOptions, readList } from './validate.js';

const SIMDS: readonly Simd[] = ['simd128', 'relaxed'];
/** Listed when it is asked for: a constant would bring the list of modules into every script that asks whether a browser is supported. */
const loadOptions = (): string[] => [
  'simd',
  'modules',
  ...MODULE_NAMES.flatMap((name) => Object.values(locationOptions(name))),
];
/** Far more than there are modules; repeated names are allowed. */
const MAX_NAMED = 100;

/**
 * A copy of the options. Refuses unknown names, modules and builds; `more` names options in addition to those of
 * `loadCore`.
 */
export function checkLoadOptions<T extends LoadOptions>(options: T, more: readonly string[] = []): T {
  const given = checkOptions('options', options, [...more, ...loadOptions()]);
  simdOf(given);
  const { modules } = given;
  return modules === undefined ? given : { ...given, modules: checkModules(modules) };
}

/** The requested build. */
export function simdOf({ simd }: { simd?: Simd }): Simd {
  return simd === undefined ? 'simd128' : checkChoice('options.simd', simd, SIMDS);
}

function checkModules(modules: unknown): OptionalModule[] {
  const names = readList(modules, 0, MAX_NAMED);
  if (!names) throw invalidArgument('options.modules', modules, 'an array of names of modules');
  return [...new Set(names.map((name, i) => checkChoice(`options.modules[${i}]`, name, OPTIONAL_MODULES)))];
}
