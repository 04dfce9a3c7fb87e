/** What a core, its trainers and tokenizers survive, and what they do not survive. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { describeValue } from '../../../web/core/runtime/errors.js';
import { Runtime } from '../../../web/core/runtime/runtime.js';
import { softmaxRows } from '../../../web/core/diagnostics/softmax-rows.js';
import type { MemoryModule } from '../../../web/core/runtime/wasm-module.js';
import { createLab, isSupported, loadCore, TiedError, type Core } from '../../../web/index.js';
import { HOSTILE_VALUES, revoked } from './hostile-values.js';
import { errorOf, expectError, TOY_CHAIN } from './support.js';
import { subjectOf, TEXT } from './verbs.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('an exception in the middle of a call', () => {
  /** A module that fails with `failure`, in the verb or on release. */
  function runtimeOf(failure: unknown, where: 'verb' | 'release' = 'verb') {
    const act = (here: string): void => {
      if (here === where) throw failure;
    };
    const module: MemoryModule = {
      allocate: () => 8,
      release: () => act('release'),
      answerParts: () => 0,
      clearAnswer: () => {},
      relaxed: () => false,
    };
    const runtime = new Runtime(module, new WebAssembly.Memory({ initial: 1 }), () => Promise.resolve());
    const call = (): unknown =>
      runtime.call(
        [Float32Array.of(1)],
        () => {
          act('verb');
          return true;
        },
        () => 'read',
      );
    return { runtime, call };
  }

  test.each([
    ['a trap', new WebAssembly.RuntimeError('unreachable'), /most likely out of memory/],
    ['an abort of the C++ side', '', /most likely out of memory/],
    ['a call stack overflow inside the core', new RangeError('too deep'), /because the call stack overflowed/],
  ])('that is %s stops the core, and later calls say so', (_, failure, message) => {
    for (const where of ['verb', 'release'] as const) {
      const { runtime, call } = runtimeOf(failure, where);
      expectError(call, 'stopped', message);
      expect(runtime.running).toBe(false);
      expectError(call, 'stopped', /^the core stopped/);
    }
  });

  test.each([new TypeError('not a function'), new Error('of somebody'), 5])(
    'that is %s is rethrown unchanged, and the core continues',
    (failure) => {
      const { runtime, call } = runtimeOf(failure);
      let thrown: unknown;
      try {
        call();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBe(failure);
      expect(runtime.running).toBe(true);
    },
  );
});

