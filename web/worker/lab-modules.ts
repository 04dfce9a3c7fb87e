/** Fetches optional modules, each once, on the first call of a verb that needs it. */
import { isBlob } from '../core/runtime/blob.js';
import { TiedError } from '../core/runtime/errors.js';
import type { ModuleSource } from '../core/runtime/module-source.js';
import { moduleOfModel, needsModels } from '../core/runtime/models-module.js';
import { wholeOf, type ModuleName } from '../core/runtime/modules.js';
import { PromiseCache } from '../core/runtime/promise-cache.js';
import { CORE_TARGET, type LabBackend, type TrainerValue } from './protocol.js';
import { MODULES_OF } from './verb-facts.values.js';

/** More than the options of any model. */
const HEAD_BYTES = 4096;

export class LabModules {
  readonly #backend: Pick<LabBackend, 'add'>;
  readonly #source: ModuleSource;
  readonly #added = new PromiseCache<unknown>();
  /** The trainers that run in the module `models`. */
  readonly #inModels = new Set<number>();

  /** `there`: the optional modules that the backend was started with. */
  constructor(backend: Pick<LabBackend, 'add'>, source: ModuleSource, there: readonly ModuleName[] = []) {
    this.#backend = backend;
    this.#source = source;
    for (const name of there) void this.#added.get(name, () => Promise.resolve());
  }

  /** Resolves once all modules of a call have been started; undefined if it needs none. */
  neededBy(verb: string, target: number, args: readonly unknown[] = []): Promise<unknown> | undefined {
    const [file] = args;
    // A trainer's file begins with its model.
    if (verb === 'loadTrainer' && isBlob(file)) {
      const begins = file.slice(0, HEAD_BYTES).arrayBuffer();
      // The worker says what is wrong with a file that cannot be read.
      const head = begins.catch(() => new ArrayBuffer(0));
      return head.then((bytes) => this.neededBy(verb, target, [new Uint8Array(bytes)]));
    }
    const ofCore = target === CORE_TARGET;
    const runsInModels = ofCore ? needsModels(verb, args) : this.#inModels.has(target);
    const names = (MODULES_OF[ofCore ? 'core' : 'trainer'][verb] ?? []).filter(
      // That module contains the functions of the core's parts.
      (name) => !(runsInModels && wholeOf(name) !== undefined),
    );
    if (ofCore && runsInModels) names.push('models');
    if (names.length === 0) return undefined;
    return Promise.all(names.map((name) => this.#added.get(name, () => this.#add(name))));
  }

  /** Notes where a trainer runs, until it is released. */
  keep(target: number, { model }: Pick<TrainerValue, 'model'>): void {
    if (moduleOfModel(model) === 'models') this.#inModels.add(target);
  }
  forget(target: number): void {
    this.#inModels.delete(target);
  }

  async #add(name: ModuleName): Promise<void> {
    const reply = await this.#backend.add(name, await this.#source.find(name));
    if (!reply.ok) throw new TiedError(reply.code, reply.message);
  }
}
