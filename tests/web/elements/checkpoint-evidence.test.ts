// The first sentence about a model: its verdict, with the evidence and the names of what proves it.
import { expect, test } from 'vitest';
import { checkpointStrings } from '../../../web/elements/checkpoint/checkpoint.strings.js';
import { tyingInWords } from '../../../web/elements/checkpoint/facts.js';
import type { OpenedModel } from '../../../web/elements/checkpoint/opening.js';

const tensor = (name: string, sharedWith?: string) => ({
  ...{ name, shape: [8, 2], dtype: 'F32', bytes: 64 },
  ...(sharedWith === undefined ? {} : { sharedWith }),
});

function said(tensors: ReturnType<typeof tensor>[]) {
  const [table] = tensors;
  const checkpoint = {
    tensors,
    tables: { input: table, output: table },
    tying: { tied: true, evidence: 'same-storage', reason: '', distance: null },
  };
  return tyingInWords({ checkpoint } as unknown as OpenedModel, checkpointStrings);
}

test('one storage is named with all of its names, whichever of them the tables have', () => {
  const { claim, rest } = said([
    tensor('decoder.embed'),
    tensor('encoder.embed', 'decoder.embed'),
    tensor('head', 'decoder.embed'),
    tensor('norm'),
  ]);
  expect(claim).toBe('Tied.');
  expect(rest).toBe(
    'decoder.embed, encoder.embed, head are names of one storage, which reads and writes. Tying saves 64 bytes here: a second table would take as much.',
  );
});

test('a tensor that the reader has named for both roles is not called a storage of several names', () => {
  expect(said([tensor('table')]).rest).toMatch(/^table reads and writes\. /);
});
