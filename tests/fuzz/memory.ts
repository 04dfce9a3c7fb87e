/** Growth of all modules' memories. They never shrink, so memory taken for an invalid file is lost. */

let grown = 0;
let watched = false;

/** Emscripten grows memories only by this method. Call it before a core is loaded. */
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

/** Bytes, over all memories ever created. */
export function grownBytes(): number {
  return grown;
}
