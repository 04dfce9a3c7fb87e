/** Files of other kinds, passed to each reader: the error says what they are, in a core and in a lab. */
import { describe, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type Lab } from '../../../web/index.js';
import { tinyModel, tinyTokenizer } from '../../browser/llama2c-files.js';
import { errorOf, expectError, sharedFile } from './support.js';

const core = await loadCore();
const lab = await createLab();

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
/** A file that declares a header of `length` bytes, true or not. */
function safetensors(header: string, length = header.length, data = 16): Uint8Array {
  const file = new Uint8Array(8 + header.length + data);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(utf8(header), 8);
  return file;
}

const tokenizer = core.trainTokenizer('the cat sat on the mat', { kind: 'word' });
const trainer = core.createTrainer({
  model: { kind: 'direct-path', vocabSize: 3, dModel: 1, tying: 'tied' },
  training: { learningRate: 0.1, seed: 1 },
  bigramCounts: { rows: 3, cols: 3, data: new Float32Array(9).fill(1) },
});

const files: Record<string, [is: string, file: Uint8Array]> = {
  safetensors: ['a safetensors file', safetensors('{"wte":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}')],
  'safetensors that are cut short': ['a safetensors file', safetensors('{"wte":{"dtype":"F32","shape":[2,2]', 60, 0)],
  'safetensors with a broken header': ['a safetensors file', safetensors('{"wte":{"dtype":"F33","shape":[-2,2],}}')],
  GGUF: ['a GGUF or GGML file', latin('GGUF\x03\0\0\0'.padEnd(64, '\0'))],
  'a zip of PyTorch': ['a PyTorch checkpoint', latin('PK\x03\x04\0\0archive/data.pkl'.padEnd(64, '\0'))],
  'a page': ['a web page', utf8('<!doctype html><html><head><title>404</title></head></html>')],
  'a pointer': [
    'a Git LFS pointer, which stands for the real file',
    utf8('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'),
  ],
  'a configuration': ['the configuration of a model', utf8('{ "model_type": "gpt2", "n_embd": 768 }')],
  nothing: ['empty', new Uint8Array()],
  'a trainer': ['a saved trainer', trainer.save()],
  'a tokenizer': ['a saved tokenizer', tokenizer.save()],
  'a model of llama2.c': ['the weights of a llama2.c model, version 0', tinyModel({ tied: true })],
  'a tokenizer of llama2.c': ['a tokenizer of llama2.c', tinyTokenizer()],
};

const readers: Record<string, [reads: string, open: (by: Core | Lab, file: Uint8Array) => unknown]> = {
  loadTrainer: ['a saved trainer', (by, file) => by.loadTrainer(file)],
  loadModel: ['the weights of a llama2.c model, version 0', (by, file) => by.loadModel(file, { format: 'llama2c' })],
  'loadTokenizer of this package': [
    'a saved tokenizer',
    (by, file) => by.loadTokenizer(file, { format: 'tied-embeddings' }),
  ],
  'loadTokenizer of llama2.c': ['a tokenizer of llama2.c', (by, file) => by.loadTokenizer(file, { format: 'llama2c' })],
};

describe.each(Object.entries(readers))('%s', (_, [reads, open]) => {
  const others = Object.entries(files).filter(([, [is]]) => is !== reads);
  test.each(others)('reports that it was given %s', async (_, [is, file]) => {
    const message = `bytes is ${is}; expected ${reads}`;
    expect(errorOf(() => open(core, file))).toMatchObject({ code: 'bad-file', message });
    await expect(open(lab, file)).rejects.toMatchObject({ name: 'TiedError', code: 'bad-file', message });
  });

  test('reports what is wrong in a file of its own kind', () => {
    const [, file] = Object.values(files).find(([is]) => is === reads)!;
    const cut = file.slice(0, -3);
    expectError(() => open(core, cut), 'bad-file', /^bytes is not a valid file: .+; expected .+$/);
  });
});

const cases = sharedFile('safetensors/safetensors-cases.json');
test.skipIf(cases === null)(
  'every collected safetensors file, valid or malformed, is refused with the same message',
  async () => {
    const parsed = JSON.parse(new TextDecoder().decode(cases!)) as { cases: { name: string; hex: string }[] };
    expect(parsed.cases.length).toBeGreaterThan(70);
    for (const { name, hex } of parsed.cases) {
      const file = Uint8Array.from(Buffer.from(hex, 'hex'));
      const isRecognised = /^\s*\{\s*["}]/.test(Buffer.from(file.subarray(8)).toString('latin1'));
      for (const [reads, open] of Object.values(readers)) {
        const error = errorOf(() => open(core, file));
        expect(error, name).toMatchObject({ code: 'bad-file' });
        if (isRecognised) expect(error.message, name).toBe(`bytes is a safetensors file; expected ${reads}`);
        else
          expect(error.message, name).toMatch(/^bytes is (a safetensors file|empty|not a valid file: .+); expected /);
        const { code, message } = error;
        await expect(open(lab, file), name).rejects.toMatchObject({ name: 'TiedError', code, message });
      }
    }
  },
);
