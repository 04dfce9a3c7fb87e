/** The checkpoint module, started the way a core starts it. */
import { instantiate } from '../../../web/core/runtime/instantiate.js';
import { MODULES } from '../../../web/core/runtime/modules.js';
import type { Runtime } from '../../../web/core/runtime/runtime.js';
import type { CheckpointModule } from '../../../web/core/runtime/wasm-module.js';
import { wasmFile } from '../core/bound-verbs.js';

export async function startCheckpoint(): Promise<Runtime<CheckpointModule>> {
  const file = 'checkpoint.wasm';
  const compiled = await WebAssembly.compile(new Uint8Array(wasmFile(file)));
  return instantiate<CheckpointModule>(file, MODULES.checkpoint.binds, compiled);
}
