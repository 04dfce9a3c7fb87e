/** The modules that a lab was opened without: each is fetched, once, on the first call of a verb that needs it. */
import { TiedError } from '../core/errors.js';
import type { ModuleSource } from '../core/module-source.js';
import { moduleOfVerb, type ModuleName } from '../core/modules.js';
import { OnceEach } from '../core/once-each.js';
import type { LabBackend } from './protocol.js';

export class LabModules {
  readonly #backend: Pick<LabBackend, 'add'>;
  readonly #source: ModuleSource;
  readonly #added = new OnceEach<unknown>();

  /** `there`: those that the backend was started with, beside the ones that every core has. */
  constructor(backend: Pick<LabBackend, 'add'>, source: ModuleSource, there: readonly ModuleName[] = []) {
    this.#backend = backend;
    this.#source = source;
    for (const name of there) void this.#added.get(name, () => Promise.resolve());
  }

  /** Undefined where a verb of the core needs nothing more; else resolves once its module has been started. */
  neededBy(verb: string): Promise<unknown> | undefined {
    const name = moduleOfVerb(verb);
    return name && this.#added.get(name, () => this.#add(name));
  }

  async #add(name: ModuleName): Promise<void> {
    const reply = await this.#backend.add(name, await this.#source.find(name));
    if (!reply.ok) throw new TiedError(reply.code, reply.message);
  }
}
