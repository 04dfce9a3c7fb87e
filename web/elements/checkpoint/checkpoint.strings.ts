import type { CheckpointFormat, TyingEvidence } from '../../core/checkpoint/types.js';
import type { ForeignKind } from '../../core/checkpoint/formats/file-kind.js';
import { unknownWordsStrings } from '../shared/unknown-words.js';
import { cardStrings } from './card/card.strings.js';
import { compareStrings } from './compare/compare.strings.js';
import { tensorStrings } from './tensor/tensor.strings.js';

const evidence: Readonly<
  Record<Exclude<TyingEvidence, 'unknown' | 'not-a-language-model'>, (input: string, output: string) => string>
> = {
  'missing-output': (input) =>
    `The file is a whole language model with no output table of its own: ${input} reads and writes.`,
  'missing-input': (_, output) =>
    `The file is a whole language model with no input table of its own: ${output} reads and writes.`,
  alias: (input, output) =>
    `The file stores one table and lists it as the other too: ${input || output} reads and writes.`,
  'equal-bytes': (input, output) => `${input} and ${output} have the same bytes.`,
  'equal-values': (input, output) => `${input} and ${output} have the same values, up to rounding.`,
  different: (input, output) => `${input} and ${output} differ.`,
  'same-storage': (names) =>
    names.includes(', ') ? `${names} are names of one storage, which reads and writes.` : `${names} reads and writes.`,
  'packed-output': (input) => `The file has a packed output table of its own, besides ${input}.`,
  'packed-input': (_, output) => `The file has a packed input table of its own, besides ${output}.`,
};

const formats: Readonly<Record<CheckpointFormat, string>> = {
  safetensors: 'safetensors',
  pytorch: 'PyTorch',
  pickle: 'a pickle of NumPy arrays',
  gguf: 'GGUF',
  llama2c: 'llama2.c',
  'rwkv.cpp': 'rwkv.cpp',
  json: 'JSON',
  npy: 'NumPy',
  npz: 'NumPy',
  csv: 'text',
  word2vec: 'word2vec',
  fasttext: 'fastText',
  onnx: 'ONNX',
};

const weightsWanted =
  'This figure opens safetensors, files of PyTorch, GGUF, models of llama2.c and rwkv.cpp, weights as JSON, arrays of NumPy (.npy, .npz, .pkl), models of fastText and ONNX, and word vectors or tables as text or as word2vec writes them.';

/** What a file is that holds no model for this figure, and what to do about it. */
const foreign: Partial<Record<ForeignKind, string>> = {
  empty: 'is empty. Download it again.',
  pickle: `is a Python pickle that torch.save did not write, and that holds more than arrays of NumPy or is damaged. Save its weights as safetensors. ${weightsWanted}`,
  archive: 'is a compressed archive. Unpack it and drop the files in it.',
  'lfs-pointer':
    'is a Git LFS pointer: a few lines that stand for the real file. Download the file itself, for instance with git lfs pull.',
  'web-page': 'is a web page. You probably saved the page about the file; use its download button.',
  sentencepiece:
    'is a SentencePiece model. Drop the tokenizer.json of the model instead, or convert it with the tokenizer.py of llama2.c.',
  'llama2c-other': 'is in a newer version of llama2.c’s format. Export the model again with --version 0.',
  'own-file': 'was saved by this package to resume training. Save the model as safetensors instead.',
  picture: 'is a picture or document, not a model.',
  text: 'is a text file, not a model.',
};

