/** Every declared verb: it has a call in the tests' list, is cancelled under its name, and frees what it holds, whatever ends it. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CORE_WORK } from '../../../web/core/api/core-verbs.js';
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';
import { startVerb, type AnyVerb } from '../../../web/core/runtime/verb.js';
import { CORPUS_WORK } from '../../../web/core/text/corpus.js';
import { TOKENIZER_WORK } from '../../../web/core/text/tokenizer.js';
import { TRAINER_WORK } from '../../../web/core/training/trainer-verbs.js';
import { loadCore } from '../../../web/index.js';
import { errorOf } from './support.js';
import { subjectOf, TEXT, trainerOptions, verbCalls } from './verbs.js';

const core = await loadCore({ modules: OPTIONAL_MODULES });
const subject = subjectOf(core);
const corpus = core.openCorpus(TEXT);
const calls = verbCalls({ trainer: subject.trainer.save(), tokenizer: subject.tokenizer.save() });
subject.trainer.run(3);
// Opens the tokenizer that the trainer keeps.
subject.trainer.evaluate();
const { pairs } = subject;
// Transformers has no other architecture of these.
const { model, ...others } = trainerOptions();
const llama = core.createTrainer({
  ...others,
  model: { ...model, biases: 'none', positions: 'rotary', feedForward: 'swiglu' },
});
const readsNgrams = core.createTrainer({ ...others, model: { ...model, ngrams: { order: 3, rows: 20, heads: 2 } } });
const targets: Readonly<Record<string, object>> = {
  evaluatePairs: pairs,
  toTransformers: llama,
  ngramCollisions: readsNgrams,
};
afterAll(() => core.dispose());

const of = (target: object, verbs: Readonly<Record<string, AnyVerb>>) =>
  Object.entries(verbs).map(([name, verb]) => ({ name, verb, target: targets[name] ?? target }));
const declared = [
  ...of(core, CORE_WORK),
  ...of(subject.trainer, TRAINER_WORK),
  ...of(subject.tokenizer, TOKENIZER_WORK),
  ...of(corpus, CORPUS_WORK),
];

/** Calls that the list lacks, because it has what to spoil in arguments. */
const OTHERS: Readonly<Record<string, unknown[]>> = {
  openCorpus: [TEXT],
  ngramCollisions: [Uint32Array.from({ length: 60 }, (_, i) => (i * i) % 7)],
  save: [],
  toSafetensors: [],
  toTransformers: [],
};

function argumentsOf(name: string, target: object): unknown[] {
  if (target === corpus) return [];
  const call = calls.find(({ verb, on }) => verb === name && subject[on] === target);
  const args = call?.args() ?? OTHERS[name]?.slice();
  if (args === undefined) throw new Error(`${name} has no call in verbs.ts`);
  return args;
}

type Declared = (typeof declared)[number];
const method = ({ name, target }: Declared, args: unknown[]): unknown =>
  (target as Record<string, (...args: unknown[]) => unknown>)[name]!(...args);
const begin = ({ name, verb, target }: Declared) => startVerb(verb, target, argumentsOf(name, target), true);

/** The verb's arguments with another option. */
function withOption({ name, verb, target }: Declared, option: object): unknown[] {
  const args = argumentsOf(name, target);
  args[verb.optionsAt] = { ...(args[verb.optionsAt] as object), ...option };
  return args;
}

let held = 0;
beforeEach(() => {
  held = 0;
  // Handles are registered while they are alive.
  const { register, unregister } = FinalizationRegistry.prototype;
  vi.spyOn(FinalizationRegistry.prototype, 'register').mockImplementation(function (this: never, ...args) {
    held++;
    register.apply(this, args);
  });
  vi.spyOn(FinalizationRegistry.prototype, 'unregister').mockImplementation(function (this: never, token) {
    held--;
    return unregister.call(this, token);
  });
});
afterEach(() => vi.restoreAllMocks());

test.each(declared)('$name gives in parts what it gives at once, and then holds nothing', (of) => {
  const job = begin(of);
  while (!job.finished) job.takeFor(0);
  const result = job.result();
  job.end();
  if (typeof result === 'object' && result !== null && 'dispose' in result) {
    (result.dispose as () => void)();
  } else if (of.name !== 'run') {
    expect(result).toEqual(method(of, argumentsOf(of.name, of.target)));
  }
  expect(held).toBe(0);
});

test.each(declared)('$name holds nothing when it is ended before its first part, or after it', (of) => {
  begin(of).end();
  expect(held).toBe(0);
  const job = begin(of);
  job.takeFor(0);
  job.end();
  job.end();
  expect(held).toBe(0);
});

const stoppable = declared.filter(({ verb }) => verb.onlyInLab === undefined);
test.each(stoppable)('$name is cancelled under its name, and then holds nothing', (of) => {
  const error = errorOf(() => method(of, withOption(of, { signal: AbortSignal.abort('enough') })));
  expect([error.code, error.cause]).toEqual(['cancelled', 'enough']);
  expect(error.message).toMatch(new RegExp(`^the ${of.verb.what} was cancelled (after 0|before it began)`));
  expect(held).toBe(0);
});

const heard = stoppable.filter(({ verb }) => verb.listener !== null);
test.each(heard)('$name passes on an error of its listener, and then holds nothing', (of) => {
  const thrown = new Error('from the listener');
  const listener = (): never => {
    throw thrown;
  };
  expect(() => method(of, withOption(of, { [of.verb.listener ?? 'onProgress']: listener }))).toThrow(thrown);
  expect(held).toBe(0);
});
