import type { Lab, LabTokenizer, LabTrainer } from '../../core/types.js';
import { fileKind, headBytes, type FileKind, type ForeignKind } from '../../core/file-kind.js';

/** A file's name and bytes. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The kind of file that its bytes suggest. */
  readonly looks: FileKind;
}

/** The files that the reader has supplied so far. */
export interface CheckpointFiles {
  readonly model: NamedBytes | null;
  readonly tokenizer: NamedBytes | null;
}

/** Size limit of one file; running a model takes several times its file. */
export const largestFile = 256 * 1024 * 1024;

export type FileProblem =
  | { readonly what: 'unreadable' | 'too-large' | 'broken-weights' | 'broken-tokenizer' | 'unknown' }
  | { readonly what: 'foreign'; readonly kind: ForeignKind }
  /** `bytes`: the file's size. `expected`: the size according to its header. */
  | { readonly what: 'cut-short' | 'too-long'; readonly bytes: number; readonly expected: number };

/** A file that the figure cannot open. `cause` is the core's error, if the core read it. */
export class CheckpointFileError extends Error {
  override readonly name = 'CheckpointFileError';

  constructor(
    readonly problem: FileProblem,
    readonly fileName: string,
    options?: ErrorOptions,
  ) {
    super(`${fileName}: ${problem.what}`, options);
  }
}

/** Reads the beginning first, so that a large file of another kind is named without being loaded. */
export async function readBytes(file: File): Promise<NamedBytes> {
  const read = async (part: Blob): Promise<Uint8Array> => {
    try {
      return new Uint8Array(await part.arrayBuffer());
    } catch (cause) {
      throw new CheckpointFileError({ what: 'unreadable' }, file.name, { cause });
    }
  };
  const looks = fileKind(await read(file.slice(0, headBytes)), file.size);
  if (looks.kind === 'weights' && looks.bytes !== file.size) {
    const what = looks.bytes > file.size ? 'cut-short' : 'too-long';
    throw new CheckpointFileError({ what, bytes: file.size, expected: looks.bytes }, file.name);
  }
  if (looks.kind !== 'weights' && looks.kind !== 'tokenizer' && looks.kind !== 'unknown') {
    throw new CheckpointFileError({ what: 'foreign', kind: looks.kind }, file.name);
  }
  if (file.size > largestFile) throw new CheckpointFileError({ what: 'too-large' }, file.name);
  return { name: file.name, bytes: await read(file), looks };
}

const isBadFile = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'bad-file';

/** Weights and tokenizers have the same file extension, so the core decides which one this is. */
export async function kindOf(lab: Lab, file: NamedBytes): Promise<'model' | 'tokenizer'> {
  let tokenizer: LabTokenizer;
  try {
    tokenizer = await lab.loadTokenizer(file.bytes, { format: 'llama2c' });
  } catch (cause) {
    if (!isBadFile(cause)) throw cause;
    if (file.looks.kind === 'tokenizer') {
      throw new CheckpointFileError({ what: 'broken-tokenizer' }, file.name, { cause });
    }
    return await checkModel(lab, file);
  }
  tokenizer.dispose();
  return 'tokenizer';
}

async function checkModel(lab: Lab, file: NamedBytes): Promise<'model'> {
  let trainer: LabTrainer;
  try {
    trainer = await lab.loadModel(file.bytes, { format: 'llama2c' });
  } catch (cause) {
    if (!isBadFile(cause)) throw cause;
    const what = file.looks.kind === 'weights' ? 'broken-weights' : 'unknown';
    throw new CheckpointFileError({ what }, file.name, { cause });
  }
  trainer.dispose();
  return 'model';
}
