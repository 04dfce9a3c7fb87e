/** Every reader of files, and how its result is used. */
import type { Core, Tokenizer, Trainer } from '../../../web/index.js';
import { Fault } from '../verdict.js';
import type { FormatName } from './formats.js';

export interface Reader {
  /** The format that it reads. */
  reads: FormatName;
  /** The arguments of its verb. */
  args(bytes: Uint8Array): unknown[];
  /** Uses the result and frees it. Throws a Fault if it is wrong. */
  use(core: Core, read: never): void;
}

/** Approximate multiply-accumulates to train here: a file may request hours of work. */
const MAX_WORK = 2e6;
/** Steps to replay. */
const MAX_STEPS = 100;

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function work(trainer: Trainer): number {
  const { batchSize = 1, gradientAccumulation = 1 } = trainer.training;
  const { kind, vocabSize, contextLength = 1 } = trainer.model;
  const parameters = trainer.parameters().reduce((sum, { count }) => sum + count, 0);
  const tokens = kind === 'transformer' ? contextLength * (contextLength + 1) : vocabSize;
  return (batchSize * gradientAccumulation + 1) * tokens * parameters;
}

/** What a valid trainer may still be unable to do: its file may request too much, or lack data. */
function may(act: () => unknown, ...codes: readonly string[]): void {
  try {
    act();
  } catch (error) {
    if (!codes.includes((error as { code?: string }).code ?? '')) throw error;
  }
}

function useTrainer(core: Core, trainer: Trainer): void {
  try {
    const saved = trainer.save();
    // If one trainer takes nearly all memory, another does not fit.
    may(() => {
      const again = core.loadTrainer(saved);
      const resaved = again.save();
      again.dispose();
      if (!same(saved, resaved)) throw new Fault('saves other bytes after it was loaded again');
    }, 'out-of-memory');
    trainer.parameters();
    trainer.matrix('embedding');
    trainer.toSafetensors();
    trainer.tokenizer()?.dispose();
    if (work(trainer) > MAX_WORK) return;
    may(() => trainer.logits(Uint32Array.of(0)), 'not-finite');
    may(() => trainer.evaluate(), 'not-finite', 'invalid-argument', 'unsupported');
    // Models of hidden tokens cannot continue a text.
    const { objective = 'next-token' } = trainer.model;
    const refused = objective === 'next-token' ? [] : ['unsupported'];
    may(() => trainer.generate({ prompt: Uint32Array.of(0), tokens: 3 }), 'not-finite', ...refused);
    may(() => trainer.run(2), 'not-finite', 'unsupported');
    // Manual edits in the file may have made earlier steps unreachable.
    const halfway = Math.floor(trainer.step / 2);
    if (trainer.step <= MAX_STEPS) may(() => trainer.rewind(halfway), 'not-finite', 'invalid-argument', 'unsupported');
    may(() => trainer.rewind(), 'not-finite');
  } finally {
    trainer.dispose();
  }
}

function useTokenizer(core: Core, tokenizer: Tokenizer): void {
  try {
    const saved = tokenizer.save();
    const again = core.loadTokenizer(saved, { format: 'tied-embeddings' });
    if (!same(saved, again.save())) throw new Fault('saves other bytes after it was loaded again');
    again.dispose();
    if (tokenizer.tokens.length !== tokenizer.vocabSize) throw new Fault('has more or fewer tokens than it says');
    tokenizer.decode(Uint32Array.from({ length: Math.min(50, tokenizer.vocabSize) }, (_, i) => i));
    may(() => tokenizer.encode('a cab, é'), 'invalid-argument');
  } finally {
    tokenizer.dispose();
  }
}

const asFormat = (format: string) => (bytes: Uint8Array) => [bytes, { format }];

/** The first word of each name is the verb. */
export const READERS: Readonly<Record<string, Reader>> = {
  loadTrainer: { reads: 'trainer', args: (bytes) => [bytes], use: useTrainer },
  loadTokenizer: { reads: 'tokenizer', args: asFormat('tied-embeddings'), use: useTokenizer },
  'loadTokenizer of llama2.c': { reads: 'llama2c tokenizer', args: asFormat('llama2c'), use: useTokenizer },
  'loadTokenizer of GPT-2': { reads: 'gpt2 tokenizer', args: asFormat('gpt2'), use: useTokenizer },
  'loadModel of llama2.c': { reads: 'llama2c model', args: asFormat('llama2c'), use: useTrainer },
  importConfig: {
    reads: 'config',
    args: (bytes) => [new TextDecoder().decode(bytes)],
    use: (core, { architecture, tying }: ReturnType<Core['importConfig']>) => {
      core.countParameters(architecture, tying ?? undefined);
    },
  },
};
