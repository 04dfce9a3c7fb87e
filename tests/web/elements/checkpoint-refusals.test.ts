// What the checkpoint figure says about files that it does not open: for every damaged file, a sentence with what to do.
import { describe, expect, it } from 'vitest';
import { TiedError } from '../../../web/core/runtime/errors.js';
import type { Lab } from '../../../web/core/types.js';
import {
  sortFile,
  together,
  type FileRole,
  type SortedFile,
} from '../../../web/elements/checkpoint/checkpoint-files.js';
import { checkpointStrings } from '../../../web/elements/checkpoint/checkpoint.strings.js';
import { openModel, type Wanted } from '../../../web/elements/checkpoint/opening.js';
import { bytesInWords, refusalOf, type Refusal } from '../../../web/elements/checkpoint/refusal.js';
import { ramp, safetensors, safetensorsOf, utf8 } from '../checkpoint/checkpoint-files.js';
import { openHere } from '../checkpoint/open-here.js';
import { sharedFile } from '../core/support.js';

const notLlama2c = (): Promise<never> => Promise.reject(new TiedError('bad-file', 'bytes is none of llama2.c'));
const lab = { loadTokenizer: notLlama2c, loadModel: notLlama2c, openCheckpoint: openHere } as unknown as Lab;
const listening = {
  signal: new AbortController().signal,
  onBytes: () => undefined,
  onShare: () => undefined,
  onModel: () => undefined,
};

/** Null if the file was opened. */
async function refused(bytes: Uint8Array, name = 'case.safetensors'): Promise<Refusal | null> {
  let wanted: Wanted | null = null;
  try {
    const file = await sortFile(lab, new File([bytes.slice()], name));
    wanted = { place: { kind: 'files', files: [file] } };
    await openModel(lab, wanted, listening, checkpointStrings.pageModels);
    return null;
  } catch (error) {
    const refusal = refusalOf(error, wanted, checkpointStrings);
    if (refusal === null) throw error;
    return refusal;
  }
}

const [V, D] = [6, 4];
const wte = safetensors({ 'wte.weight': { shape: [V, D], data: ramp(V * D) } });

describe('a refused file', () => {
  it.each<[string, Uint8Array, RegExp]>([
    [
      'cut off',
      wte.subarray(0, wte.length - 5),
      /^case\.safetensors was not opened: .*Download it again, or export it again\.$/,
    ],
    ['empty', new Uint8Array(), /^case\.safetensors is empty\. Download it again\.$/],
    ['a web page', utf8('<!doctype html><title>x</title>'), /^case\.safetensors is a web page\./],
    ['a pointer', utf8('version https://git-lfs.github.com/spec/v1\n'), /^case\.safetensors is a Git LFS pointer/],
    [
      'a pickle',
      Uint8Array.of(0x80, 2, 0x7d),
      /^case\.safetensors is a Python pickle that torch\.save did not write.*Save its weights as safetensors/,
    ],
    ['no header', safetensorsOf('{"a":1'), /^case\.safetensors was not opened: .*Download it again/],
    ['noise', Uint8Array.from({ length: 99 }, (_, at) => (at * 7919) & 255), /neither weights nor a tokenizer/],
  ])('that is %s gets a sentence that says what it is, and what to do', async (_, bytes, sentence) => {
    expect((await refused(bytes))?.sentence).toMatch(sentence);
  });

  it('without known names lists its matrices in the words of the core', async () => {
    const found = await refused(safetensors({ a: { shape: [V, D], data: ramp(V * D) } }));
    expect(found).toMatchObject({
      sentence: 'case.safetensors does not say which of its matrices are the token tables. Choose them:',
      technical: expect.stringContaining("the largest matrices are 'a'") as string,
      tables: [{ name: 'a', shape: [V, D], dtype: 'F32', bytes: 4 * V * D }],
    });
  });

  const cases = sharedFile('safetensors/safetensors-cases.json');
  const all = JSON.parse(new TextDecoder().decode(cases ?? utf8('{"cases":[]}'))) as {
    cases: { name: string; hex: string; expect: string }[];
  };
  it.runIf(cases !== null).each(all.cases.filter((one) => one.expect === 'reject'))(
    'of ../shared, $name, gets a sentence that says what to do',
    async ({ hex }) => {
      const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
      expect((await refused(bytes))?.sentence).toMatch(
        /^case\.safetensors .*(Download it again|does not say|nor any other format|Drop |not a model)/s,
      );
    },
  );
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [272_269_312, '272 MB'],
  [5e15, '5,000 TB'],
])('%s bytes are written as %s', (bytes, words) => {
  expect(bytesInWords(bytes)).toBe(words);
});

describe('the files of one model', () => {
  const of = (name: string, role: FileRole): SortedFile => ({ file: new File([], name), role });
  const names = (before: SortedFile[], come: SortedFile[]): string[] =>
    together(before, come).map(({ file }) => file.name);
  const [model, other] = [of('a.safetensors', 'tensors'), of('b.gguf', 'tensors')];
  const [config, tokens] = [of('config.json', 'configuration'), of('tok.bin', 'tokenizer')];
  const part = (number: number): SortedFile => of(`m-0000${number}-of-00002.safetensors`, 'tensors');
  it.each<[string, SortedFile[], SortedFile[], string[]]>([
    ['companions join what is there', [model], [config], ['a.safetensors', 'config.json']],
    ['a model takes those that wait for it', [config], [model], ['config.json', 'a.safetensors']],
    ['another model comes without them', [model, config], [other], ['b.gguf']],
    ['a newer configuration replaces the older', [model, config], [config], ['a.safetensors', 'config.json']],
    ['parts join each other', [part(1)], [part(2)], [part(1).file.name, part(2).file.name]],
    [
      'a tokenizer of llama2.c stays for other weights',
      [of('a.bin', 'llama2c'), tokens],
      [of('b.bin', 'llama2c')],
      ['tok.bin', 'b.bin'],
    ],
  ])('%s', (_, before, come, expected) => {
    expect(names(before, come)).toEqual(expected);
  });
});
