/** The running modules of one core: those it started with and those added since. */
import { TiedError } from './errors.js';
import { instantiate, notOurs } from './instantiate.js';
import type { CompiledCore } from './module-source.js';
import { FIELDS_VERSION } from '../generated/fields.js';
import { MODULES, OPTIONAL_MODULES, fileOf, wholeOf, type ModuleName } from './modules.js';
import type { Runtime } from './runtime.js';
import type { Simd } from './types.js';
import type { Bindings } from './wasm-module.js';

/** What verbs need from them. */
export type FindModule = Pick<RunningModules, 'get' | 'check' | 'checkPart'>;

/** A core, as its verbs need it. */
export interface CoreModules {
  readonly modules: FindModule;
}

export class RunningModules {
  /** The requested build; every module must report the same. */
  readonly simd: Simd;
  readonly #running = new Map<ModuleName, Runtime<Bindings[ModuleName]>>();
  #disposed = false;

  constructor(simd: Simd) {
    this.simd = simd;
  }

  /** Instantiates each module with its own memory, then the parts into their modules. */
  static async start({ simd, modules }: CompiledCore): Promise<RunningModules> {
    const all = new RunningModules(simd);
    const compiled = Object.entries(modules) as [ModuleName, WebAssembly.Module][];
    for (const parts of [false, true]) {
      const these = compiled.filter(([name]) => (wholeOf(name) !== undefined) === parts);
      await Promise.all(these.map(([name, module]) => all.add(name, module)));
    }
    return all;
  }

  /** Throws if the file holds another module, another version of it, or a build other than requested. */
  async add(name: ModuleName, compiled: WebAssembly.Module): Promise<void> {
    const { simd } = this;
    const whole = wholeOf(name);
    if (whole !== undefined) {
      const runtime = this.get(whole);
      await runtime.addPart(fileOf(name, simd), compiled);
      this.#running.set(name, runtime);
      return;
    }
    const { binds, relaxed } = MODULES[name];
    const runtime = await instantiate<Bindings[ModuleName]>(fileOf(name, simd), binds, compiled);
    const module: Partial<Bindings['core']> = runtime.check();
    // An older module would misread the numbers and silently compute something else.
    if ((name === 'core' || name === 'models') && module.fieldsVersion?.() !== FIELDS_VERSION) {
      runtime.dispose();
      throw notOurs(fileOf(name, simd));
    }
    const found: Simd = runtime.check().relaxed() ? 'relaxed' : 'simd128';
    const expected: Simd = relaxed ? simd : 'simd128';
    if (found !== expected) {
      throw new TiedError(
        'bad-file',
        `the ${name} module is of the build '${found}'; expected '${expected}' (options.simd)`,
      );
    }
    if (this.#disposed) runtime.dispose();
    this.#running.set(name, runtime);
  }

  /** Throws if the module was not loaded. */
  get<Name extends ModuleName>(name: Name): Runtime<Bindings[Name]> {
    this.check(name);
    return this.#running.get(name) as Runtime<Bindings[Name]>;
  }

  /** The same for a part, if `runtime` is of the module that it is a part of, not of one that contains it. */
  checkPart(name: ModuleName, runtime: unknown): void {
    if (this.#running.get(wholeOf(name)!) === runtime) this.check(name);
  }

  /** Throws if any of the modules was not loaded, naming all that are missing. */
  check(...names: ModuleName[]): void {
    const missing = names.filter((name) => !this.#running.has(name));
    if (missing.length === 0) return;
    this.checkLive();
    const listed = (modules: readonly ModuleName[]): string => modules.map((name) => `'${name}'`).join(', ');
    // With those that it has, because the option replaces the default.
    const wanted = OPTIONAL_MODULES.filter((name) => this.#running.has(name) || missing.includes(name));
    throw new TiedError(
      'unsupported',
      `this core was loaded without the module${missing.length > 1 ? 's' : ''} ${listed(missing)}, which this verb needs; pass modules: [${listed(wanted)}] to loadCore`,
    );
  }

  /** Throws if the core was disposed of or has stopped. For verbs that need no module, which would notice by itself. */
  checkLive(): void {
    this.#running.get('core')?.check();
  }

  dispose(): void {
    this.#disposed = true;
    for (const runtime of this.#running.values()) runtime.dispose();
  }
}
