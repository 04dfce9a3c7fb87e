/** How pasted links are resolved: pages about a file, pages about a model, short forms. */
import { expect, test } from 'vitest';
import { UrlSource } from '../../../web/core/checkpoint/bytes/url-source.js';
import { ramp, safetensors } from './checkpoint-files.js';
import { openHere } from './open-here.js';

const small = safetensors({ 'wte.weight': { shape: [4, 2], data: ramp(8) } });

const asked = async (link: string): Promise<{ url: string; notes: readonly string[] }> => {
  let url = '';
  const fetch = (to: string): Promise<Response> => {
    url = to;
    return Promise.resolve(new Response(small, { status: 206 }));
  };
  const { notes } = await openHere(link, {}, { fetch });
  return { url, notes };
};
const file = 'https://huggingface.co/org/model/resolve/main/model.safetensors';

test.each([
  'https://huggingface.co/org/model/blob/main/model.safetensors',
  'https://huggingface.co/org/model/raw/main/model.safetensors#L1',
  'huggingface.co/org/model/blob/main/model.safetensors',
  'hf://org/model/model.safetensors',
  'hf:org/model@main/model.safetensors',
])('%s is read from the file itself, which is reported', async (link) => {
  const { url, notes } = await asked(link);
  expect(url).toBe(file);
  expect(notes).toEqual([expect.stringContaining(file)]);
});

test.each([
  ['https://huggingface.co/org/model', 'https://huggingface.co/org/model/resolve/main'],
  ['https://huggingface.co/org/model/?library=transformers', 'https://huggingface.co/org/model/resolve/main'],
  ['https://huggingface.co/org/model/tree/v1.0', 'https://huggingface.co/org/model/resolve/v1.0'],
  ['hf.co/org/model', 'https://hf.co/org/model/resolve/main'],
  ['hf://org/model@v1.0', 'https://huggingface.co/org/model/resolve/v1.0'],
])('%s, a model, is read from its single file or from its index', async (link, folder) => {
  const seen: string[] = [];
  const there = (name: string) => (to: string) => {
    seen.push(to);
    const isThere = to.endsWith(`/${name}`);
    return Promise.resolve(new Response(isThere ? small : null, { status: isThere ? 206 : 404 }));
  };
  const [one, index] = [`${folder}/model.safetensors`, `${folder}/model.safetensors.index.json`];
  const { notes } = await openHere(link, {}, { fetch: there('model.safetensors') });
  expect(seen).toEqual([one]);
  expect(notes).toEqual([`The link is to a model; ${one} is read.`]);
  const source = await UrlSource.open(link, { fetch: there('model.safetensors.index.json') });
  expect([source.name, ...source.notes]).toEqual([index, `The link is to a model; ${index} is read.`]);
  await expect(UrlSource.open(link, { fetch: there('none') })).rejects.toThrow(`${index}: there is no such file`);
});

test('Hub pages that are not models are read unchanged', async () => {
  for (const link of [
    'https://huggingface.co/datasets/org',
    'https://huggingface.co/docs/hub',
    'https://huggingface.co/gpt2',
  ])
    expect((await asked(link)).url).toBe(link);
});

test('a link to a file is read unchanged', async () => {
  expect(await asked(`${file}?download=true`)).toEqual({ url: `${file}?download=true`, notes: [] });
  expect((await asked('https://github.com/a/b/blob/main/m.safetensors')).url).toBe(
    'https://github.com/a/b/raw/main/m.safetensors',
  );
});
