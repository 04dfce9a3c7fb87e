import type { Lab, LabTokenizer, LabTrainer } from '../../core/types.js';

/** A file's name with its bytes. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the reader has given so far. */
export interface CheckpointFiles {
  readonly model: NamedBytes | null;
  readonly tokenizer: NamedBytes | null;
}

/** Bytes that one file may have; a model takes several times its file to run. */
export const largestFile = 256 * 1024 * 1024;

export class CheckpointFileError extends Error {
  constructor(
    readonly problem: 'unreadable' | 'too-large' | 'neither',
    readonly fileName: string,
    readonly reason = '',
  ) {
    super(`${fileName}: ${problem}`);
    this.name = 'CheckpointFileError';
  }
}

export async function readBytes(file: File): Promise<NamedBytes> {
  if (file.size > largestFile) throw new CheckpointFileError('too-large', file.name);
  try {
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    throw new CheckpointFileError('unreadable', file.name);
  }
}

const isBadFile = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'bad-file';

/** Weights and tokenizers have the same ending, so the core is asked which of the two a file is. */
export async function kindOf(lab: Lab, file: NamedBytes): Promise<'model' | 'tokenizer'> {
  let tokenizer: LabTokenizer;
  try {
    tokenizer = await lab.loadTokenizer(file.bytes, { format: 'llama2c' });
  } catch (error) {
    if (!isBadFile(error)) throw error;
    return await checkModel(lab, file);
  }
  tokenizer.dispose();
  return 'tokenizer';
}

async function checkModel(lab: Lab, file: NamedBytes): Promise<'model'> {
  let trainer: LabTrainer;
  try {
    trainer = await lab.loadModel(file.bytes, { format: 'llama2c' });
  } catch (error) {
    if (!isBadFile(error)) throw error;
    throw new CheckpointFileError('neither', file.name, error instanceof Error ? error.message : String(error));
  }
  trainer.dispose();
  return 'model';
}
