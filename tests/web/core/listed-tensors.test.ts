import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Architecture, type Core, type ListedTensor } from '../../../web/index.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const TENSORS: readonly ListedTensor[] = [
  { name: 'per_layer', shape: [10, 6], group: 'tables' },
  { name: 'layers.*.map.weight', shape: [4, 5], copies: 3, group: 'attention' },
  { name: 'layers.*.experts.*.up', shape: [7, 4], copies: 6, activeCopies: 2, group: 'feed-forward' },
  { name: 'final_norm', shape: [4], group: 'norms' },
];
const MODEL: Architecture = { family: 'listed', vocabSize: 10, dModel: 4, nLayers: 3, tensors: TENSORS };

test('tables and listed tensors are counted by group, by role and as far as a token uses them', () => {
  const counts = core.countParameters(MODEL, 'tied');
  expect(counts.stored).toBe(40 + 60 + 60 + 168 + 4);
  expect(counts.active).toBe(40 + 60 + 60 + 56 + 4);
  expect(counts.untied - counts.stored).toBe(40);
  expect(counts.groups).toEqual({
    ...{ tables: 100, positions: 0, attention: 60, 'feed-forward': 168, norms: 4, head: 0 },
  });
  expect(counts.roles).toEqual({ readsAndWrites: 40, reads: 60, writes: 0, computes: 232 });
  expect(counts.tensors.slice(2).map(({ name, shape, copies }) => ({ name, shape, copies }))).toEqual(
    TENSORS.map(({ name, shape, copies = 1 }) => ({ name, shape, copies })),
  );
  expect(core.countParameters(MODEL, 'untied').roles).toEqual({
    readsAndWrites: 0,
    reads: 100,
    writes: 40,
    computes: 232,
  });
  expect(core.countParameters(counts.architecture, 'tied')).toEqual(counts);
});

test.each([
  [{ family: 'gpt-2', vocabSize: 100, dModel: 64, nLayers: 1 }, 'tied', [6400, 0, 0]],
  [
    { family: 'gpt-2', vocabSize: 100, dModel: 64, nLayers: 1, ngramOrder: 2, ngramRows: 9 },
    'untied',
    [0, 6400 + 576, 6400],
  ],
  [{ family: 'gpt-2', vocabSize: 100, dModel: 64, nLayers: 1, valueEmbeddings: 'tied' }, 'untied', [0, 6400, 6400]],
  [{ family: 't5', vocabSize: 100, dModel: 64, nLayers: 1 }, 'tied-decoder', [6400, 6400, 0]],
  [{ family: 't5', vocabSize: 100, dModel: 64, nLayers: 1 }, 'tied-inputs', [0, 6400, 6400]],
] as const)('the roles of the tables of %j, %s', (architecture, tying, [both, reads, writes]) => {
  const { roles, stored } = core.countParameters(architecture, tying);
  expect(roles).toEqual({ readsAndWrites: both, reads, writes, computes: stored - both - reads - writes });
});

test('tying is advised on without the reasons that ask how the model grows', () => {
  const { reasons, sentence } = core.adviseTying(MODEL);
  expect(reasons.map(({ kind }) => kind)).not.toContain('depth');
  expect(reasons.map(({ kind }) => kind)).not.toContain('width');
  expect(reasons.map(({ kind }) => kind)).toContain('saved-share');
  expect(sentence).not.toMatch(/NaN|undefined|Infinity/);
});

test('work and memory of listed tensors are refused', () => {
  expectError(() => core.countCompute(MODEL, { sequences: 1, tokens: 1 }), 'unsupported', /family is 'listed'/);
});

describe('bad lists are refused by name', () => {
  const [first] = TENSORS as [ListedTensor];
  test.each([
    [{ tensors: undefined }, /architecture\.tensors is undefined; expected 1 to 10000 tensors/],
    [{ tensors: [] }, /architecture\.tensors is an array of 0/],
    [{ tensors: [{ ...first, name: '' }] }, /architecture\.tensors\[0\]\.name is ''/],
    [{ tensors: [{ ...first, shape: [] }] }, /architecture\.tensors\[0\]\.shape is .*; expected \[rows, cols\]/],
    [{ tensors: [first, { ...first, shape: [2, 0] }] }, /architecture\.tensors\[1\]\.shape\[1\] is 0/],
    [{ tensors: [{ ...first, copies: 1.5 }] }, /architecture\.tensors\[0\]\.copies is 1\.5/],
    [{ tensors: [{ ...first, copies: 2, activeCopies: 3 }] }, /architecture\.tensors\[0\]\.activeCopies is 3/],
    [{ tensors: [{ ...first, group: 'other' }] }, /architecture\.tensors\[0\]\.group is 'other'/],
    [{ tensors: [{ ...first, size: 3 }] }, /size/],
    [{ tensors: [null] }, /architecture\.tensors\[0\] is null/],
    [{ nHeads: 2 }, /architecture\.nHeads is 2; expected no value/],
    [{ family: 'llama' }, /architecture\.tensors is an array of 4; expected no value; only family 'listed' has it/],
  ])('%#', (change, message) => {
    const broken = { ...MODEL, ...change } as Architecture;
    expectError(() => core.countParameters(broken), 'invalid-argument', message);
  });
});
