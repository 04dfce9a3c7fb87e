/**
 * `Symbol.dispose`, or where the browser has none yet the symbol that compilers of `using` fall back to.
 * Nothing global is patched: importing the package has no side effect.
 */
export const disposeSymbol: typeof Symbol.dispose = (Symbol.dispose ??
  Symbol.for('Symbol.dispose')) as typeof Symbol.dispose;
