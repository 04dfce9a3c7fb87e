// evaluate and generate: run a model on a text.
import { common } from './declare.mjs';
import { exitCodes, Refusal, refusalOf } from './exit-codes.mjs';
import { nameOf, readText, stdin } from './files.mjs';
import { openModel } from './open-model.mjs';
import { columns, grouped } from './style.mjs';
import { createLab } from './tied-embeddings.js';

/** @type {Readonly<Record<string, import('./declare.mjs').Flag>>} */
const tokenizer = {
  tokenizer: {
    kind: 'file',
    summary:
      "the tokenizer, for a checkpoint that has none beside it: tokenizer.json, vocab.json with merges.txt, or llama2.c's",
  },
};
const models =
  'MODEL is a file or a folder that train saved, or a checkpoint of the GPT-2 or Llama architecture: safetensors (or their index), GGUF, a model of llama2.c, or a folder with one. ' +
  'config.json and tokenizer files are found beside it.';
const model = { name: 'MODEL', kind: /** @type {const} */ ('file') };

/** @type {import('./declare.mjs').Verb} */
export const evaluate = {
  name: 'evaluate',
  summary: 'measure the loss of a model on a text, in nats, bits per byte and perplexity',
  about: `${models} Losses are means over all tokens of TEXT except the first. TEXT may be -, standard input.`,
  operands: [model, { name: 'TEXT', kind: 'file' }],
  flags: { ...tokenizer, json: common.json },
  examples: [
    'npx tied-embeddings evaluate model.tied other.txt',
    'npx tied-embeddings evaluate model.tied other.txt --json',
  ],
  run: runEvaluate,
};

/** @type {import('./declare.mjs').Verb} */
export const generate = {
  name: 'generate',
  summary: 'continue a prompt; the text is written to stdout as it is generated',
  about: `${models} The same seed gives the same text. PROMPT may be -, standard input, without the line feed at its end.`,
  operands: [model, { name: 'PROMPT', kind: 'text', optional: true }],
  flags: {
    tokens: { kind: 'integer', least: 0, most: 10_000_000, summary: 'tokens to generate (default: 200)' },
    temperature: {
      kind: 'number',
      least: 0,
      summary: 'divides the logits; 0 always picks the most probable token (default: 1)',
    },
    'top-k': { kind: 'integer', least: 1, summary: 'sample from this many of the most probable tokens (default: all)' },
    seed: { kind: 'integer', least: 0, summary: 'seed of the sampling (default: 0)' },
    'beyond-context': {
      kind: 'choice',
      of: ['read', 'keep'],
      summary:
        'once the text is longer than the context, read its last tokens again for each new one (default), or keep what each layer knows of them: faster, for rotary positions',
    },
    ...tokenizer,
    json: common.json,
  },
  examples: [
    'npx tied-embeddings generate model.tied "One morning" --tokens 100',
    'npx tied-embeddings generate stories15M.bin --tokenizer tokenizer.bin --temperature 0',
    'npx tied-embeddings generate gpt2/model.safetensors "One morning" --top-k 40',
  ],
  run: runGenerate,
};

/** @param {import('./declare.mjs').Given} given */
function runEvaluate({ flags, operands: [modelFile, textFile] }) {
  return withModel(modelFile, flags, async (trainer, reader) => {
    const tokenIds = await reader.encode(readText(textFile));
    if (tokenIds.length < 2)
      throw new Refusal(
        `${nameOf(textFile)} has ${tokenIds.length === 0 ? 'no tokens' : '1 token'}; expected at least 2`,
      );
    const { loss, bitsPerByte, perplexity, tokens } = await trainer.evaluate(tokenIds);
    process.stdout.write(
      flags.json === true
        ? `${JSON.stringify({ loss, bitsPerByte, perplexity, tokens })}\n`
        : columns([
            ['loss', `${loss.toFixed(4)} nats per token`],
            ['bits per byte', bitsPerByte === null ? 'not known' : bitsPerByte.toFixed(4)],
            ['perplexity', perplexity.toFixed(2)],
            ['tokens', grouped(tokens)],
          ]),
    );
  });
}

/** @param {import('./declare.mjs').Given} given */
function runGenerate({ flags, operands: [modelFile, prompt] }) {
  return withModel(modelFile, flags, async (trainer) => {
    const { tokens = 200, temperature, seed } = flags;
    const beyondContext = flags['beyond-context'];
    const asText = flags.json !== true;
    const gone = new AbortController();
    // The reader of stdout has closed it, as head does.
    const enough = (error) => {
      if (error.code === 'EPIPE') gone.abort();
    };
    process.stdout.on('error', enough);
    const given = prompt === stdin ? readText(stdin).replace(/\r?\n$/, '') : prompt;
    // Without a prompt, the model starts from a new line.
    const begin = given ?? '\n';
    // The prompt comes with the first of the text: a model that is refused writes nothing.
    let opening = asText ? (given ?? '') : '';
    const onTokens = (_ids, text) => {
      process.stdout.write(`${opening}${text ?? ''}`);
      opening = '';
    };
    try {
      const { tokenIds, text } = await trainer.generate({
        prompt: begin,
        tokens,
        signal: gone.signal,
        ...(temperature === undefined ? {} : { temperature }),
        ...(seed === undefined ? {} : { seed }),
        ...(flags['top-k'] === undefined ? {} : { topK: flags['top-k'] }),
        ...(beyondContext === undefined ? {} : { beyondContext }),
        ...(asText ? { onTokens } : {}),
      });
      process.stdout.write(
        asText ? `${opening}\n` : `${JSON.stringify({ prompt: begin, text, tokenIds: [...tokenIds] })}\n`,
      );
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  });
}

/** Opens a model and its tokenizer. */
async function withModel(file, flags, use) {
  const lab = await createLab();
  try {
    const trainer = await openModel(lab, file, { tokenizerFile: flags.tokenizer });
    const reader = await trainer.tokenizer();
    if (reader === null) throw new Refusal(`${file} has no tokenizer; expected --tokenizer FILE`);
    await use(trainer, reader);
    return exitCodes.done;
  } catch (error) {
    throw refusalOf(error);
  } finally {
    lab.dispose();
  }
}
