/** Lists the tensors of whole stacks of the usual layers, for models whose other parts fields cannot describe. */
import type { ParameterGroup } from '../types.js';
import { TensorList } from './tensor-list.js';

/** All layers of a stack: attention, perhaps over an encoder too, and a feed-forward part, each with a norm. */
export interface Stack {
  readonly name: string;
  readonly dModel: number;
  readonly hidden: number;
  readonly layers: number;
  /** Width of all queries; that of the model unless stated. */
  readonly queries?: number;
  readonly crosses?: boolean;
  /** Which maps of attention have a bias; all unless stated. */
  readonly biases?: readonly ('query' | 'key' | 'value' | 'output')[];
  /** Biases of the feed-forward part and of the norms; true unless stated. */
  readonly hiddenBias?: boolean;
  readonly normBias?: boolean;
  readonly gated?: boolean;
}

export const MAPS = ['query', 'key', 'value', 'output'] as const;

export class Parts {
  readonly list = new TensorList();
  readonly #normBias: boolean;

  constructor(normBias = true) {
    this.#normBias = normBias;
  }

  norm(name: string, size: number, copies = 1): void {
    const each = { copies, active: copies };
    this.list.add('norms', `${name}.weight`, [size], each);
    if (this.#normBias) this.list.add('norms', `${name}.bias`, [size], each);
  }

  stack({
    name,
    dModel,
    hidden,
    layers,
    queries = dModel,
    crosses,
    biases = MAPS,
    hiddenBias = true,
    gated,
  }: Stack): void {
    const each = { copies: layers, active: layers };
    const map = (group: ParameterGroup, part: string, to: number, from: number, bias: boolean): void =>
      this.list.map(group, `${name}.*.${part}`, to, from, bias, each);
    for (const part of crosses === true ? ['attention', 'cross_attention'] : ['attention']) {
      for (const which of MAPS) {
        const [to, from] = which === 'output' ? [dModel, queries] : [queries, dModel];
        map('attention', `${part}.${which}`, to, from, biases.includes(which));
      }
      this.norm(`${name}.*.${part}_norm`, dModel, layers);
    }
    map('feed-forward', 'feed_forward.up', hidden, dModel, hiddenBias);
    if (gated === true) map('feed-forward', 'feed_forward.gate', hidden, dModel, hiddenBias);
    map('feed-forward', 'feed_forward.down', dModel, hidden, hiddenBias);
    this.norm(`${name}.*.feed_forward_norm`, dModel, layers);
  }
}
