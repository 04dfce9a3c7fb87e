/** Lists the tensors of a model layer by layer, and joins those of one name and shape. */
import type { ListedTensor, ParameterGroup } from '../types.js';

/** How many tensors there are in a layer, and how many of them one token uses. */
export interface Copies {
  readonly copies: number;
  readonly active: number;
}

const ONE: Copies = { copies: 1, active: 1 };

interface Entry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly group: ParameterGroup;
  copies: number;
  active: number;
}

export class TensorList {
  readonly #entries = new Map<string, Entry>();
  /** Before each name: 'layers.*.' in a layer. */
  prefix = '';

  add(group: ParameterGroup, name: string, shape: readonly number[], { copies, active }: Copies = ONE): void {
    if (copies === 0 || shape.includes(0)) return;
    const full = this.prefix + name;
    const key = `${full} ${shape.join(' ')}`;
    const entry = this.#entries.get(key) ?? { name: full, shape, group, copies: 0, active: 0 };
    entry.copies += copies;
    entry.active += active;
    this.#entries.set(key, entry);
  }

  /** A map of `from` to `to` values. */
  map(group: ParameterGroup, name: string, to: number, from: number, bias = false, copies: Copies = ONE): void {
    this.add(group, `${name}.weight`, [to, from], copies);
    if (bias) this.add(group, `${name}.bias`, [to], copies);
  }

  tensors(): ListedTensor[] {
    return [...this.#entries.values()].map(({ name, shape, group, copies, active }) => ({
      ...{ name, shape, copies, group },
      ...(active !== copies && { activeCopies: active }),
    }));
  }
}
