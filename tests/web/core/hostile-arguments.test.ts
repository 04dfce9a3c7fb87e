import { beforeAll, describe, expect, test } from 'vitest';
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';
import { loadCore, TiedError, type Core } from '../../../web/index.js';
import { HOSTILE_VALUES } from './hostile-values.js';
import { callOn, comparable, placesIn, replaceAt, subjectOf, verbCalls, type VerbCall } from './verbs.js';

const made = await loadCore({ modules: OPTIONAL_MODULES });
const files = (() => {
  const { trainer, tokenizer } = subjectOf(made);
  return { trainer: trainer.save(), tokenizer: tokenizer.save() };
})();
const CALLS = verbCalls(files);

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: OPTIONAL_MODULES });
});

/** The result or error of a call, on a core or a fresh handle. */
async function outcome(call: VerbCall, args: unknown[]): Promise<{ answer: unknown } | { error: unknown }> {
  const subject = subjectOf(core);
  try {
    return { answer: await comparable(callOn(subject, call, args)) };
  } catch (error) {
    return { error };
  } finally {
    subject.dispose();
  }
}

const named = CALLS.map((call, i) => [`${call.on}.${call.verb} (${i})`, call] as const);

describe('hostile arguments', () => {
  test.each(named)(
    '%s returns the correct value or refuses by name, and its core continues',
    async (_, call) => {
      const honest = await outcome(call, call.args());
      for (const [path, value] of placesIn(call.args())) {
        for (const { what, must, fits, make } of HOSTILE_VALUES) {
          if (!fits(value)) continue;
          const place = `${call.verb}: ${path.join('.')} is ${what}`;
          const found = await outcome(call, replaceAt(call.args(), path, make as (value: unknown) => unknown));
          if ('error' in found) {
            expect(found.error, place).toBeInstanceOf(TiedError);
            const { message, code } = found.error as TiedError;
            expect(message, place).toMatch(/; expected |model_type is missing; known are |was cancelled after 0 of/);
            expect(message, place).not.toMatch(/the core stopped/);
            expect(code, place).not.toBe('disposed');
          }
          if (must === 'refuse') expect(found, place).toHaveProperty('error');
          if (must === 'answer') expect(found, place).toEqual(honest);
        }
      }
      expect(await outcome(call, call.args())).toEqual(honest);
    },
    120_000,
  );

  test.each(named)(
    '%s rethrows unchanged what a getter of its caller throws',
    async (_, call) => {
      for (const [path] of placesIn(call.args()).filter(([way]) => way.length > 1)) {
        const thrown = new Error(path.join('.'));
        const args = replaceAt(call.args(), path.slice(0, -1), (holder) =>
          Object.defineProperty(holder, path.at(-1)!, {
            enumerable: true,
            get() {
              throw thrown;
            },
          }),
        );
        const found = await outcome(call, args);
        expect((found as { error: unknown }).error, `${call.verb}: ${path.join('.')}`).toBe(thrown);
      }
    },
    120_000,
  );

  test.each(named)(
    '%s reads each field once',
    async (_, call) => {
      const honest = await outcome(call, call.args());
      const reads = new Map<string, number>();
      const watched = (value: unknown, path: string): unknown => {
        if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof AbortSignal)
          return value;
        return new Proxy(value, {
          get(target, name) {
            const field = `${path}.${String(name)}`;
            reads.set(field, (reads.get(field) ?? 0) + 1);
            return watched((target as Record<PropertyKey, unknown>)[name], field);
          },
        });
      };
      expect(
        await outcome(
          call,
          call.args().map((argument, i) => watched(argument, String(i))),
        ),
      ).toEqual(honest);
      expect([...reads].filter(([, count]) => count > 1)).toEqual([]);
    },
    120_000,
  );

  test('that detach a buffer while others are read are refused by name', async () => {
    const call = CALLS.find(({ verb }) => verb === 'directPath')!;
    const [factors] = call.args() as [{ embedding: { data: Float32Array<ArrayBuffer> }; between: unknown }];
    const { between } = factors;
    Object.defineProperty(factors.embedding, 'rows', { enumerable: true, value: 3 });
    Object.defineProperty(factors, 'between', {
      enumerable: true,
      value: {
        ...(between as object),
        get rows() {
          structuredClone(factors.embedding.data, { transfer: [factors.embedding.data.buffer] });
          return 2;
        },
      },
    });
    const { error } = (await outcome(call, [factors])) as { error: TiedError };
    expect(error.message).toBe(
      'embedding.data is a Float32Array whose buffer was transferred or has shrunk; ' +
        'expected a Float32Array that does not change during the call',
    );
    expect(core.symmetry({ rows: 1, cols: 1, data: Float32Array.of(1) }).symmetric).toBe(true);
  });
});
