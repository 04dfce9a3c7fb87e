/** How much memory a core holds. Its API doesn't report this, so it is observed where modules are instantiated. */
import { loadCore, type Core } from '../../../web/index.js';

export async function coreWithMemory(): Promise<{ core: Core; bytes: () => number }> {
  const memories: WebAssembly.Memory[] = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (async (module: WebAssembly.Module, imports?: WebAssembly.Imports) => {
    const instance = await instantiate(module, imports);
    for (const item of Object.values(instance.exports)) if (item instanceof WebAssembly.Memory) memories.push(item);
    return instance;
  }) as typeof WebAssembly.instantiate;
  try {
    const core = await loadCore();
    return { core, bytes: () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}
