// A failing case of a fuzzer is made as simple as it can be, and the script that is printed fails too.
import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { runVerb } from '../../command/experiment-verbs.mjs';
import { TiedCore } from '../../web/core/core.js';
import { createLab, loadCore, type Core, type ExperimentRecords, type Trainer } from '../../web/index.js';
import { CallFuzzer } from '../fuzz/calls.js';
import { CheckpointFuzzer, FORMAT_NAMES } from '../fuzz/checkpoints.js';
import { Recorder, shrink, type Choices } from '../fuzz/choices.js';
import { Draw } from '../fuzz/draw.js';
import { EXPERIMENT_NAMES, ExperimentFuzzer } from '../fuzz/experiments.js';
import { FileFuzzer, READER_NAMES } from '../fuzz/files.js';
import { CHECKPOINT_GRAMMAR } from '../fuzz/files/checkpoint-grammar.js';
import { READERS } from '../fuzz/files/readers.js';
import { VERDICT_GRAMMAR } from '../fuzz/files/verdict-grammar.js';
import { spoil } from '../fuzz/hostile/spoil.js';
import { LabFuzzer } from '../fuzz/labs.js';
import { GRAMMAR, newTable, VERB_NAMES, type Report } from '../fuzz/session.js';
import { gistOf, shrunkScript } from '../fuzz/shrinking.js';
import { Writer } from '../fuzz/source.js';
import { Fault } from '../fuzz/verdict.js';
import { VERDICT_KINDS, VerdictFuzzer } from '../fuzz/verdicts.js';

const LONG = 120_000;
/** For those that need not be the smallest. */
const SHORT = 3000;

type Case = Record<string, unknown>;
const drawn = (draw: Draw): Case =>
  draw.some({ name: () => draw.whole(0, 2 ** 53 - 1), rate: () => draw.whole(0, 1000), ids: () => draw.list(draw.whole(0, 9), () => draw.whole(0, 99)) }, 0.8); // prettier-ignore

test('choices are left out and lowered until nothing else fails', async () => {
  const fails = ({ rate = 0, ids = [] }: { rate?: number; ids?: number[] }): boolean =>
    rate >= 17 && ids.some((id) => id > 7);
  let shrunk = 0;
  for (let seed = 0; seed < 20; seed++) {
    const repeat = (choices: Choices | null): [Case, Choices] => {
      const recorder = new Recorder(choices).begin(new Draw(seed));
      return [drawn(recorder), recorder.made];
    };
    const [first, made] = repeat(null);
    expect(first).toEqual(drawn(new Draw(seed)));
    expect(repeat(made)[0]).toEqual(first);
    if (!fails(first)) continue;
    const attempt = async (choices: Choices): Promise<Choices | null> => {
      const [one, same] = repeat(choices);
      return fails(one) ? same : null;
    };
    expect(repeat(await shrink(made, attempt))[0]).toEqual({ rate: 17, ids: [8] });
    shrunk++;
  }
  expect(shrunk).toBeGreaterThan(5);
});

/** Runs a printed script and returns what its last line returned. */
async function ran(script: string | null): Promise<unknown> {
  const lines = script!.split('\n').filter((line) => !line.startsWith('//'));
  const last = lines.pop()!.replace(/^const \w+ = /, '');
  const body = [...lines, `return ${last}`].join('\n');
  const run = compileFunction(`return (async () => { ${body} })()`, ['loadCore', 'createLab']) as (...all: unknown[]) => unknown; // prettier-ignore
  return run(loadCore, createLab);
}

/** What `make` prints for the first fault in an episode. */
async function printed(
  make: (report: Report) => { episode(seed: number, episode: number, to: number, from: number): Promise<void> },
  { cases, inOrder, ...other }: { cases: number; inOrder: boolean; load?: string; limitMs?: number },
): Promise<string | null> {
  const faults: { verb: string; number: number; message: string }[] = [];
  const onFault: Report['onFault'] = (verb, number, { message }) => void faults.push({ verb, number, message });
  await make({ onFault }).episode(1, 0, cases, 0);
  const failing = { seed: 1, episode: 0, ...faults[0]! };
  const again = (report: Report) => {
    const fuzzer = make(report);
    return { inOrder, episode: (...all: [number, number, number, number]) => fuzzer.episode(...all) };
  };
  return shrunkScript(failing, again, { load: 'loadCore()', limitMs: LONG, ...other });
}

