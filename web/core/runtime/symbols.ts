/**
 * `Symbol.dispose`, or, in browsers without it, the symbol that compilers of `using` fall back to. Nothing global is
 * patched: importing the package has no side effects.
 */
export const disposeSymbol: typeof Symbol.dispose = (Symbol.dispose ??
  Symbol.for('Symbol.dispose')) as typeof Symbol.dispose;
