// @vitest-environment happy-dom
// <tied-checkpoint> between drops: files that arrive while another opens, a seed typed meanwhile, removal.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CheckpointSource, OpenCheckpointOptions } from '../../../web/core/checkpoint/types.js';
import { TiedError } from '../../../web/core/runtime/errors.js';
import type { GenerateOptions, IdentityCardData, Lab, LabTokenizer, LabTrainer } from '../../../web/core/types.js';
import { cardStrings } from '../../../web/elements/checkpoint/card/card.strings.js';
import { pathInWords } from '../../../web/elements/checkpoint/card/levels.js';
import type { Checkpoint } from '../../../web/elements/checkpoint/checkpoint.js';
import '../../../web/elements/checkpoint/checkpoint.define.js';
import { fileOf, gguf, ramp, safetensors, utf8 } from '../checkpoint/checkpoint-files.js';
import { openHere } from '../checkpoint/open-here.js';
import { tinyModel, tinyTokenizer, VOCAB } from '../../browser/llama2c-files.js';

const weights = (name = 'tiny.bin'): File => new File([tinyModel({ tied: true }).slice()], name);
const words = (tokens = VOCAB): File => new File([tinyTokenizer(tokens).slice()], 'tokens.bin');

/** A lab that opens the tiny files, counts open handles, and waits on request. */
function checkpointLab() {
  const alive = new Set<object>();
  let gate: Promise<void> = Promise.resolve();
  let finishStory = (): void => undefined;
  const live = <T extends object>(made: T): T & { dispose: () => void } => {
    const thing = Object.assign(made, { dispose: () => void alive.delete(thing) });
    alive.add(thing);
    return thing;
  };
  const tokensOf = (bytes: Uint8Array): number => {
    let count = 0;
    for (let at = 4; at < bytes.length; count++) at += 8 + new DataView(bytes.buffer).getInt32(at + 4, true);
    return count;
  };
  const isWeights = (bytes: Uint8Array): boolean => bytes[0] === 8 && bytes[4] === 12;
  const lab = {
    loadTokenizer: async (bytes: Uint8Array) => {
      await gate;
      if (new TextDecoder().decode(bytes.subarray(12, 17)) !== '<unk>')
        throw new TiedError('bad-file', 'bytes is no tokenizer; expected one of llama2.c');
      return live({ vocabSize: tokensOf(bytes) }) as unknown as LabTokenizer;
    },
    loadModel: async (bytes: Uint8Array, { tokenizer }: { tokenizer?: { vocabSize: number } } = {}) => {
      await gate;
      if (!isWeights(bytes)) throw new TiedError('bad-file', 'bytes is hidden_dim 0; expected 1 or more');
      if (tokenizer !== undefined && tokenizer.vocabSize !== VOCAB.length) {
        throw new TiedError('shape-mismatch', 'options.tokenizer has 4096 tokens; expected as many as the model, 512');
      }
      return live({
        model: { kind: 'transformer', vocabSize: VOCAB.length, dModel: 8 },
        parameters: () => Promise.resolve([{ name: 'embedding', count: 2104 }]),
        matrix: () => Promise.resolve({ rows: 1, cols: 1, data: new Float32Array(1) }),
        tokenizer: () => Promise.resolve(null),
        generate: (options: GenerateOptions) =>
          new Promise<void>((resolve, reject) => {
            options.onTokens?.(Uint32Array.of(1), 'a');
            finishStory = resolve;
            options.signal?.addEventListener('abort', () => {
              reject(new TiedError('cancelled', 'cancelled'));
            });
          }),
      }) as unknown as LabTrainer;
    },
    directPathSymmetry: () => Promise.resolve({ asymmetry: 0 }),
    // The AbortSignal of happy-dom is an imitation, which is refused.
    openCheckpoint: async (source: CheckpointSource, { signal: _, ...options }: OpenCheckpointOptions) => {
      await gate;
      return openHere(source, options);
    },
  } as unknown as Lab;
  return {
    lab,
    alive: () => alive.size,
    hold: (): (() => void) => {
      let release = (): void => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return release;
    },
    finishStory: () => {
      finishStory();
    },
  };
}

