// What a sampled profile of a worker counts as exchange. The profiles are made by hand.
import { expect, test } from 'vitest';
import { kindOf, sharesOf } from '../../../bench/profile-one-model.mjs';

const page = (functionName: string) => ({ functionName, url: 'http://localhost/dist/worker.js' });
const core = (functionName: string) => ({ functionName, url: 'http://localhost/dist/core.wasm' });

test.each([
  ['idle', [page('(root)'), { functionName: '(idle)', url: '' }]],
  ['step', [page('compute'), core('0001 tied::Trainer<float>::sum_of'), core('0002 multiply_panels')]],
  ['exchange', [page('compute'), core('0001 tied::ShardSums<float>::read'), core('0003 tied::add_scaled<float>')]],
  ['exchange', [page('compute'), core('0004 tied::ParameterStore<float>::packed')]],
  ['exchange', [page('post'), page('copies'), page('')]],
  ['exchange', [page('post'), page('send'), { functionName: 'postMessage', url: '' }]],
  ['other', [page('take'), page('news')]],
  ['other', [page('(root)'), { functionName: '(garbage collector)', url: '' }]],
] as const)('is %s for %o', (kind, stack) => {
  expect(kindOf(stack)).toBe(kind);
});

test('sums the time of samples by kind and by the innermost function', () => {
  const nodes = [
    { id: 1, callFrame: page('(root)'), children: [2, 4] },
    { id: 2, callFrame: page('post'), children: [3] },
    { id: 3, callFrame: page('copies') },
    { id: 4, callFrame: { functionName: '(idle)', url: '' } },
  ];
  const { kinds, functions } = sharesOf({ nodes, samples: [3, 4, 3, 2], timeDeltas: [200, 300, 100, 50] });
  expect(kinds).toEqual({ idle: 300, step: 0, exchange: 350, other: 0 });
  expect([...functions]).toEqual([
    ['copies [exchange]', 300],
    ['(idle) [idle]', 300],
    ['post [exchange]', 50],
  ]);
});
