// Files of a checkpoint on disk: the named one, and those beside it that belong to the same model.
import { closeSync, existsSync, openAsBlob, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileKind, headBytes } from './command-parts.js';
import { Refusal } from './exit-codes.mjs';
import { isFolder, readJson, reasonOf } from './files.mjs';

/** Files of the same model, recognized by name: they say how it is tied and list its tokens. */
const companions = [
  'config.json',
  'modules.json',
  'tokenizer.json',
  'vocab.json',
  'merges.txt',
  'encoder.json',
  'vocab.bpe',
];
/** Names of the merges that belong to the vocabulary of a GPT-2 tokenizer. */
export const mergesNames = ['merges.txt', 'vocab.bpe'];

/** What transformers calls the weights, and their index if there are several files. */
export const weightsName = 'model.safetensors';
const weightsNames = [weightsName, `${weightsName}.index.json`, 'pytorch_model.bin', 'pytorch_model.bin.index.json'];

/** The weights in a folder, if a folder is named. @param {string} file */
export function modelFileOf(file) {
  if (!isFolder(file)) return file;
  const found = weightsNames.map((name) => join(file, name)).find((name) => existsSync(name));
  if (found !== undefined) return found;
  // Parts whose index is missing.
  const [first, ...more] = readdirSync(file).filter((name) => /-00001-of-\d{5}\.(?:safetensors|bin|gguf)$/.test(name));
  if (first !== undefined && more.length === 0) return join(file, first);
  throw new Refusal(
    `${file} is a folder without ${weightsNames.join(' or ')}; expected the folder of a model, or its file`,
  );
}

/** The first bytes of a file. @param {string} file */
export const headOf = (file) => beginningOf(file).head;

/** The kind of a file, from its first bytes. @param {string} file */
export function kindOf(file) {
  const { head, size } = beginningOf(file);
  return fileKind(head, size).kind;
}

/** @param {string} file */
function beginningOf(file) {
  try {
    const facts = statSync(file);
    if (facts.isDirectory()) throw new Error('it is a folder');
    const head = new Uint8Array(Math.min(facts.size, headBytes));
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, head);
    } finally {
      closeSync(descriptor);
    }
    return { head, size: facts.size };
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** The file, read in parts, and the other files of its model. @param {string} file @param {string} kind */
export async function filesOf(file, kind) {
  const folder = dirname(file);
  const names = [basename(file), ...partsBeside(file, kind)];
  const isTable = ['numpy', 'text', 'word2vec', 'fasttext'].includes(kind);
  const beside = isTable ? [] : companions.filter((name) => !names.includes(name));
  const there = [...names, ...beside].filter((name, i) => i === 0 || existsSync(join(folder, name)));
  return Promise.all(there.map(async (name) => new File([await openAsBlob(join(folder, name))], name)));
}

/** Kinds of files that hold no numbers of a model of ONNX. */
const OTHER_KINDS =
  /\.(?:onnx|safetensors|gguf|bin|pt|pth|np[yz]|[ct]sv|vec|h5|json|txt|md|py|[jt]s|html|png|jpe?g|model)$/i;

/** Files in which a model of ONNX may have its numbers: of its own name and more, or one for each tensor, of any name. */
const numbersBeside = (file) =>
  readdirSync(dirname(file), { withFileTypes: true })
    .filter((one) => one.isFile() && !one.name.startsWith('.') && !OTHER_KINDS.test(one.name))
    .map(({ name }) => name)
    .slice(0, MOST_BESIDE);
const MOST_BESIDE = 1000;

/** The other files of a model that has several. */
function partsBeside(file, kind) {
  if (kind === 'weights-json') return [];
  if (/\.onnx$/i.test(file)) return numbersBeside(file);
  if (kind.endsWith('json')) {
    const { weight_map: map } = readJson(file) ?? {};
    const names = typeof map === 'object' && map !== null ? Object.values(map) : [];
    // The code that reads the index decides which names are allowed.
    return [...new Set(names)].filter((name) => typeof name === 'string' && name === basename(name));
  }
  const [, start, all] = /^(.*)-\d{5}-of-(\d{5}\.(?:gguf|safetensors|bin))$/.exec(basename(file)) ?? [];
  if (start === undefined) return [];
  return readdirSync(dirname(file)).filter(
    (name) => name !== basename(file) && name.startsWith(`${start}-`) && name.endsWith(`-of-${all}`),
  );
}
