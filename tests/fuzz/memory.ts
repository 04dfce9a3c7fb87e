/** How much the memories of all modules have grown: they never shrink, so that what is taken for a bad file is lost. */

let grown = 0;
let watched = false;

/** Emscripten grows a memory by this method, whatever asks for it. Call it before a core is loaded. */
export function watchMemory(): void {
  if (watched) return;
  watched = true;
  const { prototype } = WebAssembly.Memory as unknown as { prototype: { grow(pages: number): number } };
  const grow = prototype.grow;
  prototype.grow = function (pages) {
    const before = grow.call(this, pages);
    grown += pages * 65_536;
    return before;
  };
}

/** Bytes, of all memories that ever were. */
export function grownBytes(): number {
  return grown;
}
