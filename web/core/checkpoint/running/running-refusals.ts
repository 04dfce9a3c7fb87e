/** Errors for a model that cannot run, before its tensors are read and while they are. */
import { TiedError } from '../../runtime/errors.js';
import type { HeadConfig } from '../../types.js';
import type { FoundNaming } from './namings.js';
import { badFile } from '../bytes/source.js';
import { typeInWords } from '../elements/stored-types.js';

export function checkHead({ head }: { readonly head?: HeadConfig }): void {
  if (head === undefined) return;
  const why = "'full': a weight file lacks the order of tokens that other heads need, which a saved trainer has";
  throw new TiedError('unsupported', `model.head.kind is '${head.kind}'; expected ${why}`);
}

export const withoutTensor = (file: string, name: string): TiedError =>
  badFile(file, `it has no tensor '${name}'; expected all of a model`);

export const otherTensor = (file: string, name: string, naming: FoundNaming | null): TiedError =>
  new TiedError(
    'unsupported',
    `${file}: '${name.slice(0, 120)}' has no place in ${naming ? naming.naming.title : 'the model of its configuration'}; expected no such tensor to run the model`,
  );

export const notDecoded = (file: string, name: string, dtype: string): TiedError =>
  new TiedError(
    'unsupported',
    `${file}: '${name.slice(0, 120)}' has ${typeInWords(dtype)}, which cannot be decoded; expected floating-point numbers or a supported block format of GGUF`,
  );
