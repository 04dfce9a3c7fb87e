// The files of one model in a folder, what a link says of a model, and the address of the page that opens one.
// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { addressOf, askedUrl, forwardDrops } from '../../../web/article/is-it-tied/address.js';
import {
  chosenFolder,
  filesInFolder,
  modelInFolder,
  type FolderFile,
} from '../../../web/elements/checkpoint/folder.js';
import { readGiven, writeGiven } from '../../../web/elements/checkpoint/given.js';

const at = (path: string): FolderFile => ({ path, file: new File([], path.split('/').pop()!) });
const inFolder = (...paths: string[]) => {
  const found = modelInFolder(paths.map(at));
  return found && { files: found.files.map(({ name }) => name), others: [...found.others] };
};

describe('a folder', () => {
  it('of a cloned repository is its parts, their index, configuration and tokenizer; other copies are named', () => {
    expect(
      inFolder(
        ...[
          'm/README.md',
          'm/.gitattributes',
          'm/model-00002-of-00002.safetensors',
          'm/model-00001-of-00002.safetensors',
        ],
        ...['m/model.safetensors.index.json', 'm/config.json', 'm/tokenizer.json', 'm/picture.png'],
        ...['m/pytorch_model.bin', 'm/onnx/model.onnx', 'm/original/consolidated.00.pth', 'm/original/params.json'],
      ),
    ).toEqual({
      files: [
        ...['model-00002-of-00002.safetensors', 'model-00001-of-00002.safetensors', 'model.safetensors.index.json'],
        ...['config.json', 'tokenizer.json'],
      ],
      others: ['m/pytorch_model.bin', 'm/onnx/model.onnx', 'm/original/consolidated.00.pth'],
    });
  });

  it('of several quantizations is the first of them, and split ones stay together', () => {
    expect(inFolder('g/model-Q8_0.gguf', 'g/model-Q4_K_M.gguf')).toEqual({
      files: ['model-Q4_K_M.gguf'],
      others: ['g/model-Q8_0.gguf'],
    });
    expect(inFolder('g/big-00002-of-00002.gguf', 'g/big-00001-of-00002.gguf')?.files).toHaveLength(2);
  });

  it('of a training run is the weights nearest to the top, then of the first step, without the states of optimizers', () => {
    const steps = ['checkpoint-1000', 'checkpoint-200'].flatMap((step) => [
      `run/${step}/optimizer.pt`,
      `run/${step}/model.safetensors`,
    ]);
    expect(inFolder(...steps)).toEqual({
      files: ['model.safetensors'],
      others: ['run/checkpoint-1000/model.safetensors'],
    });
    expect(inFolder(...steps, 'run/pytorch_model.bin')?.files).toEqual(['pytorch_model.bin']);
  });

  it('of llama2.c has its tokenizer, and a folder without weights has no model', () => {
    expect(inFolder('l/stories260K.bin', 'l/tok512.bin')).toEqual({
      files: ['stories260K.bin', 'tok512.bin'],
      others: [],
    });
    expect(inFolder('n/README.md', 'n/config.json', 'n/optimizer.pt', 'n/tokenizer.bin')).toBeNull();
  });

  it('that is dropped is read with the folders in it, in parts, as browsers return them', async () => {
    const file = (fullPath: string) => ({
      ...{ isDirectory: false, fullPath },
      file: (done: (made: File) => void) => done(new File([], fullPath)),
    });
    const folder = (fullPath: string, parts: unknown[][]) => ({
      ...{ isDirectory: true, fullPath },
      createReader: () => {
        const left = [...parts, []];
        return { readEntries: (done: (entries: unknown[]) => void) => done(left.shift()!) };
      },
    });
    const root = folder('/m', [[file('/m/a')], [folder('/m/in', [[file('/m/in/b')]]), file('/m/c')]]);
    const found = await filesInFolder(root as unknown as FileSystemDirectoryEntry);
    expect(found.map(({ path }) => path)).toEqual(['m/a', 'm/c', 'm/in/b']);
    expect(chosenFolder([new File([], 'x.gguf')])).toMatchObject([{ path: 'x.gguf' }]);
  });
});

describe('what a link is about', () => {
  it('is a URL, or a file by name and size, and is read as it was written, whatever the name has', () => {
    const given = [
      { kind: 'file', name: 'my model: 50 % (ä/b).safetensors', bytes: 272_000_000 },
      { kind: 'url', url: 'https://example.org/a%20b.gguf?x=1#y' },
    ] as const;
    expect(readGiven(writeGiven(given))).toEqual(given);
    expect(readGiven('')).toEqual([]);
  });

  it('is refused if it is anything else', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,1',
      'model.gguf',
      'a:b',
      '%E0:1',
      'model.gguf:-1',
      'ftp://a/b',
    ])
      expect(readGiven(text), text).toBeNull();
  });
});

describe('the address of the page', () => {
  const page = 'https://example.org/is-it-tied/';

  it('names the model that it opens, and leaves a link with a view to the figure', () => {
    const url = 'https://example.org/model.gguf';
    expect(askedUrl(`${page}?url=${encodeURIComponent(url)}`)).toBe(url);
    expect(askedUrl(`${page}?url=huggingface.co/openai-community/gpt2`)).toBe(
      'https://huggingface.co/openai-community/gpt2',
    );
    expect(askedUrl(page)).toBeNull();
    expect(askedUrl(`${page}?url=`)).toBeNull();
    expect(askedUrl(`${page}?url=${url}#tied=file&given=${url}&tensor=wte`)).toBeNull();
  });

  it('follows what is open: a URL stays in it, a file does not, and the view of another model goes', () => {
    const url = 'https://example.org/model.gguf';
    const there = addressOf(page, url);
    expect(askedUrl(there)).toBe(url);
    const view = `${there}#tied=file&given=${encodeURIComponent(url)}&tensor=wte`;
    expect(addressOf(view, url)).toBe(view);
    expect(addressOf(view, 'a.gguf:12')).toBe(page);
  });

  it('files dropped beside the figure reach it, and other things that are dropped do not', () => {
    const figure = document.createElement('div');
    document.body.append(figure);
    const heard = vi.fn();
    figure.addEventListener('drop', heard);
    const drop = (types: string[]): Event => {
      const event = new Event('drop', { bubbles: true, cancelable: true });
      Object.assign(event, { dataTransfer: { types } });
      document.body.dispatchEvent(event);
      return event;
    };
    forwardDrops(document, figure);
    expect(drop(['text/plain']).defaultPrevented).toBe(false);
    expect(heard).not.toHaveBeenCalled();
    expect(drop(['Files']).defaultPrevented).toBe(true);
    expect(heard).toHaveBeenCalledOnce();
  });
});
