import type { ForeignKind } from '../../core/file-kind.js';

const weightsWanted =
  'This figure opens weights in the .bin format of llama2.c, which its export.py writes (version 0).';

/** What a foreign file is, and what to do about it. */
const foreign: Record<ForeignKind, string> = {
  empty: 'is empty. Download it again.',
  safetensors: `is a safetensors file, the format of Hugging Face. ${weightsWanted}`,
  gguf: `is a GGUF or GGML file, the format of llama.cpp. ${weightsWanted}`,
  pytorch: `is a PyTorch checkpoint. ${weightsWanted}`,
  numpy: `is a file of NumPy arrays. ${weightsWanted}`,
  hdf5: `is an HDF5 file, as Keras writes them. ${weightsWanted}`,
  onnx: `is an ONNX model. ${weightsWanted}`,
  zip: 'is a zip archive. Unpack it and drop the .bin files.',
  archive: 'is a compressed archive. Unpack it and drop the .bin files.',
  'lfs-pointer':
    'is a Git LFS pointer: a few lines that stand for the real file. Download the file itself, for instance with git lfs pull.',
  'web-page': 'is a web page. The download has probably saved the page about the file; use its download button.',
  'config-json':
    'is the configuration of a model, without its weights. The parameter calculator can read it; this figure needs the weights.',
  'tokenizer-json': 'is a tokenizer of Hugging Face. This figure needs the tokenizer as llama2.c writes it (.bin).',
  json: `is a JSON file. ${weightsWanted}`,
  sentencepiece: 'is a SentencePiece model. Convert it with the tokenizer.py of llama2.c, which writes the .bin file.',
  'llama2c-other': 'is of a newer version of llama2.c’s format. Export the model again with --version 0.',
  'own-file': 'was saved by this package. This figure opens files of llama2.c only.',
  picture: 'is a picture or document, not a model.',
  text: 'is a text file, not a model.',
};

/** English texts of the checkpoint element. */
export const checkpointStrings = {
  title: 'Look into a trained model, and let it write',
  titleTied: (name: string) => `${name}: one table that reads and writes`,
  titleUntied: (name: string) => `${name}: one table reads, another writes`,
  choose: 'Choose files',
  chooseOther: 'Other files',
  hint: 'Drop two .bin files in the format of llama2.c here: the weights of a small trained model, and its tokenizer. They stay on this machine.',
  dropNow: 'Drop to open the files',
  opening: (name: string) => `Opening ${name} …`,
  needsTokenizer: 'Without its tokenizer the model cannot read or write text. Drop the tokenizer here too.',
  needsModel: (name: string) => `${name} is a tokenizer. Drop the weights that belong to it here too.`,
  wrongTokenizer: (tokens: string, rows: string) =>
    `This tokenizer has ${tokens} tokens and the model ${rows}, so they do not belong together. The model is open without a tokenizer.`,
  unreadable: (name: string) => `${name} could not be read. Is it a folder, or has it been moved?`,
  tooLarge: (name: string, most: string) => `${name} is larger than ${most}, the most that this figure opens.`,
  cutShort: (name: string, bytes: string, expected: string) =>
    `${name} is incomplete: it has ${bytes} bytes, and its own header promises ${expected}. Download it again.`,
  tooLong: (name: string, bytes: string, expected: string) =>
    `${name} begins like the weights of llama2.c, but has ${bytes} bytes where its own header promises ${expected}. It is damaged or of another format.`,
  brokenWeights: (name: string) =>
    `${name} looks like weights of llama2.c, but its contents are not a valid model. Download it again, or export the model again.`,
  brokenTokenizer: (name: string) =>
    `${name} looks like a tokenizer of llama2.c, but it is damaged or incomplete. Download it again.`,
  unknownFile: (name: string) =>
    `${name} is neither weights nor a tokenizer in the format of llama2.c, nor any other format that this figure knows.`,
  foreign: (name: string, kind: ForeignKind) => `${name} ${foreign[kind]}`,
  technical: 'Error message',
  sampleBefore: 'No model at hand? ',
  sampleLink: 'stories260K',
  sampleUrl: 'https://huggingface.co/karpathy/tinyllamas/tree/main/stories260K',
  sampleAfter: ' is one of 1 MB: download stories260K.bin and tok512.bin there, then drop both here.',
  notFiles: 'That was not a file.',
  prompt: 'Prompt',
  promptValue: 'Once upon a time',
  temperature: 'Temperature',
  length: 'Tokens',
  seed: 'Seed',
  write: 'Write',
  again: 'Write another',
  stop: 'Stop',
  story: 'What the model writes',
  empty: 'Nothing written yet.',
  finished: (tokens: string, speed: string) => `${tokens} tokens written, ${speed} tokens per second.`,
  stopped: (tokens: string) => `Stopped after ${tokens} tokens.`,
  writing: 'Writing …',
  sentence: (count: string, share: string) => `${count} parameters, of which the token tables are ${share}.`,
  symmetric: 'Its direct path is symmetric to the last bit, like that of every tied model.',
  asymmetry: (value: string) =>
    `The asymmetry of its direct path is ${value}; 0 would be symmetric, and unrelated tables have about 0.707.`,
  tableBar: 'Token table',
  secondTableBar: 'Output table',
  restBar: 'Layers in between',
  barLabel: (parts: string) => `Where the parameters are: ${parts}.`,
  caption:
    'Temperature 0 always takes the likeliest token, 1 samples from the model’s own probabilities, and more than 1 makes unlikely tokens likelier. The same seed writes the same text.',
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
  total: 'Parameters in all',
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
};

export type CheckpointStrings = typeof checkpointStrings;
