/** What a lab promises about arguments that lie, break or change, wherever it runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';
import { createLab, loadCore, type Lab } from '../../../web/index.js';
import { HOSTILE_VALUES } from '../core/hostile-values.js';
import {
  callOn,
  comparable,
  labSubjectOf,
  placesIn,
  replaceAt,
  subjectOf,
  verbCalls,
  type LabSubject,
  type Subject,
  type VerbCall,
} from '../core/verbs.js';
import { rejection } from './lab-tests.js';

const core = await loadCore({ modules: OPTIONAL_MODULES });
const files = (() => {
  const { trainer, tokenizer } = subjectOf(core);
  return { trainer: trainer.save(), tokenizer: tokenizer.save() };
})();
const CALLS = verbCalls(files);
const named = CALLS.map((call, i) => [`${call.on}.${call.verb} (${i})`, call] as const);
/** Verbs that change a trainer. */
const CHANGING = ['run', 'setMatrix', 'rewind'];

/** The outcome of a call. For an error: its kind and what is wrong, not what was expected. */
async function outcome(subject: Subject | LabSubject, call: VerbCall, args: unknown[]): Promise<unknown> {
  try {
    return { answer: await comparable(await (callOn(subject, call, args) as Promise<unknown>)) };
  } catch (error) {
    const { name, code, message } = error as { name: string; code: string; message: string };
    return { name, code, wrong: message.replace(/; expected .*| after \d+ of .*| before it .*/s, '') };
  }
}

/** Each test makes many calls, and the machine may be busy. */
const LIMIT = { timeout: 120_000 };

export function testHostile(): void {
  let lab: Lab;
  beforeAll(async () => {
    lab = await createLab();
  });
  afterAll(() => lab.dispose());

  test.each(named)('%s returns and refuses the same as in the core', LIMIT, async (_, call) => {
    const both = async (): Promise<[Subject, LabSubject]> => [subjectOf(core), await labSubjectOf(lab)];
    let subjects = await both();
    for (const [path, value] of placesIn(call.args())) {
      for (const { what, fits, make } of HOSTILE_VALUES) {
        if (!fits(value)) continue;
        if (CHANGING.includes(call.verb)) {
          for (const { dispose } of subjects) dispose();
          subjects = await both();
        }
        const spoilt = () => replaceAt(call.args(), path, make as (value: unknown) => unknown);
        const expected = await outcome(subjects[0], call, spoilt());
        const place = `${call.verb}: ${path.join('.')} is ${what}`;
        expect(await outcome(subjects[1], call, spoilt()), place).toEqual(expected);
      }
    }
  });

  test.each(named)('%s rethrows unchanged what a getter of its caller throws', LIMIT, async (_, call) => {
    const subject = await labSubjectOf(lab);
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
      await expect(callOn(subject, call, args), path.join('.')).rejects.toBe(thrown);
    }
    expect(await subject.tokenizer.decode(await subject.tokenizer.encode('the cat'))).toBe('the cat');
  });

  test.each(named)('%s reads each field of its arguments once, and before it returns', LIMIT, async (_, call) => {
    const subjects = [subjectOf(core), await labSubjectOf(lab)] as const;
    const expected = await outcome(subjects[0], call, call.args());
    const reads = new Map<string, number>();
    let returned = false;
    const watched = (value: unknown, path: string): unknown => {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof AbortSignal) {
        return value;
      }
      return new Proxy(value, {
        get(target, name) {
          expect(returned, `${path}.${String(name)}`).toBe(false);
          const field = `${path}.${String(name)}`;
          reads.set(field, (reads.get(field) ?? 0) + 1);
          return watched((target as Record<PropertyKey, unknown>)[name], field);
        },
      });
    };
    const answer = outcome(
      subjects[1],
      call,
      call.args().map((argument, i) => watched(argument, String(i))),
    );
    returned = true;
    expect(await answer).toEqual(expected);
    expect([...reads].filter(([, count]) => count > 1)).toEqual([]);
  });

  test.each(named)('%s is not affected by changes to its arguments after the call', LIMIT, async (_, call) => {
    const subjects = [subjectOf(core), await labSubjectOf(lab)] as const;
    const run = { on: 'trainer', verb: 'run', args: () => [50] } as const;
    // What changes a trainer waits for this.
    void callOn(subjects[1], run, [50]);
    if (CHANGING.includes(call.verb)) callOn(subjects[0], run, [50]);
    else await callOn(subjects[1], run, [0]);
    if (call.on === 'trainer' && !CHANGING.includes(call.verb)) callOn(subjects[0], run, [50]);
    const expected = await outcome(subjects[0], call, call.args());
    const args = call.args();
    const answer = outcome(subjects[1], call, args);
    for (const [, value] of placesIn(args)) {
      if (ArrayBuffer.isView(value)) {
        const array = value as Uint8Array<ArrayBuffer>;
        array.fill(200);
        structuredClone(array, { transfer: [array.buffer] });
      } else if (typeof value === 'object' && value !== null && !(value instanceof AbortSignal)) {
        for (const name of Object.keys(value)) (value as Record<string, unknown>)[name] = null;
      }
    }
    expect(await answer).toEqual(expected);
  });

  test('a configuration may contain a tokenizer', async () => {
    const config = { model_type: 'gpt2', vocab_size: 100, n_embd: 8, n_layer: 1, n_head: 2, n_positions: 16 };
    for (const tokenizer of ['x', {}, { handle: 1 }, null, 5]) {
      expect(await lab.importConfig({ ...config, tokenizer })).toEqual(core.importConfig({ ...config, tokenizer }));
    }
  });

  test('refuses values that cannot be copied, naming the argument', async () => {
    const error = await rejection(lab.writeStories({ seed: 1, length: () => 5 } as never));
    expect(error.message).toMatch(/^options\.length is a function; expected an integer/);
    const awaited = await rejection(lab.trainTokenizer('abc', Promise.resolve({ kind: 'bpe' }) as never));
    expect(awaited.message).toMatch(
      /^options is a Promise \(is an await missing\?\); expected a plain object with kind/,
    );
  });

  test('a run that is cancelled while it waits its turn is rejected at once, and the others keep their order', async () => {
    const { trainer } = await labSubjectOf(lab);
    const controller = new AbortController();
    const first = new AbortController();
    const long = rejection(trainer.run(50_000_000, { recordEvery: 50_000_000, signal: first.signal }));
    const waiting = rejection(trainer.run(1, { signal: controller.signal }));
    const later = trainer.rewind(0);
    await trainer.parameters();
    controller.abort();
    // The first run is still going, and is cancelled only afterwards.
    expect((await waiting).message).toBe('the run was cancelled after 0 of 1 steps');
    first.abort();
    expect((await long).code).toBe('cancelled');
    await later;
    expect(trainer.step).toBe(0);
  });

  test('a run that is cancelled while it waits for readers of its trainer is rejected at once', async () => {
    const { trainer } = await labSubjectOf(lab);
    const [reading, running] = [new AbortController(), new AbortController()];
    const written = rejection(trainer.generate({ prompt: 'the', tokens: 9_000_000, signal: reading.signal }));
    const run = rejection(trainer.run(5, { signal: running.signal }));
    await trainer.parameters();
    running.abort();
    expect((await run).message).toBe('the run was cancelled after 0 of 5 steps');
    reading.abort();
    expect((await written).code).toBe('cancelled');
    expect(await trainer.run(1)).toHaveLength(1);
  });
}
