/** Loads a core, wherever its modules come from. */
import { TiedCore } from '../core.js';
import { checkLoadOptions } from './load-options.js';
import { compileCore, type ModuleSource } from './module-source.js';
import { DEFAULT_MODULES, LOADED_WITH_CORE } from './modules.js';
import { RunningModules } from './running-modules.js';
import type { Core, LoadOptions } from '../types.js';

export async function loadFrom(source: (options: LoadOptions) => ModuleSource, options: LoadOptions): Promise<Core> {
  const given = checkLoadOptions(options);
  const modules = [...LOADED_WITH_CORE, ...(given.modules ?? DEFAULT_MODULES)];
  const [compiled, kinds] = await Promise.all([
    compileCore(source(given), modules),
    import('../accounting/kinds-and-models.js'),
  ]);
  return new TiedCore(await RunningModules.start(compiled), kinds);
}