async function opened(): Promise<{ element: Checkpoint; lab: ReturnType<typeof checkpointLab> }> {
  const lab = checkpointLab();
  const element = document.createElement('tied-checkpoint');
  element.lab = lab.lab;
  document.body.append(element);
  await element.updateComplete;
  return { element, lab };
}

const problem = (element: Checkpoint): string =>
  (element.renderRoot.querySelector('figure > [role=alert]')?.textContent ?? '').trim();
const title = (element: Checkpoint): string => element.renderRoot.querySelector('.title')?.textContent.trim() ?? '';
const press = (element: Checkpoint, name: string): void => {
  [...element.renderRoot.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)!.click();
};

afterEach(() => {
  document.body.replaceChildren();
});

describe('files that arrive while others open', () => {
  it('are opened next, so a tokenizer that is dropped while the weights open is not lost', async () => {
    const { element, lab } = await opened();
    const release = lab.hold();
    const first = element.useFiles([weights()]);
    const second = element.useFiles([words()]);
    release();
    await Promise.all([first, second]);
    await element.updateComplete;
    expect(title(element)).toBe('tiny.bin: one table that reads and writes');
    expect(element.renderRoot.querySelector('textarea')).not.toBeNull();
    expect(lab.alive()).toBe(1);
  });

  it('are opened in order, and the last weights stay', async () => {
    const { element, lab } = await opened();
    const release = lab.hold();
    const drops = ['a.bin', 'b.bin', 'c.bin'].map((name) => element.useFiles([weights(name)]));
    release();
    await Promise.all(drops);
    await element.updateComplete;
    expect(title(element)).toContain('c.bin');
    expect(lab.alive()).toBe(1);
  });

  it('are opened after a refused one', async () => {
    const { element } = await opened();
    const drops = [element.useFiles([new File(['GGUF\x03'], 'm.gguf')]), element.useFiles([weights()])];
    await Promise.all(drops);
    await element.updateComplete;
    expect(title(element)).toContain('tiny.bin');
    expect(problem(element)).toBe('');
  });
});