describe('a text longer than the longest string', () => {
  afterEach(() => void vi.restoreAllMocks());

  const tooLong = Object.assign(new Error('Cannot create a string longer than 0x1fffffe8 characters'), {
    code: 'ERR_STRING_TOO_LONG',
  });

  test.each([
    [
      'throws, as in Node',
      () => {
        throw tooLong;
      },
    ],
    ['comes out empty, as in Chromium', () => ''],
  ])('is refused by name where it %s', (_, decode) => {
    const { tokenizer, trainer } = subjectOf(core);
    const ids = tokenizer.encode(TEXT);
    vi.spyOn(TextDecoder.prototype, 'decode').mockImplementationOnce(decode);
    expectError(
      () => tokenizer.decode(ids),
      'out-of-memory',
      new RegExp(
        `^ids is a Uint32Array of ${ids.length}; expected a text that fits in a string; this one has ${ids.length} bytes$`,
      ),
    );
    vi.spyOn(TextDecoder.prototype, 'decode').mockImplementationOnce(decode);
    expectError(
      () => core.writeStories({ seed: 1, length: 50 }),
      'out-of-memory',
      /^options\.length is 50; expected a text/,
    );
    expect(tokenizer.decode(ids)).toBe(TEXT);
    expect(trainer.run(1)).toHaveLength(1);
  });

  test('is refused by name if it cannot be converted to bytes', () => {
    const { tokenizer } = subjectOf(core);
    vi.spyOn(TextEncoder.prototype, 'encode').mockImplementationOnce(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    expectError(
      () => tokenizer.encode(TEXT),
      'out-of-memory',
      /^text has \d+ characters; expected a text whose bytes fit/,
    );
    expect(tokenizer.decode(tokenizer.encode(TEXT))).toBe(TEXT);
  });

  test('of no bytes is accepted', () => {
    expect(subjectOf(core).tokenizer.decode(new Uint32Array(0))).toBe('');
  });
});

describe('a verb that is detached from its object', () => {
  test('works, for cores, trainers, tokenizers and bigrams', () => {
    const subject = subjectOf(core);
    const { symmetry, trainTokenizer } = subject.core;
    expect(symmetry(TOY_CHAIN)).toEqual(core.symmetry(TOY_CHAIN));
    const { encode, decode, dispose } = trainTokenizer('abc', { kind: 'character' });
    expect(decode(encode('cab'))).toBe('cab');
    dispose();
    const { run, evaluate } = subject.trainer;
    expect(run(2)).toHaveLength(2);
    expect(evaluate()).toEqual(subject.trainer.evaluate());
    const { top, conditional } = core.bigrams(Uint32Array.of(0, 1, 0, 1), 2);
    expect(top(1)).toEqual([{ from: 0, to: 1, count: 2 }]);
    expect([...conditional(0)]).toEqual([0, 1]);
  });

  test('works through a proxy and from an object that inherits', () => {
    const { trainer } = subjectOf(core);
    const watched = new Proxy(trainer, {});
    watched.run(3);
    expect(watched.step).toBe(3);
    expect((Object.create(trainer) as typeof trainer).step).toBe(3);
    expect(new Proxy(core, {}).symmetry(TOY_CHAIN)).toEqual(core.symmetry(TOY_CHAIN));
  });
});

test('bigrams whose counts were transferred are refused by name', () => {
  const bigrams = core.bigrams(Uint32Array.of(0, 1, 0, 1), 2);
  structuredClone(bigrams.counts.data, { transfer: [bigrams.counts.data.buffer as ArrayBuffer] });
  for (const ask of [() => bigrams.top(1), () => bigrams.conditional(0)]) {
    expectError(ask, 'invalid-argument', /^counts\.data is a Float32Array whose buffer was transferred or has shrunk/);
  }
});

describe('options of loadCore', () => {
  const hostile = (value: unknown) => HOSTILE_VALUES.filter(({ fits }) => fits(value));

  test.each(['simd', 'wasmUrl', 'wasmBytes', 'analysisUrl', 'analysisBytes', 'workerUrl'])(
    '%s is accepted, or refused by name',
    async (name) => {
      for (const { what, make } of hostile(Symbol.iterator)) {
        const opened = await (name === 'workerUrl' ? createLab : loadCore)({ [name]: make(null as never) }).then(
          (made) => made.dispose(),
          (error: unknown) => error,
        );
        if (opened !== undefined) {
          expect(opened, what).toBeInstanceOf(TiedError);
          expect((opened as TiedError).message, what).toContain(`options.${name}`);
        }
      }
    },
    60_000,
  );

  test('cannot be a Map, promise or class instance, and errors in their getters are rethrown', async () => {
    const thrown = new Error('of a caller');
    const failing = {
      get simd(): never {
        throw thrown;
      },
    };
    for (const open of [loadCore, createLab]) {
      for (const wrong of [new Map(), Promise.resolve({}), new (class Options {})(), revoked({}), 5]) {
        await expect(open(wrong as never)).rejects.toThrow(/^options is .*; expected an? .*object with /);
      }
      await expect(open(failing)).rejects.toBe(thrown);
    }
    expect(errorOf(() => isSupported(new Map() as never)).message).toMatch(/^options is a Map; expected/);
    expect(errorOf(() => softmaxRows(revoked({}) as never)).message).toMatch(
      /^logits is a revoked Proxy; expected a matrix/,
    );
  });
});

test('messages name built-in types, and never a class, because minifiers shorten class names', () => {
  class Whatever {}
  expect(describeValue(new Whatever())).toBe('an object');
  expect(describeValue(Object.create(null))).toBe('an object');
  expect([new Map(), new URL('https://a.b'), new Date(0)].map(describeValue)).toEqual(['a Map', 'a URL', 'a Date']);
  const tokenizer = core.trainTokenizer('ab', { kind: 'character' });
  expect(errorOf(() => core.symmetry(tokenizer as never)).message).toMatch(/^square is an object; expected/);
});

test('every value can be described', () => {
  const described = HOSTILE_VALUES.map(({ make, fits }) => {
    const honest = [Uint8Array.of(1, 2, 3), { rows: 1, cols: 1, data: new Float32Array(1) }, null].find(fits);
    return describeValue(make(honest as never));
  });
  for (const text of described) expect(text).toMatch(/^.{1,100}$/s);
  expect(described).toContain('a Promise (is an await missing?)');
  expect(described).toContain('a revoked Proxy');
  expect(described).toContain('a Uint8Array whose buffer was transferred or has shrunk');
});
