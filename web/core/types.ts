/**
 * The public types of `tied-embeddings`, written by hand: values, options and verbs. Shapes are in square brackets;
 * losses and entropies are in nats per token.
 */

export type * from './accounting/types.js';
export type * from './api/core-types.js';
export type * from './api/lab-types.js';
export type * from './checkpoint/comparison/comparison-types.js';
export type * from './checkpoint/card/identity-card-types.js';
export type * from './checkpoint/types.js';
export type * from './diagnostics/floor-types.js';
export type * from './diagnostics/model-card/types.js';
export type * from './diagnostics/neighbor-types.js';
export type * from './diagnostics/readout-types.js';
export type * from './diagnostics/types.js';
export type * from './direct-path/path-types.js';
export type * from './direct-path/types.js';
export type * from './experiment/types.js';
export type * from './model/types.js';
export type * from './runtime/load-types.js';
export type * from './runtime/types.js';
export type * from './text/corpus-types.js';
export type * from './text/types.js';
export type * from './training/comparison-types.js';
export type * from './training/pair-types.js';
export type * from './training/trainer-types.js';
export type * from './training/types.js';
export type { OptionalModule } from './runtime/modules.js';

declare global {
  // As in TypeScript 5.2's library, for older versions and for projects that do not include it.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}
