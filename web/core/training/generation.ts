/** Text generation, a few tokens at a time. */
import { kindOf } from '../runtime/arrays.js';
import { argumentError, invalidArgument } from '../runtime/errors.js';
import type { HeldTrainer } from './held-trainer.js';
import { checkIdsBelow, checkPredictsNext } from '../model/options.js';
import { sizedBy } from '../runtime/answer.js';
import { Handle } from '../runtime/runtime.js';
import { TextStream, type TokenReader } from '../text/text-stream.js';
import type { GenerateOptions, Generation } from '../types.js';
import {
  checkChoice,
  checkNotNegative,
  checkOptions,
  checkSeed,
  checkString,
  checkTokenIds,
  checkInteger,
} from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';

/** Tokens per call into the core: bounds the time between two reports. */
const MAX_TOKENS_PER_CALL = 256;
/** Upper limit of the tokens of one generation. */
const MAX_TOKENS = 10_000_000;

export const generate = verb({
  what: 'generation',
  optionsAt: 0,
  listener: 'onTokens',
  check(options: GenerateOptions) {
    const known = ['prompt', 'tokens', 'temperature', 'topK', 'seed', 'beyondContext', 'onTokens', 'signal'];
    const given = checkOptions('options', options, known);
    const { tokens, temperature = 1, topK, seed = 0, beyondContext = 'read' } = given;
    const prompt = checkPrompt(given.prompt);
    checkInteger('options.tokens', tokens, 0, MAX_TOKENS);
    checkNotNegative('options.temperature', temperature);
    if (topK !== undefined) checkInteger('options.topK', topK, 1);
    checkSeed('options.seed', seed);
    const keeps = checkChoice('options.beyondContext', beyondContext, ['read', 'keep']) === 'keep';
    return { prompt, tokens, temperature, topK: topK ?? 0, seed, keeps };
  },
  *work(
    trainer: HeldTrainer,
    { prompt, tokens, temperature, topK, seed, keeps },
  ): Work<Generation, [tokenIds: Uint32Array, text: string | null]> {
    const { runtime, handle, attached, generations, model } = trainer;
    checkPredictsNext(model);
    const tokenizer = attached?.tokenizer ?? null;
    const start = promptIds(prompt, tokenizer, model.vocabSize);
    const address = handle.call(
      [start],
      (module, of, [at]) => module.startGeneration(of, at!, start.length, temperature, topK, seed, keeps),
      (_, made) => made,
      {
        ...sizedBy('options.prompt'),
        prompt: 'options.prompt',
        temperature: 'options.temperature',
        topK: 'options.topK',
        beyondContext: 'options.beyondContext',
      },
    );
    const generation = new Handle(runtime, 'generation', address, (module, made) => module.deleteGeneration(made));
    generations.add(generation);
    try {
      const ids = new Uint32Array(tokens);
      const stream = tokenizer && new TextStream(tokenizer, start);
      let [done, text, seen] = [0, '', trainer.changes];
      /** What the listener was told. */
      let [reportedIds, reportedText] = [0, 0];
      const news = (): [tokenIds: Uint32Array, text: string | null] | null => {
        if (reportedIds === done) return null;
        const found = [ids.slice(reportedIds, done), stream && text.slice(reportedText)] as const;
        [reportedIds, reportedText] = [done, text.length];
        return [...found];
      };
      for (;;) {
        const fraction = tokens === 0 ? 1 : done / tokens;
        const parts = yield { done: fraction, news, where: ` after ${done} of ${tokens} tokens` };
        if (done === tokens) return { tokenIds: ids, text: stream && text };
        const count = Math.min(parts, tokens - done, MAX_TOKENS_PER_CALL);
        handle.check();
        const changed = seen !== trainer.changes;
        seen = trainer.changes;
        const made = generation.call(
          [],
          (module, of) => module.generate(of, count, changed),
          (answer) => answer.ids(),
        );
        ids.set(made, done);
        done += count;
        if (stream) text = joined(text, stream.push(made, done === tokens), tokens);
      }
    } finally {
      generations.delete(generation);
      generation.dispose();
    }
  },
  parts: (_, listened) => (listened ? 1 : MAX_TOKENS_PER_CALL),
});

function joined(text: string, more: string, tokens: number): string {
  try {
    return text + more;
  } catch (cause) {
    const expected = 'fewer tokens: their text exceeds the longest string';
    throw argumentError('out-of-memory', 'options.tokens', tokens, expected, { cause });
  }
}

function checkPrompt(prompt: unknown): Uint32Array | string {
  const argument = 'options.prompt';
  if (typeof prompt === 'string') return checkString(argument, prompt);
  if (kindOf(prompt) === 'Uint32Array') return checkTokenIds(argument, prompt, 1);
  throw invalidArgument(argument, prompt, 'a text, or a Uint32Array of token ids');
}

/** Encodes a prompt and decodes what is generated. */
export interface PromptReader extends TokenReader {
  encodeAs(argument: string, text: string): Uint32Array;
  readonly startToken: number | null;
}

/** The ids of a prompt, at least one. A text begins with the start token, if there is one. */
function promptIds(prompt: Uint32Array | string, reader: PromptReader | null, vocabSize: number): Uint32Array {
  if (typeof prompt !== 'string') {
    checkIdsBelow('options.prompt', prompt, vocabSize);
    return prompt;
  }
  if (!reader) throw invalidArgument('options.prompt', prompt, 'token ids: the trainer has no tokenizer');
  const text = reader.encodeAs('options.prompt', prompt);
  const start = reader.startToken === null ? [] : [reader.startToken];
  const ids = new Uint32Array(start.length + text.length);
  ids.set(start);
  ids.set(text, start.length);
  if (ids.length === 0) throw invalidArgument('options.prompt', prompt, 'at least one token');
  return ids;
}