/** Runs `act` while `holder[name]` is something else. */
async function instead<T>(holder: object, name: string, by: unknown, act: () => Promise<T>): Promise<T> {
  const fields = holder as Record<string, unknown>;
  const before = fields[name];
  fields[name] = by;
  try {
    return await act();
  } finally {
    fields[name] = before;
  }
}

describe('the script of the simplest failing', { timeout: LONG }, () => {
  const large = (value: unknown): string | null => ((value as { rows: number }).rows >= 3 ? 'too large' : null);
  const { randomMarkovChain } = GRAMMAR.core;
  const verbs = ['core.randomMarkovChain', 'core.align'];
  const table = newTable(VERB_NAMES);

  test('call has its smallest arguments, and fails', async () => {
    const script = await instead(randomMarkovChain!, 'gives', large, () =>
      printed((report) => new CallFuzzer(report, table, verbs), { cases: 100, inOrder: true }),
    );
    expect(script).toBe(
      [
        'const core = await loadCore();',
        'await core.randomMarkovChain({ states: 3, seed: 0 });',
        '// core.randomMarkovChain: returned something of another shape: too large',
      ].join('\n'),
    );
    expect(large(await ran(script))).toBe('too large');
  });

  test('call of an object comes after those that make the object', async () => {
    const many = (value: unknown): string | null => ((value as unknown[]).length >= 3 ? 'too many' : null);
    const script = await instead(GRAMMAR.tokenizer.encode!, 'gives', many, () =>
      printed((report) => new CallFuzzer(report, table, ['tokenizer.encode']), { cases: 200, inOrder: true }),
    );
    expect(script).toMatch(
      /^const core = await loadCore\(\);\nconst made2 = await core\.(trainTokenizer|loadTokenizer)\(.*\);\n/,
    );
    expect(script!.split('\n').length).toBeLessThan(6);
    expect(many(await ran(script))).toBe('too many');
  });

  test('call of a lab fails on a lab', async () => {
    const script = await instead(randomMarkovChain!, 'gives', large, () =>
      printed((report) => new LabFuzzer(report, table, verbs), {
        cases: 60,
        inOrder: true,
        load: 'createLab()',
        limitMs: SHORT,
      }),
    );
    expect(script).toMatch(/^const core = await createLab\(\);\n/);
    expect(large(await ran(script))).toBe('too large');
  });

  test('file is written as bytes, and fails', async () => {
    const wide = (trainer: Trainer): boolean => trainer.model.vocabSize > 2;
    const use = (_: Core, trainer: Trainer): void => {
      if (wide(trainer)) throw new Fault('too wide');
    };
    const script = await instead(READERS.loadTrainer!, 'use', use, () =>
      printed((report) => new FileFuzzer(report, newTable(READER_NAMES), ['loadTrainer']), {
        cases: 40,
        inOrder: false,
      }),
    );
    expect(wide((await ran(script)) as Trainer)).toBe(true);
  });

  test('model with a false verdict is written as files, and gets that verdict', async () => {
    const kind = VERDICT_KINDS[0]!;
    const grammar = VERDICT_GRAMMAR[kind];
    const wrong = (draw: Draw): object => ({ ...grammar(draw), truth: false, mustTell: false });
    const script = await instead(VERDICT_GRAMMAR, kind, wrong, () =>
      printed((report) => new VerdictFuzzer(report, newTable(VERDICT_KINDS), [kind]), {
        cases: 40,
        inOrder: false,
        limitMs: SHORT,
        load: "loadCore({ modules: ['checkpoint'] })",
      }),
    );
    expect(script).toContain('// ');
    const { tying } = (await ran(script)) as { tying: { tied: boolean } };
    expect(tying.tied).toBe(true);
  });

  test('checkpoint is written as bytes, and is refused', async () => {
    const grammar = CHECKPOINT_GRAMMAR.safetensors;
    /** Without their last byte, such files are not valid, though the grammar says that they are. */
    const cut: typeof grammar = (draw) => {
      const sample = grammar(draw);
      return { ...sample, files: sample.files.map(({ name, bytes }) => ({ name, bytes: bytes.slice(0, -1) })) };
    };
    const script = await instead(CHECKPOINT_GRAMMAR, 'safetensors', cut, () =>
      printed((report) => new CheckpointFuzzer(report, newTable(FORMAT_NAMES), ['safetensors']), {
        cases: 40,
        inOrder: false,
        load: "loadCore({ modules: ['checkpoint'] })",
      }),
    );
    expect(script).toMatch(
      /^const core = await loadCore\(.*\);\nawait core\.openCheckpoint\(.*\);\n\/\/ safetensors: refused a valid file/,
    );
    // One table of one column.
    expect(script!.match(/shape\\":\[\d+,\d+\]/g)).toEqual([expect.stringContaining(',1]')]);
    await expect(ran(script)).rejects.toMatchObject({ code: 'bad-file' });
  });

  /** The script of the simplest experiment, or the simplest arguments, of that name that fail. */
  const ofExperiment = (name: string): Promise<string | null> =>
    printed((report) => new ExperimentFuzzer(report, newTable(EXPERIMENT_NAMES), [name]), {
      ...{ cases: 40, inOrder: false, limitMs: LONG },
    });

  test('experiment has two runs if one with two fails', async () => {
    const { runExperiment } = TiedCore.prototype;
    const wrong = async function (this: TiedCore, ...given: Parameters<typeof runExperiment>): Promise<unknown> {
      const found = await runExperiment.apply(this, given);
      return found.runs.length < 2 ? found : null;
    };
    const script = await instead(TiedCore.prototype, 'runExperiment', wrong, () => ofExperiment('runExperiment'));
    expect(script).toMatch(
      /^const core = await loadCore\(\);\nawait core\.runExperiment\(\{ name: .*\);\n\/\/ runExperiment: /,
    );
    expect(((await ran(script)) as ExperimentRecords).runs).toHaveLength(2);
  });

  test('arguments of a command are written as a line of a shell', async () => {
    /** Its limits are read only if it is given. */
    const jobs = {
      ...runVerb.flags['jobs']!,
      get least(): number {
        throw new TypeError('no jobs');
      },
    };
    const script = await instead(runVerb.flags, 'jobs', jobs, () => ofExperiment('experiment run'));
    expect(script).toMatch(/^tied-embeddings experiment run .*--jobs/);
    expect(script).toMatch(/\n\/\/ experiment run: threw what is no refusal: TypeError: no jobs$/);
  });
});

test('hostile values are written as code that can be run', () => {
  const noted: string[] = [];
  for (let seed = 0; seed < 3000; seed++) {
    const draw = new Draw(seed);
    const args: unknown[] = [{ rows: 2, data: Float32Array.of(1, 2), name: 'x', on: () => 1, signal: new AbortController().signal }, 3]; // prettier-ignore
    const tricks = {
      throw: (): never => {
        throw new Error('own');
      },
      reenter: () => undefined,
    };
    spoil(draw, args, ['matrix', 'steps'], tricks);
    const writer = new Writer();
    const text = writer.finishedNow(writer.of(args));
    if (text.includes('cannot be written')) noted.push(text);
    expect(() => void compileFunction(`return async () => (${text})`), text).not.toThrow();
  }
  expect(noted.length).toBeLessThan(150);
});

test('faults with the same gist differ only in names and numbers', () => {
  const gist = gistOf('trainer.run', "threw what is no TiedError: TypeError: x of 'a' (at line 3)");
  expect(gistOf('trainer.run', "threw what is no TiedError: TypeError: y of 'b'")).toBe(gist);
  expect(gistOf('trainer.run', 'threw what is no TiedError: RangeError')).not.toBe(gist);
  expect(gistOf('trainer.save', 'threw what is no TiedError: TypeError')).not.toBe(gist);
});
