import type { Lab, LabTokenizer, LabTrainer } from '../../core/types.js';
import { fileKind, headBytes, type FileKind, type ForeignKind } from '../../core/checkpoint/formats/file-kind.js';
import { looksLikeOnnx } from '../../core/checkpoint/formats/onnx/looks-like.js';
import { codeOf } from '../shared/error-code.js';

/** A file's name and bytes. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The kind of file that its bytes suggest. */
  readonly looks: FileKind;
}

/**
 * What a file is for. `tensors`: it holds tables, or names the files that do. `beside`: token strings and other JSON
 * that belong to a model, like a configuration. `llama2c`, `tokenizer`: the two files of llama2.c.
 */
export type FileRole = 'tensors' | 'configuration' | 'beside' | 'llama2c' | 'tokenizer';

/** One of the reader's files, and what it is for. */
export interface SortedFile {
  readonly file: File;
  readonly role: FileRole;
}

/** Size limit of a model that runs, because running takes several times the size of the file. */
export const largestFile = 256 * 1024 * 1024;

export type FileProblem =
  | { readonly what: 'unreadable' | 'broken-weights' | 'broken-tokenizer' | 'unknown' }
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

async function bytesOf(part: Blob, name: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch (cause) {
    throw new CheckpointFileError({ what: 'unreadable' }, name, { cause });
  }
}

/** Kinds that `openCheckpoint` reads, or refuses with what makes something else of them. */
const withTensors: readonly string[] = [
  'safetensors',
  'pytorch',
  'gguf',
  'numpy',
  'weights-json',
  'word2vec',
  'fasttext',
  'gensim',
  'hdf5',
  'zip',
  'onnx',
];
const withoutTensors: readonly string[] = ['config-json', 'tokenizer-json', 'json'];

/** The merges of a tokenizer, as published for GPT-2 beside a vocabulary, or a vocabulary as published for BERT. */
const partOfATokenizer = /(?:^|[-_.])(?:merges[\w-]*|vocab)\.txt$|\.bpe$/i;

const isTensorFlowLite = (head: Uint8Array): boolean => String.fromCharCode(...head.subarray(4, 8)) === 'TFL3';

/** What a file is for, judged by its first bytes: a large file of another kind is named without being loaded. */
export async function sortFile(lab: Lab, file: File): Promise<SortedFile> {
  const head = await bytesOf(file.slice(0, headBytes), file.name);
  const looks = fileKind(head, file.size);
  const { kind } = looks;
  // The numbers of a large model of ONNX are in a file of their own.
  if (/\.onnx[._]data$/i.test(file.name) || (kind === 'unknown' && (looksLikeOnnx(head) || isTensorFlowLite(head))))
    return { file, role: 'tensors' };
  if (withTensors.includes(kind) || /\.index\.json$/i.test(file.name)) return { file, role: 'tensors' };
  if (withoutTensors.includes(kind)) return { file, role: kind === 'config-json' ? 'configuration' : 'beside' };
  if (kind === 'text' && partOfATokenizer.test(file.name)) return { file, role: 'beside' };
  // Tables as text, such as word vectors.
  if (kind === 'text' && /\.(?:csv|tsv|vec|txt)$/i.test(file.name)) return { file, role: 'tensors' };
  if (kind === 'weights') {
    if (looks.bytes !== file.size) {
      const what = looks.bytes > file.size ? 'cut-short' : 'too-long';
      throw new CheckpointFileError({ what, bytes: file.size, expected: looks.bytes }, file.name);
    }
    return { file, role: 'llama2c' };
  }
  if (kind !== 'tokenizer' && kind !== 'unknown') throw new CheckpointFileError({ what: 'foreign', kind }, file.name);
  if (file.size > largestFile) throw new CheckpointFileError({ what: 'unknown' }, file.name);
  return { file, role: await kindOf(lab, { name: file.name, bytes: await bytesOf(file, file.name), looks }) };
}

/** A whole file. */
export async function readBytes(file: File): Promise<NamedBytes> {
  const bytes = await bytesOf(file, file.name);
  return { name: file.name, bytes, looks: fileKind(bytes.subarray(0, headBytes), file.size) };
}

const isBadFile = (error: unknown): boolean => codeOf(error) === 'bad-file';

/** Weights and tokenizers of llama2.c have the same file extension, so the core decides which one this is. */
async function kindOf(lab: Lab, file: NamedBytes): Promise<'llama2c' | 'tokenizer'> {
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

async function checkModel(lab: Lab, file: NamedBytes): Promise<'llama2c'> {
  let trainer: LabTrainer;
  try {
    trainer = await lab.loadModel(file.bytes, { format: 'llama2c' });
  } catch (cause) {
    if (!isBadFile(cause)) throw cause;
    throw new CheckpointFileError({ what: 'unknown' }, file.name, { cause });
  }
  trainer.dispose();
  return 'llama2c';
}

/** Whether a file is one part of a model in several files, or their index. */
export const isPart = ({ file }: SortedFile): boolean => /-\d{5}-of-\d{5}\.|\.index\.json$/i.test(file.name);

/** The files of one model: those that were there before and the new ones. */
export function together(before: readonly SortedFile[], come: readonly SortedFile[]): SortedFile[] {
  const isModel = ({ role }: SortedFile): boolean => role === 'tensors' || role === 'llama2c';
  const replaced = ({ file, role }: SortedFile): boolean =>
    come.some((one) => one.file.name === file.name || (role === 'tokenizer' && one.role === 'tokenizer'));
  const kept = before.filter((one) => !replaced(one));
  const models = come.filter(isModel);
  if (models.length === 0 || !before.some(isModel)) return [...kept, ...come];
  // Parts of one model may arrive one after another; other files of another model do not belong to this one.
  if (models.every(isPart) && before.filter(isModel).every(isPart)) return [...kept, ...come];
  return [...kept.filter(({ role }) => role === 'tokenizer' && models.every((one) => one.role === 'llama2c')), ...come];
}