/** English texts of the checkpoint element. */
export const checkpointStrings = {
  title: 'Is a trained model tied?',
  titleTied: (name: string) => `${name}: one table that reads and writes`,
  titleUntied: (name: string) => `${name}: one table reads, another writes`,
  titleUnknown: (name: string) => `${name}: a token table`,
  choose: 'Choose files',
  chooseOther: 'Other files',
  hint: 'Drop the files of a model here: its weights as safetensors, PyTorch, GGUF or llama2.c .bin, and its tokenizer and config.json if you have them. They stay on this machine, and only the tables are read.',
  chooseFolder: 'Choose a folder',
  noModelInFolder: 'There are no weights in this folder: no file ends with .safetensors, .gguf, .bin, .pt or .pth.',
  restOfFolder: (files: string) => `Also in the folder, and not opened: ${files}.`,
  andMore: (count: string) => `${count} more`,
  awaitsFile: (name: string, bytes: string) =>
    `This link shows ${name} (${bytes} bytes), a file on the machine where the link was made. Give the same file again, and its view is restored.`,
  awaitsUrl: (url: string) => `This link is about ${url}. Open it to restore the view.`,
  awaitsBeside: (name: string, bytes: string) =>
    `It was compared with ${name} (${bytes} bytes), a file on the machine where the link was made. Add it again to compare.`,
  otherFile: (name: string, bytes: string, wanted: string, wantedBytes: string) =>
    `The link is about ${wanted} (${wantedBytes} bytes); this is ${name} (${bytes} bytes).`,
  expectedGiven: 'a URL, or the name and size of a file as name:bytes',
  showInside: 'Look inside: tensors, comparison, identity card',
  hideInside: 'Only the verdict and the tables',
  dropNow: 'Drop to open the files',
  opening: (name: string) => `Opening ${name} …`,
  needsTokenizer: 'Without its tokenizer the model cannot read or write text. Drop the tokenizer here too.',
  /** Of a file without weights. */
  needsModelToo: {
    tokenizer: (name: string) => `${name} is a tokenizer. Drop the weights that belong to it here too.`,
    configuration: (name: string) =>
      `${name} is the configuration of a model. Drop the weights that belong to it here too.`,
    beside: (name: string) => `${name} may have token strings. Drop the weights that belong to them here too.`,
    tensors: (name: string) => `${name} is a part of a model. Drop its other files here too.`,
    llama2c: (name: string) => `${name} is a model.`,
  },
  wrongTokenizer: (tokens: string, rows: string) =>
    `This tokenizer has ${tokens} tokens, but the model has ${rows}, so they do not belong together. The model is open without a tokenizer.`,
  unreadable: (name: string) => `${name} could not be read. Is it a folder, or has it been moved?`,
  cutShort: (name: string, bytes: string, expected: string) =>
    `${name} is incomplete: it has ${bytes} bytes, but its own header promises ${expected}. Download it again.`,
  tooLong: (name: string, bytes: string, expected: string) =>
    `${name} begins like the weights of llama2.c, but has ${bytes} bytes where its own header promises ${expected}. It is damaged or in another format.`,
  brokenWeights: (name: string) =>
    `${name} looks like weights of llama2.c, but its contents are not a valid model. Download it again, or export the model again.`,
  brokenTokenizer: (name: string) =>
    `${name} looks like a tokenizer of llama2.c, but it is damaged or incomplete. Download it again.`,
  unknownFile: (name: string) =>
    `${name} is neither weights nor a tokenizer in the format of llama2.c, nor any other format that this figure knows.`,
  foreign: (name: string, kind: ForeignKind) => `${name} ${foreign[kind] ?? weightsWanted}`,
  badFile: (name: string, reason: string) =>
    `${name} was not opened: ${reason}. Download it again, or export it again.`,
  notOpened: (name: string, reason: string) => `${name} was not opened: ${reason}.`,
  unreachable: (name: string, reason: string) => `${name} could not be fetched: ${reason}.`,
  severalModels: 'These files belong to several models. Drop the files of one, and its index if it has one.',
  chooseTables: (name: string) => `${name} does not say which of its matrices are the token tables. Choose them:`,
  wholeOnly: (name: string, size: string) =>
    `${name} can only be downloaded as a whole: ${size}. Nothing is downloaded until you say so.`,
  wholeTooLarge: (name: string, size: string) =>
    `${name} can only be downloaded as a whole: ${size}, more than a page can hold. Download it yourself and drop it here.`,
  unknownSize: 'of unknown size',
  download: (size: string) => `Download ${size}`,
  downloadAll: 'Download it',
  tryAgain: 'Try again',
  cancelled: 'Cancelled.',
  cancel: 'Cancel',
  openUrl: 'Open',
  url: 'URL',
  urlHint: 'https://…/model.safetensors',
  badUrl: 'This is not an http or https URL. Enter one that begins with https:// and leads to a file.',
  expectedUrl: 'an http or https URL, or a relative one',
  received: (bytes: string) => `Fetching: ${bytes}`,
  receivedOf: (bytes: string, size: string) => `Fetching: ${bytes} of ${size}`,
  readingModel: (percent: string) => `Reading the model: ${percent}%`,
  comparing: (percent: string) => `Comparing the two tables: ${percent}%`,
  pageModel: 'Model',
  pageModels: { tied: 'The tied GPT of this page', untied: 'The untied GPT of this page' },
  yours: (name: string) => `Yours: ${name}`,
  tablesChoice: 'Which matrices are the tables',
  inputTable: 'Input table',
  outputTable: 'Output table',
  sameTensor: 'the same matrix',
  openWithThese: 'Open with these',
  leftOut: unknownWordsStrings.leftOut,
  isTied: 'Tied.',
  isUntied: 'Not tied.',
  tyingUnknown: 'Tied or not: unknown.',
  noVerdict: 'No verdict on tying.',
  evidence,
  distance: (cosine: string, chance: string | null, equal: string, rows: string) =>
    `Over ${rows} tokens, the mean cosine of a token’s two rows is ${cosine}${chance === null ? '' : ` (by chance ${chance})`}, and ${equal}% of the rows are equal.`,
  savesHere: (bytes: string) => `Tying saves ${bytes} here: a second table would take as much.`,
  storedTwice: (bytes: string) => `The file still stores it twice: storing it once would save ${bytes}.`,
  wouldSave: (bytes: string) => `One table for both roles would save ${bytes}.`,
  conflict: 'A contradiction:',
  outputAdds: (names: string) =>
    `Its output has more than a table: ${names}. With that, its scores need not be symmetric, even with one table.`,
  formats,
  tablesCaption: (format: string) => `The token tables, stored as ${format}`,
  role: 'Role',
  tensor: 'Tensor',
  shape: 'Shape',
  stored: 'Stored as',
  size: 'Size',
  bytesColumn: 'Bytes',
  bothRoles: 'reads and writes',
  inputRole: 'reads',
  outputRole: 'writes',
  noTokens: 'The files have no token strings. Drop the model’s tokenizer.json or vocab.json here to see them.',
  someTokens: (count: string) => `Some of its ${count} tokens, as the file spells them (␣ is a space):`,
  tokenId: (id: string) => `token ${id}`,
  allTensors: (count: string) => `All ${count} tensors of the opened files`,
  firstTensors: (shown: string, count: string) => `The first ${shown} of ${count} tensors of the opened files`,
  bytesSentence: (bytes: string, share: string) => `The tables take up ${bytes}, ${share}% of the opened files.`,
  technical: 'Error message',
  sampleBefore: 'No model at hand? ',
  sampleLink: 'stories260K',
  sampleUrl: 'https://huggingface.co/karpathy/tinyllamas/tree/main/stories260K',
  sampleAfter: ' takes 1 MB and also writes: download stories260K.bin and tok512.bin there, then drop both here.',
  notFiles: 'That was not a file.',
  prompt: 'Prompt',
  promptValue: 'Once there was a',
  temperature: 'Temperature',
  length: 'Tokens',
  seed: 'Seed',
  write: 'Write',
  again: 'Write another',
  stop: 'Stop',
  story: 'What the model writes',
  empty: 'Nothing written yet.',
  doesNotRun: (reason: string) => `The model itself does not run here: ${reason}.`,
  tooLargeToRun: (count: string, most: string) => `it has ${count} parameters, and a figure runs up to ${most}`,
  notAsked: (size: string) => `Only the tables were read. The model may run here, too: its files take up ${size}.`,
  notAskedParts: (size: string) =>
    `Only the tables were read. The model may run here, too: the parts with the tables take up ${size}, and the other parts come on top.`,
  runHere: 'Read it all and run it',
  finished: (tokens: string, speed: string) => `${tokens} tokens written, ${speed} tokens per second.`,
  stopped: (tokens: string) => `Stopped after ${tokens} tokens.`,
  writing: 'Writing …',
  sentence: (count: string, share: string) => `${count} parameters, of which the token tables are ${share}.`,
  symmetric:
    'Its direct path is symmetric to the last bit, like that of every model with one table and nothing else in it.',
  symmetricTables: (added: string) =>
    `The product of its table with itself is symmetric to the last bit; its output also has ${added}, with which its scores need not be.`,
  asymmetry: (value: string) =>
    `The asymmetry of its direct path is ${value}; 0 would be symmetric, and independent random scores have about 0.707.`,
  tableBar: 'Token table',
  secondTableBar: 'Output table',
  restBar: 'Layers in between',
  otherBar: 'Other tensors',
  barLabel: (parts: string) => `Where the parameters are: ${parts}.`,
  caption:
    'Temperature 0 always takes the likeliest token, 1 samples from the model’s own probabilities, and above 1 unlikely tokens become likelier. The same seed writes the same text.',
  dataCaption: 'What the files say',
  quantity: 'Quantity',
  value: 'Value',
  vocabulary: 'Tokens in the vocabulary',
  width: 'Width d',
  layers: 'Layers',
  heads: 'Query heads / key and value heads',
  context: 'Context, in tokens',
  hidden: 'Feed-forward width',
  norm: 'Norm',
  positions: 'Positions',
  total: 'Total parameters',
  tables: 'Parameters in the token tables',
  tying: 'Tying',
  tied: 'tied',
  untied: 'untied',
  rmsNorm: 'root mean square',
  layerNorm: 'mean and variance',
  learned: 'learned',
  rotary: 'rotary',
  none: 'none',
  percent: (value: string) => `${value}%`,
  ...cardStrings,
  ...compareStrings,
  ...tensorStrings,
};

export type CheckpointStrings = typeof checkpointStrings;
