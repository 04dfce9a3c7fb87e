// How the arguments of the command are read, and the messages about invalid ones.
import { describe, expect, test } from 'vitest';
import { readArguments, type Verb } from '../../../command/declare.mjs';
import { generalHelp, helpOf } from '../../../command/help.mjs';
import { verbs } from '../../../command/verbs.mjs';

const verb: Verb = {
  name: 'measure',
  summary: 'measure a text',
  about: 'Measures a text.',
  operands: [
    { name: 'TEXT', kind: 'file' },
    { name: 'PART', kind: 'choice', of: ['all', 'half'], optional: true },
  ],
  flags: {
    steps: { kind: 'integer', least: 1, most: 10, summary: 'how many' },
    'learning-rate': { kind: 'number', summary: 'how fast' },
    out: { kind: 'file', summary: 'where to' },
    quiet: { kind: 'switch', summary: 'no progress' },
  },
  examples: ['measure a.txt'],
  run: () => Promise.resolve(0),
};

describe('arguments', () => {
  test('are read with their types, in any order', () => {
    expect(
      readArguments(verb, ['--steps', '3', 'a.txt', '--learning-rate=-0.5', 'half', '--quiet', '--out', 'b']),
    ).toEqual({ flags: { steps: 3, 'learning-rate': -0.5, quiet: true, out: 'b' }, operands: ['a.txt', 'half'] });
    expect(readArguments(verb, ['--learning-rate', '-1e-3', '--', '--steps'])).toEqual({
      flags: { 'learning-rate': -0.001 },
      operands: ['--steps'],
    });
  });

  test.each<[string[], string]>([
    [['a', '--stpes', '3'], '--stpes is not an option of measure; did you mean --steps?'],
    // Two letters of three are not near.
    [['a', '--of'], '--of is not an option of measure; see tied-embeddings measure --help'],
    [['a', '--ou'], '--ou is not an option of measure; did you mean --out?'],
    [['a', '--wonderful'], '--wonderful is not an option of measure; see tied-embeddings measure --help'],
    [['a', '-q'], '-q is not an option of measure; see tied-embeddings measure --help'],
    [['a', '--steps'], '--steps has no value; expected an integer from 1 to 10'],
    [['a', '--out', '--quiet'], '--out has no value; expected the name of a file'],
    [['a', '--out='], "--out is ''; expected the name of a file"],
    [['a', '--steps', '0'], "--steps is '0'; expected an integer from 1 to 10"],
    [['a', '--steps', '1e1'], "--steps is '1e1'; expected an integer from 1 to 10"],
    [['a', '--learning-rate', 'fast'], "--learning-rate is 'fast'; expected a number"],
    [['a', '--learning-rate', 'Infinity'], "--learning-rate is 'Infinity'; expected a number"],
    [['a', '--learning-rate', ''], "--learning-rate is ''; expected a number"],
    [['a', '--steps', '2', '--steps', '3'], '--steps was given twice'],
    [['a', '--quiet=yes'], "--quiet is 'yes'; expected no value"],
    [[], '0 arguments were given; expected TEXT [PART]'],
    [['a', 'all', 'c'], '3 arguments were given; expected TEXT [PART]'],
    [['a', 'third'], "PART is 'third'; expected one of all, half"],
    [[''], 'TEXT is empty; expected the name of a file'],
  ])('%j are refused', (words, message) => {
    expect(() => readArguments(verb, words)).toThrow(message);
  });
});

describe('help', () => {
  test.each(verbs.map((one) => [one.name, one] as const))(
    'of %s has every flag, and its examples run it',
    (name, one) => {
      const text = helpOf(one);
      for (const flag of Object.keys(one.flags)) expect(text).toContain(`  --${flag}`);
      expect(text).toContain(`Usage: tied-embeddings ${name}`);
      expect(one.examples.some((example) => example.includes(`tied-embeddings ${name}`))).toBe(true);
      expect(text.split('\n').filter((line) => line.length > 110 && !line.includes('duckdb'))).toEqual([]);
      expect(one.summary.length).toBeLessThan(90);
    },
  );

  test('lists every verb', () => {
    for (const { name, summary } of verbs)
      expect(generalHelp(verbs)).toMatch(new RegExp(`^  ${name}.*${summary[0]!}`, 'm'));
  });
});
