import { expect, test } from 'vitest';
import { isWanted, readOptions, usage } from '../../../bench/options.mjs';

test('without options, everything is measured in five rounds', () => {
  expect(readOptions([])).toMatchObject({
    quick: false,
    only: [],
    hosts: ['native', 'Node', 'Chromium', 'Python'],
    peers: true,
    build: true,
    rounds: 5,
  });
});

test('a value follows its option, or an equals sign', () => {
  expect(readOptions(['--only', 'product,train/A', '--json', 'a.json'])).toMatchObject({
    only: ['product', 'train/A'],
    json: 'a.json',
  });
  expect(readOptions(['--only=product', '--compare=HEAD~1'])).toMatchObject({ only: ['product'], compare: 'HEAD~1' });
  expect(readOptions(['--rounds', '3', '--no-peers', '--no-build'])).toMatchObject({
    rounds: 3,
    peers: false,
    build: false,
  });
});

test('a quick run has fewer rounds, unless their number is given', () => {
  expect(readOptions(['--quick']).rounds).toBe(3);
  expect(readOptions(['--quick', '--rounds', '9']).rounds).toBe(9);
});

test('host names ignore case', () => {
  expect(readOptions(['--hosts', 'chromium,NATIVE']).hosts).toEqual(['Chromium', 'native']);
  expect(() => readOptions(['--hosts', 'firefox'])).toThrow('native, Node, Chromium, Python');
});

test.each([
  ['--peers'],
  ['--rounds=0'],
  ['--only=,'],
  ['--hosts', ','],
  ['--rounds=1.5'],
  ['--only'],
  ['--json', '--quick'],
  ['product'],
  ['--quick=1'],
])('%s is refused', (...words: string[]) => expect(() => readOptions(words)).toThrow(words[0]!.split('=')[0]));

test('a refusal lists all valid values', () => {
  expect(() => readOptions(['--fast'])).toThrow(usage());
  for (const name of [
    '--quick',
    '--only',
    '--hosts',
    '--no-peers',
    '--rounds',
    '--json',
    '--svg',
    '--before',
    '--compare',
  ]) {
    expect(usage()).toContain(name);
  }
});

test('--only accepts the name of a case, or a prefix that ends at a slash', () => {
  expect(isWanted('train/A', [])).toBe(true);
  expect(isWanted('train/A', ['train'])).toBe(true);
  expect(isWanted('train/A/untied', ['train/A'])).toBe(true);
  expect(isWanted('products/A', ['product'])).toBe(false);
  expect(isWanted('product/64x64x64/nn', ['product/64x64x64/nn'])).toBe(true);
  expect(isWanted('train/A', ['train/AB', 'text'])).toBe(false);
});
