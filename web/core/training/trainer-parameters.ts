/** The parameters of a trainer by name. */
import { PARAMETER } from '../generated/records.js';
import type { Handle } from '../runtime/runtime.js';
import { parameterInfos, type ParameterEntry } from './trainer-answers.js';
import type { Matrix, ParameterInfo } from '../types.js';
import { checkChoice, checkInteger, checkMatrix, shapeMismatch } from '../runtime/validate.js';
import type { CoreModule } from '../runtime/wasm-module.js';

export class TrainerParameters {
  readonly #handle: Handle<CoreModule>;
  readonly #changing: () => void;

  constructor(handle: Handle<CoreModule>, changing: () => void) {
    this.#handle = handle;
    this.#changing = changing;
  }

  infos(): ParameterInfo[] {
    return parameterInfos(this.#entries());
  }

  /** Read each time, because sharing may change from step to step. */
  #entries(): ParameterEntry[] {
    return this.#handle.call(
      [],
      (module, trainer) => module.parameters(trainer),
      (answer) => answer.read([PARAMETER]),
    );
  }

  #entry(name: string): ParameterEntry & { index: number } {
    const entries = this.#entries();
    const names = entries.map((entry) => entry.name);
    const index = names.indexOf(checkChoice('name', name, names));
    return { ...entries[index]!, index };
  }

  matrix(name: string): Matrix {
    const { index, rows, cols } = this.#entry(name);
    return this.#handle.call(
      [],
      (module, trainer) => module.readParameter(trainer, index),
      (answer) => ({ rows, cols, data: answer.read('floats') }),
    );
  }

  set(name: string, matrix: Matrix): void {
    const { index, rows, cols } = this.#entry(name);
    const { data } = checkMatrix('matrix', matrix, { rows, cols });
    this.#changing();
    this.#handle.call(
      [data],
      (module, trainer, [address]) => module.setParameter(trainer, index, address!, rows, cols),
      () => undefined,
      { [name]: 'matrix' },
    );
  }

  /** Rows from `firstRow` on. */
  fill(name: string, firstRow: number, data: Float32Array): void {
    const { index, rows, cols } = this.#entry(name);
    checkInteger('firstRow', firstRow, 0, rows);
    if (data.length % cols !== 0 || firstRow + data.length / cols > rows) {
      throw shapeMismatch(name, data.length / cols, cols, `rows of [${rows}, ${cols}] from ${firstRow} on`);
    }
    this.#changing();
    this.#handle.call(
      [data],
      (module, trainer, [address]) => module.fillParameter(trainer, index, firstRow, address!, data.length / cols),
      () => undefined,
    );
  }

  /** Makes the current values those of step 0. */
  begin(): void {
    this.#handle.call(
      [],
      (module, trainer) => module.beginTrainer(trainer),
      () => undefined,
    );
  }
}
