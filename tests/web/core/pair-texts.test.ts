// Pairs of texts: from tasks, from lines, and as tokens. The rules of the tasks are tested in tests/cpp.
import { beforeAll, describe, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type PairTask } from '../../../web/index.js';
import { errorOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const TASKS: PairTask[] = ['reversal', 'sorting', 'transliteration', 'numbers', 'plurals', 'past-tense'];

describe('writePairs', () => {
  test.each(TASKS)('writes the same pair i of %s in any request', (task) => {
    const options = { task, seed: 3 };
    const all = core.writePairs({ ...options, count: 50 });
    expect(core.writePairs({ ...options, count: 5, from: 20 })).toEqual(all.slice(20, 25));
    expect(core.writePairs({ ...options, count: 50, seed: 4 })).not.toEqual(all);
    for (const { source, target } of all) {
      if (task === 'reversal') expect([...source].reverse().join('')).toBe(target);
      if (task === 'sorting') expect([...source].sort().join('')).toBe(target);
      if (task === 'numbers') expect(target).toMatch(/^\d{1,6}$/);
      if (task === 'transliteration') expect(target).toMatch(/^[α-ω]+$/);
      expect(source).toMatch(/^[a-z -]+$/);
    }
  });

  test('writes more pairs than a single call of the core, and words of any length', () => {
    const many = core.writePairs({ task: 'sorting', seed: 1, count: 8200, length: 3 });
    expect(many).toHaveLength(8200);
    expect(core.writePairs({ task: 'sorting', seed: 1, count: 8, from: 8192, length: 3 })).toEqual(many.slice(8192));
    expect(core.writePairs({ task: 'reversal', seed: 1, count: 1, length: 1000 })[0]!.source).toHaveLength(1000);
    expect(core.writePairs({ task: 'reversal', seed: 1, count: 1, from: 2 ** 32 - 1 })).toHaveLength(1);
  });
});

describe('parsePairs', () => {
  test('reads lines, including what files of other programs add', () => {
    expect(core.parsePairs('\uFEFFhund\tdog\r\nkatt\tcat\tnoun\n\nå\t \n')).toEqual([
      { source: 'hund', target: 'dog' },
      { source: 'katt', target: 'cat' },
      { source: 'å', target: ' ' },
    ]);
  });

  test.each([
    ['a\tb\nc', /^line 2 of text has no tab; expected a source, a tab and a target$/],
    ['\tb', /^line 1 of text has no source/],
    ['a\tb\n\na\t\tc', /^line 3 of text has no target/],
    [
      'a\tb\n\na\tc\u0003',
      /^line 3 of text has a target with a control character; expected a text, without U\+0002 and U\+0003$/,
    ],
    ['', /^text is ''; expected at least one line/],
    ['\r\n\n', /^text is .*; expected at least one line/s],
  ])('refuses %j', (text, message) => {
    const error = errorOf(() => core.parsePairs(text));
    expect(error.message).toMatch(message);
    expect(error.code).toBe('invalid-argument');
  });
});

describe('texts of pairs', () => {
  const [most, longer] = ['a'.repeat(2 ** 16), 'a'.repeat(2 ** 16 + 1)];
  test('have at most 65,536 characters per side', () => {
    expect(core.parsePairs(`x\ty\n${most}\t${most}`)).toHaveLength(2);
    const message = (call: () => unknown) => {
      const { code, message } = errorOf(call);
      expect(code).toBe('invalid-argument');
      return message;
    };
    expect(message(() => core.parsePairs(`x\ty\n${longer}\ty`))).toBe(
      'line 2 of text has a source of 65537 characters; expected at most 65536',
    );
    expect(message(() => core.parsePairs(`x\t${longer}`))).toMatch(/^line 1 of text has a target of 65537 characters/);
    const given = [{ source: 'a', target: longer }];
    expect(message(() => core.pairTokenizer(given))).toBe('pairs[0].target.length is 65537; expected at most 65536');
    const tokenizer = core.pairTokenizer([{ source: 'a', target: most }]);
    expect(message(() => core.encodePairs({ pairs: given, tokenizer }))).toMatch(
      /^options\.pairs\[0\]\.target\.length/,
    );
  });

  test('number at most 1,048,576, and the error names the line of the first excess pair', () => {
    const lines = 'a\tb\n'.repeat(2 ** 20);
    expect(core.parsePairs(`${lines}\n\n`)).toHaveLength(2 ** 20);
    const error = errorOf(() => core.parsePairs(`\n${lines}c\td`));
    expect([error.code, error.message]).toEqual([
      'invalid-argument',
      'line 1048578 of text is one pair too many; expected at most 1048576 pairs',
    ]);
  });
});

describe('tokens of pairs', () => {
  const texts = [
    { source: 'Straße 👩‍👩‍👧', target: 'road\tand\n' },
    { source: 'a', target: '猫' },
  ];

  test('are characters, after the start and end tokens, and decode to the texts again', () => {
    const tokenizer = core.pairTokenizer(texts);
    expect(tokenizer.encode('\u0002\u0003')).toEqual(Uint32Array.of(0, 1));
    const { pairs, ...facts } = core.encodePairs({ pairs: texts, tokenizer });
    expect(facts).toEqual({ sourceLength: 12, contextLength: 10, startToken: 0, endToken: 1 });
    const back = texts.map((_, i) => ({
      source: tokenizer.decode(pairs.source[i]!),
      target: tokenizer.decode(pairs.target[i]!),
    }));
    expect(back).toEqual(texts);
  });

  test('are refused by name if they cannot be made', async () => {
    const tokenizer = core.pairTokenizer(texts);
    const other = core.trainTokenizer('abc', { kind: 'character' });
    const unknown = core.trainTokenizer('aaabbbc', { kind: 'character', vocabSize: 3 });
    const words = core.trainTokenizer('abc def', { kind: 'word' });
    const foreign = (await loadCore()).pairTokenizer(texts);
    const some = [{ source: 'a', target: 'a' }];
    for (const [call, message] of [
      [() => core.pairTokenizer([]), /^pairs is an array of 0; expected an array of 1 to/],
      [() => core.pairTokenizer('ab' as never), /^pairs is 'ab'; expected an array/],
      [() => core.pairTokenizer([{ source: '', target: 'a' }]), /^pairs\[0\]\.source is ''; expected a text/],
      [
        () => core.pairTokenizer([...some, { source: 'a', target: 'b\u0003' }]),
        /^pairs\[1\]\.target is .*without U\+0002/,
      ],
      [() => core.pairTokenizer([{ source: 'a' } as never]), /^pairs\[0\]\.target is undefined; expected a string/],
      [
        () => core.encodePairs({ pairs: [...some, { source: 'a', target: 'aq' }], tokenizer }),
        /^options\.pairs\[1\]\.target is q \(U\+0071\) at byte 1/,
      ],
      [
        () => core.encodePairs({ pairs: some, tokenizer: other }),
        /^options\.tokenizer is .*; expected a tokenizer made by pairTokenizer/,
      ],
      [
        () => core.encodePairs({ pairs: some, tokenizer: unknown }),
        /^options\.tokenizer is .*; expected a tokenizer made by pairTokenizer/,
      ],
      [
        () => core.encodePairs({ pairs: some, tokenizer: words }),
        /^options\.tokenizer\.kind is 'word'; expected a tokenizer/,
      ],
      [
        () => core.encodePairs({ pairs: some, tokenizer: {} as never }),
        /^options\.tokenizer is an object; expected a tokenizer/,
      ],
      [
        () => core.writePairs({ task: 'plurals', seed: 1, count: 1, length: 8 }),
        /^options\.length is 8; expected it to be absent/,
      ],
      [
        () => core.writePairs({ task: 'plural' as never, seed: 1, count: 1 }),
        /^options\.task is 'plural'.*did you mean 'plurals'/,
      ],
      [() => core.writePairs({ task: 'sorting', seed: 1, count: 2 ** 18 + 1 }), /^options\.count is 262145/],
    ] as [() => unknown, RegExp][]) {
      const error = errorOf(call);
      expect(error.message).toMatch(message);
      expect(error.code).toBe('invalid-argument');
    }
    // A tokenizer of another core works too.
    expect(core.encodePairs({ pairs: some, tokenizer: foreign }).pairs.source[0]).toEqual(tokenizer.encode('a'));
  });

  test('equal those of a lab', async () => {
    const lab = await createLab();
    const there = await lab.pairTokenizer(texts);
    const encoded = await lab.encodePairs({ pairs: texts, tokenizer: there });
    expect(encoded).toEqual(core.encodePairs({ pairs: texts, tokenizer: core.pairTokenizer(texts) }));
    expect(await lab.parsePairs('a\tb')).toEqual([{ source: 'a', target: 'b' }]);
    const wrong = lab.encodePairs({ pairs: texts, tokenizer: {} as never });
    await expect(wrong).rejects.toThrow(/^options\.tokenizer is an object; expected a tokenizer of this lab/);
    lab.dispose();
  });
});