describe('tables that are not those of a usual model', () => {
  const numbers = { shape: [6, 4], data: ramp(24) };
  const json = (name: string, value: unknown): File => fileOf(name, utf8(JSON.stringify(value)));
  const words = ['[PAD]', '[UNK]', 'new', 'york', '##s', '!'];
  const blocks = (dimensions: readonly number[], type: number, bytes: number) => ({
    ...{ dimensions, type, data: new Uint8Array(bytes) },
  });
  const open = async (...files: File[]) => {
    const { element } = await opened();
    await element.useFiles(files);
    await element.updateComplete;
    const textOf = (selector: string): string =>
      (element.renderRoot.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
    return { element, textOf };
  };

  it('are opened from JSON without names, like those of NumPy', async () => {
    const whole = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]; // prettier-ignore
    const { element, textOf } = await open(json('table.json', whole), json('vocab.json', ['a', 'b', 'c']));
    expect(title(element)).toBe('table.json: a token table');
    expect(problem(element)).toBe('');
    expect(textOf('.read-out')).toContain('Tied or not: unknown. The file is one table without a name');
    expect(textOf('.token-sample')).toContain('Some of its 3 tokens');
    // Nobody expects a table to run.
    expect(textOf('.why-not')).toBe('');
  });

  it('are opened without rows if they are integers without scales', async () => {
    const whole = { shape: [6, 4], data: new Uint8Array(24), dtype: 'U8' };
    const { element, textOf } = await open(fileOf('whole.safetensors', safetensors({ 'wte.weight': whole })));
    expect(problem(element)).toBe('');
    expect(textOf('.read-out')).toContain('Tied or not: unknown. The file has no layers');
    expect(textOf('.notes')).toContain(
      "'wte.weight' has numbers stored as integers (U8) without scales, which cannot be decoded: its rows cannot be read",
    );
  });

  it('are not called tied if the other one may be in a file that is not there', async () => {
    const part = fileOf('model-00001-of-00002.safetensors', safetensors({ 'wte.weight': numbers }));
    const { textOf } = await open(part);
    expect(textOf('.read-out')).toMatch(/^No verdict on tying\. The file is not a whole language model: it is one of/);
    expect(textOf('.notes')).toBe(
      'This is one of 2 files, opened without their index: the others may have a table too.',
    );
  });

  it('are shown if one cannot be decoded', async () => {
    const [small, large] = [blocks([256, 2], 15, 584), blocks([256, 2], 14, 420)];
    const bytes = gguf({ tensors: { 'token_embd.weight': small, 'output.weight': large } });
    const { textOf } = await open(fileOf('m.gguf', bytes));
    expect(textOf('.read-out')).toContain(
      "Tied or not: unknown. 'token_embd.weight' (Q8_K) and 'output.weight' (Q6_K) are stored in two types, of which Q8_K cannot be decoded.",
    );
    expect(textOf('.notes')).toContain("'token_embd.weight' has the type Q8_K, which cannot be decoded");
  });

  it('have no verdict if another matrix could be one, which the reader may choose', async () => {
    const rest = {
      'layers.0.attn.q_proj.weight': { shape: [4, 4], data: ramp(16) },
      'norm.weight': { shape: [4], data: ramp(4) },
    };
    const tables = { 'model.embed_tokens.weight': numbers, 'predict.weight': { ...numbers, data: ramp(24, 1) } };
    const { element, textOf } = await open(fileOf('m.safetensors', safetensors({ ...tables, ...rest })));
    expect(textOf('.read-out')).toMatch(/^Tied or not: unknown\. The output table may be 'predict\.weight';/);
    const selects = [...element.renderRoot.querySelectorAll<HTMLSelectElement>('.tables-choice select')];
    expect(selects[0]!.options).toHaveLength(2);
    expect(selects[0]!.options[1]!.text).toContain('predict.weight: 6 × 4');
    const buttons = [...element.renderRoot.querySelectorAll<HTMLButtonElement>('.tables-choice button')];
    buttons.at(-1)!.click();
    await vi.waitFor(async () => {
      await element.updateComplete;
      expect(textOf('.read-out')).toMatch(/^Not tied\. model\.embed_tokens\.weight and predict\.weight differ\./);
    });
    expect(element.renderRoot.querySelector('.tables-choice')).toBeNull();
  });

  it('are not tied to a packed one', async () => {
    const head = { 'lm_head.trellis': { shape: [1, 4, 96], data: new Uint8Array(768), dtype: 'I16' } };
    const { textOf } = await open(
      fileOf('m.safetensors', safetensors({ 'model.embed_tokens.weight': numbers, ...head })),
    );
    expect(textOf('.read-out')).toMatch(/^Not tied\. The file has a packed output table of its own/);
  });

  it('of an encoder-decoder are said to be one or two for each two roles, and what its output adds is named', async () => {
    const layer = { shape: [4, 4], data: ramp(16) };
    const tables = { 'model.shared.weight': numbers, final_logits_bias: { shape: [1, 6], data: ramp(6) } };
    const layers = { 'model.encoder.layers.0.fc1.weight': layer, 'model.decoder.layers.0.fc1.weight': layer };
    const { textOf } = await open(fileOf('m.safetensors', safetensors({ ...tables, ...layers })));
    expect(textOf('.read-out')).toMatch(/^Tied\. /);
    expect(textOf('.notes')).toContain(
      'The encoder’s input and the decoder’s input: one table; the encoder’s input and the output: one table;',
    );
    expect(textOf('.notes')).toContain('Its output has more than a table: “final_logits_bias”.');
  });

  it('have the tokens of a vocab.txt, which is not another model', async () => {
    const vocabulary = fileOf('vocab.txt', utf8(`${words.join('\n')}\n`));
    const { element, textOf } = await open(
      fileOf('model.safetensors', safetensors({ 'embeddings.word_embeddings.weight': numbers })),
      vocabulary,
    );
    expect(problem(element)).toBe('');
    expect(textOf('.token-sample')).toMatch(/ \[PAD\] \[UNK\] new york ##s !$/);
  });
});

describe('a refused file', () => {
  it('is named in the figure, and the core’s message is available to developers', async () => {
    const { element } = await opened();
    await element.useFiles([new File(['{"model_type":"llama"}'], 'config.json')]);
    await element.updateComplete;
    expect(problem(element)).toContain('config.json is the configuration of a model');
    // Noise: only the core can tell what is wrong with it.
    const noise = Uint8Array.from({ length: 400 }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 255);
    await element.useFiles([new File([noise], 'noise.bin')]);
    await element.updateComplete;
    expect(problem(element)).toContain('noise.bin is neither weights nor a tokenizer');
    expect(problem(element)).not.toContain('hidden_dim');
    expect(element.lastError?.cause).toMatchObject({ code: 'bad-file' });
    expect(element.renderRoot.querySelector('.technical code')?.textContent).toContain('hidden_dim 0');
  });

  it('with another model’s tokenizer is refused with both sizes, and the weights stay open', async () => {
    const { element, lab } = await opened();
    await element.useFiles([weights(), words(VOCAB.slice(0, -1))]);
    await element.updateComplete;
    expect(problem(element)).toContain(
      `This tokenizer has ${VOCAB.length - 1} tokens, but the model has ${VOCAB.length}`,
    );
    expect(title(element)).toContain('tiny.bin');
    expect(element.renderRoot.querySelector('textarea')).toBeNull();
    expect(lab.alive()).toBe(1);
  });
});

describe('the seed', () => {
  it('is used if typed while a story is written, and otherwise increases by one', async () => {
    const { element, lab } = await opened();
    await element.useFiles([weights(), words()]);
    element.seed = 7;
    await element.updateComplete;
    press(element, 'Write');
    await element.updateComplete;
    element.seed = 42;
    lab.finishStory();
    await vi.waitFor(() => {
      press(element, 'Write another');
    });
    expect(element.seed).toBe(42);
    await element.updateComplete;
    lab.finishStory();
    await vi.waitFor(() => {
      expect(element.seed).toBe(43);
    });
  });
});

describe('an element that is removed', () => {
  it('releases its model when removed, and reopens it when put back', async () => {
    // As for a reader: near the screen.
    vi.stubGlobal('IntersectionObserver', undefined);
    const { element, lab } = await opened();
    await element.useFiles([weights(), words()]);
    expect(lab.alive()).toBe(1);
    element.remove();
    await vi.waitFor(() => {
      expect(lab.alive()).toBe(0);
    });
    document.body.append(element);
    await vi.waitFor(() => {
      expect(title(element)).toContain('tiny.bin');
    });
    expect(lab.alive()).toBe(1);
    vi.unstubAllGlobals();
  });

  it('does not reopen its model when it is only moved', async () => {
    const { element, lab } = await opened();
    await element.useFiles([weights()]);
    const elsewhere = document.createElement('div');
    document.body.append(elsewhere);
    elsewhere.append(element);
    await element.updateComplete;
    expect(title(element)).toContain('tiny.bin');
    expect(lab.alive()).toBe(1);
  });

  it('leaves nothing behind if removed while a file opens', async () => {
    const { element, lab } = await opened();
    const release = lab.hold();
    const opening = element.useFiles([weights()]);
    element.remove();
    release();
    await opening;
    expect(lab.alive()).toBe(0);
  });
});

it('says nothing of chance in a card of one row, which has no other order', () => {
  const numbers = { norm: 1, symmetricNorm: 1, skewNorm: 0, null: NaN };
  const card = (asymmetry: number, tied: boolean, added: readonly string[] = []) =>
    pathInWords(
      {
        ...{ asymmetry: { ...numbers, asymmetry }, folded: null, selfPrediction: null },
        tying: { tied, evidence: tied ? 'alias' : 'different', conflict: null },
        leftOut: { output: added, notes: [] },
      } as unknown as IdentityCardData,
      cardStrings,
    );
  expect(card(0.5, false)).toBe('The asymmetry of its direct path is 0.500; 0 is symmetric.');
  expect(card(0, true)).toMatch(/both orders of any two tokens get the same score\.$/);
  // A bias of the output breaks that.
  expect(card(0, true, ['lm_head.bias'])).toMatch(
    /its output has more than that table, so the model’s scores need not be\.$/,
  );
});
