import { TiedError } from './errors.js';

/** For a module that this build of the package does not have: a quick build and the standalone script leave out the relaxed one. */
export const leftOut = (file: string): TiedError =>
  new TiedError(
    'unsupported',
    `this build of the package has no ${file}; simd: 'simd128', the default, is in every build`,
  );
