/** Turns stored elements into floats with the core's wasm code, on this thread or in a lab's worker. */
import type { ElementType } from './elements/element-types.js';
import type { ModelHost } from './model-host.js';
import type { TableSums, TableSumsOptions } from './card/table-sums.js';

export interface Decoder {
  /** `bytes` hold exactly `elements`, in whole blocks. */
  decodeElements(dtype: ElementType, bytes: Uint8Array, elements: number): Float32Array | Promise<Float32Array>;
  /** For identity cards and comparisons. */
  startTableSums(options: TableSumsOptions): TableSums | Promise<TableSums>;
  /** Runs models; absent if only elements are decoded. */
  readonly models?: ModelHost;
}
