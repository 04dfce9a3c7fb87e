// The command's `replay` in a user's folder, and its script if PyTorch is installed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRefused, runCommand, scriptOf, type Ended } from './command-run.js';
import { root } from '../../tools/lib/root.mjs';
import { expectsPython, pythonWith } from '../../tools/setup/judges.mjs';
import { packPackage, type PackedPackage } from './packed.js';

interface Replayed {
  version: string;
  engine: string;
  step: number;
  text: { name: string | null; tokens: number };
  models: { name: string; weights: string; losses: number[]; evaluation: { loss: number } }[];
  files?: string[];
}

interface MeasuredPair {
  seed: number;
  steps: number[];
  models: {
    name: string;
    moments: {
      step: number;
      weights: string;
      drawn: Record<string, number>;
      report: { inputPositionShare: number; bands: unknown[] };
    }[];
  }[];
}

const directPaths =
  'https://example.org/#tied=lab&arms=tied+untied+tied-linear+tied-mlp&d-model=8&vocab-size=100&steps=60';
const transformers =
  '#tied=gpt&model=transformer&text-source=stories&story-length=20000&arms=tied+untied&vocab-size=300&d-model=32&n-layers=2&n-heads=4&context-length=16&batch-size=8&steps=60&seed=3';
const changing =
  '#tied=gpt&model=transformer&text-source=stories&story-length=20000&arms=untied-by-share+tied-low-rank&untie-below=0.45&vocab-size=300&d-model=32&n-layers=1&n-heads=2&context-length=16&batch-size=8&steps=60&embedding-scale=sqrt-d-model&input-gradient-scale=2';
const changingTwice = changing
  .replace('untied-by-share', 'untied-between')
  .replace('untie-below=0.45', 'untie-at-step=20&tie-at-step=45');
const heads = '#tied=h&by=steps&steps=20&vocab-size=300&d-model=16&tokenizer=word';
/** The models of the article. */
const models = join(root, 'web/article/assets/finished-transformers.safetensors');
/** Milliseconds, for tests that take half a minute by themselves. */
const patience = 300_000;
/** Enough steps for a signal to arrive before the last one. */
const long = '#tied=lab&arms=tied+untied&d-model=4&vocab-size=60&steps=9000&seed=5';

let packed: PackedPackage;
let folder: string;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => {
  packed.remove();
});
beforeEach(() => {
  folder = mkdtempSync(join(packed.folder, 'replay-'));
});

const run = (...words: string[]): Ended => runCommand(packed, ['replay', ...words], { cwd: folder });
const json = (...words: string[]): Replayed => {
  const { status, stdout, stderr } = run(...words, '--json', '--quiet');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Replayed;
};

describe('replay', () => {
  test('prints the losses and the weights, as text and as JSON, the same both times', () => {
    const once = json(directPaths);
    expect(json(directPaths)).toEqual(once);
    expect(once).toMatchObject({ engine: 'wasm-simd128', step: 60, text: { name: 'A year in New York' } });
    expect(once.models.map(({ losses }) => losses.length)).toEqual([60, 60, 60, 60]);
    const { status, stdout, stderr } = run(directPaths);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^4 models to step 60/);
    for (const { weights, evaluation } of once.models) {
      expect(stdout).toContain(weights);
      expect(stdout).toContain(String(evaluation.loss));
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('repeats a run on the reader’s own text only if the text is given again', () => {
    const link = '#tied=lab&text-source=own&tokenizer=character&arms=tied&d-model=4&steps=5';
    writeFileSync(join(folder, 'mine.txt'), Buffer.from('caf\u00e9, naïve. '.repeat(50), 'latin1'));
    expectRefused(run(link), /a reader's own text.*expected --text FILE/);
    const { text } = json(link, '--text', 'mine.txt');
    expect(text).toMatchObject({ name: 'mine.txt', tokens: 650 });
    expectRefused(run(directPaths, '--text', 'mine.txt'), /--text was given; expected none/);
    expectRefused(run(link, '--text', 'none.txt'), /none\.txt cannot be read/);
    writeFileSync(join(folder, 'one.txt'), 'aaaa');
    expectRefused(run(link, '--text', 'one.txt'), /one\.txt has only one token/);
    const context =
      '#tied=gpt&model=transformer&text-source=own&tokenizer=character&arms=tied+untied&context-length=200';
    writeFileSync(join(folder, 'short.txt'), 'a short text '.repeat(10));
    expectRefused(run(context, '--text', 'short.txt'), /length is 117; expected more tokens than the context, 200/);
  });

  test.each([
    ['https://example.org/', /is not a link of a figure/],
    ['https://example.org/#tied=lab', /ends after tied=lab; expected the whole link, in quotes/],
    [
      '#tied=calculator&model=gpt2',
      /the figure 'calculator', which neither trains nor measures by itself; the links that can be repeated are those of/,
    ],
    ['#tied=lab&arms=tied&d-model=0', /the link to 'lab' cannot be repeated: d-model is 0/],
  ])('refuses %s', (link, said) => {
    expectRefused(run(link), said);
  });

  test('repeats what a figure measures on a pair of models during training', { timeout: patience }, () => {
    const { seed, steps, models } = measuredPair().found;
    expect({ seed, steps }).toEqual({ seed: 3, steps: [0, 5, 10, 20, 50, 100] });
    expect(models.map(({ name }) => name)).toEqual(['tied', 'untied']);
    for (const { moments } of models) {
      expect(moments.map(({ step }) => step)).toEqual(steps);
      expect(new Set(moments.map(({ weights }) => weights)).size).toBe(steps.length);
      for (const { drawn, report } of moments) {
        expect(drawn['share of writing']).toBe(1 - report.inputPositionShare);
        expect(report.bands.length).toBeGreaterThan(1);
      }
    }
    expectRefused(
      run('#tied=g&definition=token', '--text', 'x.txt'),
      /--text was given; expected none, since the models/,
    );
    expectRefused(run('#tied=g&definition=token', '--pytorch', 'x'), /expected a name that ends with \.py/);
    expectRefused(run('#tied=g&definition=both'), /the link to 'g' cannot be repeated: definition has no choice named/);
  });

  test('trains the encoder-decoders of a figure, on a task and on pairs of the reader’s own', () => {
    const link = '#tied=three-tables&task=sorting&length=3&steps=20&tyings=all+none&seed=4';
    const once = run(link, '--json', '--quiet');
    expect({ status: once.status, stderr: once.stderr }).toEqual({ status: 0, stderr: '' });
    expect(run(link, '--json', '--quiet').stdout).toBe(once.stdout);
    const { step, models } = JSON.parse(once.stdout) as {
      step: number;
      models: { tying: string; loss: number; tableParameters: number; weights: string; norms: { encoder: number[] } }[];
    };
    expect({ step, tyings: models.map(({ tying }) => tying) }).toEqual({ step: 20, tyings: ['all', 'none'] });
    expect(models[1]!.tableParameters).toBe(3 * models[0]!.tableParameters);
    expect(models[0]!.norms.encoder).toHaveLength(20);
    const { stdout } = run(link);
    for (const { weights, loss } of models) {
      expect(stdout).toContain(weights);
      expect(stdout).toContain(String(loss));
    }
    writeFileSync(join(folder, 'words.tsv'), Array.from({ length: 30 }, (_, i) => `w${i}\t${i}w\n`).join(''));
    const own = '#tied=three-tables&task=own&steps=20&tyings=decoder';
    expectRefused(run(own), /a reader's own pairs, which it does not contain; expected --text FILE/);
    expect(run(own, '--text', 'words.tsv', '--json', '--quiet').status).toBe(0);
    writeFileSync(join(folder, 'bad.tsv'), 'a\tb\nc\n');
    expectRefused(run(own, '--text', 'bad.tsv'), /bad\.tsv: line 2 of text has no tab/);
    writeFileSync(join(folder, 'one.tsv'), 'a\tb\n');
    expectRefused(run(own, '--text', 'one.tsv'), /one\.tsv has too few pairs/);
    expectRefused(run(link, '--text', 'words.tsv'), /--text was given; expected none.*its task, sorting/);
    expectRefused(run('#tied=a&task=reversal&length=1'), /the link to 'a' cannot be repeated: length is 1/);
  });

  test('trains every head of a figure, tied and untied, for the steps of its link', () => {
    const { models } = json(heads);
    expect(models.map(({ name }) => name)).toEqual(
      ['full', 'sampled', 'adaptive', 'clustered', 'factorized', 'culled', 'ngrams'].flatMap((head) =>
        ['tied', 'untied'].map((tying) => `${head}-${tying}`),
      ),
    );
    expect(models.every(({ losses }) => losses.length === 20)).toBe(true);
    expect(new Set(models.map(({ weights }) => weights)).size).toBe(14);
    // The same again as text output. A text and a tokenizer in the link do not make the run one on a text.
    const { status, stdout } = run(`${heads}&text-source=stories`, '--quiet');
    expect(status).toBe(0);
    for (const { weights, evaluation } of models) {
      expect(stdout).toContain(weights);
      expect(stdout).toContain(String(evaluation.loss));
    }
    expect(stdout.match(/cannot be predicted/g)).toHaveLength(2);
    expect(readdirSync(folder)).toEqual([]);
    const own = `${heads}&text-source=own`;
    expectRefused(run(own), /a reader's own text, which it does not contain; expected --text FILE/);
    writeFileSync(join(folder, 'short.txt'), 'a short text '.repeat(10));
    expectRefused(run(own, '--text', 'short.txt'), /short\.txt is too short/);
    expectRefused(run(heads, '--text', 'short.txt'), /--text was given; expected none.*stories/);
    expectRefused(run(heads, '--pytorch', 'x'), /expected a name that ends with \.py/);
    expectRefused(run(`${heads}&share=0`), /the link to 'h' cannot be repeated: share is 0/);
  });

  test('measures models and texts like the figures, the same both times', () => {
    const link = '#tied=whose&method=orthogonal';
    const again = run(link, '--models', models, '--quiet', '--json').stdout;
    expect(run(link, '--models', models, '--quiet', '--json').stdout).toBe(again);
    const { drawn } = JSON.parse(again) as { drawn: Record<string, number> };
    const linear = run('#tied=whose&method=linear', '--models', models, '--quiet', '--json').stdout;
    const { drawn: drawnLinear } = JSON.parse(linear) as { drawn: Record<string, number> };
    for (const pair of ['writing to tied', 'reading to tied', 'reading to writing']) {
      const [cosine, byChance] = [drawn[`${pair}, cosine`]!, drawn[`${pair}, cosine by chance`]!];
      expect(cosine, pair).toBeGreaterThan(byChance);
      // A rotation is one of the linear maps.
      expect(drawnLinear[`${pair}, cosine`], pair).toBeGreaterThan(cosine);
    }
    const { status, stdout } = run('#tied=b&text-source=a-year-in-new-york&tokenizer=character', '--quiet');
    expect(status).toBe(0);
    expect(stdout).toMatch(/Jensen-Shannon divergence +0\.\d+\n/);
  });

  test.each<[string[], RegExp]>([
    [['#tied=whose&method=linear'], /measures trained models, which are not in its link; expected --models/],
    [['#tied=whose&method=linear', '--models', 'none.safetensors'], /none\.safetensors cannot be read: ENOENT/],
    [['#tied=whose&method=linear', '--models', 'claim.txt'], /the models cannot be measured: it does not hold/],
    [['#tied=whose&method=linear', '--models', models, '--text', 'claim.txt'], /--text was given; expected none/],
    [['#tied=lens&lens=logit&prompt=', '--models', models], /its prompt has too few tokens/],
    [['#tied=b&text-source=own&tokenizer=word'], /expected --text FILE/],
    [['#tied=b&text-source=stories&tokenizer=word', '--text', 'claim.txt'], /the link names its text, stories/],
    [['#tied=lab&arms=tied&d-model=4', '--models', models], /--models was given; expected none/],
  ])('refuses %j', (words, said) => {
    writeFileSync(join(folder, 'claim.txt'), 'No models, but a text.');
    expectRefused(run(...words, '--quiet'), said);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGUSR1', 'SIGUSR2', 'SIGKILL'] as const)(
    'resumes to the same bits after %s',
    async (signal) => {
      const child = spawn(process.execPath, [scriptOf(packed), 'replay', long], { cwd: folder });
      const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
      child.stderr.once('data', () => child.kill(signal));
      expect(await ended).toBe(signal === 'SIGKILL' ? null : 75);
      expect(readdirSync(folder).every((name) => /^replay-[0-9a-f]{16}-(tied|untied)\.state$/.test(name))).toBe(true);
      const { models } = json(long);
      expect(models.map(({ losses }) => losses.length)).toEqual([9000, 9000]);
      whole ??= runWhole();
      expect(models).toEqual(whole);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

/** The long run, uninterrupted. */
let whole: Replayed['models'] | undefined;
function runWhole(): Replayed['models'] {
  folder = mkdtempSync(join(packed.folder, 'whole-'));
  return json(long).models;
}

/** A pair of models that a figure trains and measures, with its PyTorch script; created once, since it takes as long as twenty other links. */
let pair: { found: MeasuredPair; folder: string } | undefined;
function measuredPair(): NonNullable<typeof pair> {
  if (pair !== undefined) return pair;
  folder = mkdtempSync(join(packed.folder, 'pair-'));
  const words = ['#tied=g&definition=position&seed=3', '--json', '--pytorch', 'pair.py', '--quiet'];
  const { status, stdout, stderr } = runCommand(packed, ['replay', ...words], { cwd: folder, limitMs: patience });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  pair = { found: JSON.parse(stdout) as MeasuredPair, folder };
  return pair;
}

const found = pythonWith('pytorch');
const isSkipped = 'without' in found && !expectsPython();
const title = 'without' in found ? `${found.without}, so that the script for it is not run:` : 'the script for PyTorch';
describe.skipIf(isSkipped)(title, () => {
  const python = 'python' in found ? found.python : found.without;
  const runScript = (name: string, ...words: string[]) =>
    spawnSync(python, [name, ...words], { cwd: folder, encoding: 'utf8' });

  // Its models are large for a test, so twenty steps of the hundred.
  test('trains the two models of a figure that measures a pair', { timeout: patience }, () => {
    folder = measuredPair().folder;
    expect(runScript('pair.py', '0')).toMatchObject({
      status: 1,
      stderr: "the number of steps is '0'; expected 1 to 100\n",
    });
    const script = runScript('pair.py', '20');
    // The script names the step at which losses differ.
    expect({ status: script.status, stderr: script.stderr }, script.stdout).toEqual({ status: 0, stderr: '' });
    expect(script.stdout.match(/initial weights: the same bits/g)).toHaveLength(2);
    expect(script.stdout.match(/step +20 +recorded [\d.]+ +here [\d.]+/g)).toHaveLength(2);
    expect(script.stdout).not.toMatch(/step +25 /);
    expect(script.stdout).toMatch(/the losses agree\n$/);
  });

  test.each([
    ['direct paths on all pairs', directPaths],
    ['direct paths on batches', `${directPaths}&batch-size=32&optimizer=sgd&learning-rate=0.5&output-bias=&at-step=70`],
    ['small GPTs', transformers],
    ['small GPTs whose tying changes', changing],
    ['small GPTs whose tying changes twice', changingTwice],
  ])('trains %s with the same initial weights, to losses that agree', (_, link) => {
    const { files, models, step } = json(link, '--pytorch', 'again.py');
    expect(files).toEqual(['again.py', 'again.tokens.npy']);
    const { status, stdout, stderr } = runScript('again.py');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.match(/initial weights: the same bits/g)).toHaveLength(models.length);
    const last = [...stdout.matchAll(/step +(\d+) +recorded ([\d.]+) +here ([\d.]+)/g)].filter(
      ([, at]) => Number(at) === step,
    );
    expect(last).toHaveLength(models.length);
    // Compares the record and PyTorch directly, not what the script reports about them.
    for (const [index, [, , recorded, here]] of last.entries()) {
      expect(Number(recorded)).toBeCloseTo(models[index]!.losses.at(-1)!, 5);
      expect(Math.abs(Number(here) - models[index]!.losses.at(-1)!)).toBeLessThan(0.001);
    }
    expect(stdout).toMatch(/the losses agree\n$/);
  });

  test.each([
    ['one, two and three tables of encoder-decoders', '#tied=t&task=sorting&length=4&steps=20&seed=3', 3, 'pairs'],
    ['every head, tied and untied', heads, 14, 'tokens'],
  ])('trains %s to the same losses', { timeout: patience }, (_, link, count, data) => {
    const { files } = json(link, '--pytorch', 'again.py');
    expect(files).toEqual(['again.py', `again.${data}.npy`]);
    const { status, stdout, stderr } = runScript('again.py');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.match(/initial weights: the same bits/g)).toHaveLength(count);
    expect(stdout.match(/step +20 +recorded [\d.]+ +here [\d.]+/g)).toHaveLength(count);
    expect(stdout.match(/tolerance 2e-05 to step 20/g)).toHaveLength(count);
    expect(stdout).toMatch(/the losses agree\n$/);
    // Other batches.
    const file = join(folder, 'again.py');
    writeFileSync(file, readFileSync(file, 'utf8').replace('stream_of("batches")', 'stream_of("batch")'));
    const other = runScript('again.py', '2');
    expect(other.status).toBe(1);
    expect(other.stdout).toMatch(/THE LOSSES DIFFER\n$/);
  });

  test(
    'trains the translators of a lens, equally close to the last layer after each step',
    { timeout: patience },
    () => {
      expect(run('#tied=l&lens=tuned', '--models', models, '--pytorch', 'lens.py', '--quiet').status).toBe(0);
      expect(readdirSync(folder).sort()).toEqual(['lens.models.safetensors', 'lens.py', 'lens.tokens.npy']);
      const { status, stdout, stderr } = runScript('lens.py', '3');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      // Two models with four layers before the last layer.
      expect(stdout.match(/, step \d, layer \d, mean bits: recorded/g)).toHaveLength(3 * 2 * 4);
      expect(stdout).toMatch(/the values agree\n$/);
      // Other sequences.
      const file = join(folder, 'lens.py');
      writeFileSync(file, readFileSync(file, 'utf8').replace('0x9E3779B9', '0x8E3779B9'));
      const other = runScript('lens.py', '3');
      expect(other.status).toBe(1);
      expect(other.stdout).toMatch(/THE VALUES DIFFER\n$/);
    },
  );

  test.each([
    ['alignment', '#tied=w&method=linear', ['--models', models]],
    ['rotated tables', '#tied=w&method=orthogonal&center=as-is', ['--models', models]],
    ['hidden states', '#tied=h&target=predicted&place=before', ['--models', models]],
    ['hidden states and what follows', '#tied=h&target=next', ['--models', models]],
    ['lenses', '#tied=l&lens=logit', ['--models', models]],
    ['pairs of a text', '#tied=b&text-source=stories&tokenizer=word&text-order=backwards', []],
  ])('measures %s, and reports a value that differs', (_, link, more) => {
    expect(run(link, ...more, '--pytorch', 'again.py', '--quiet').status).toBe(0);
    const { status, stdout, stderr } = runScript('again.py');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/the values agree\n$/);
    const file = join(folder, 'again.py');
    const script = readFileSync(file, 'utf8');
    // The first value of the record, slightly increased.
    const spoiled = script.replace(
      /("values": \{"[^"]+":)(-?[\d.e-]+)/,
      (_, name: string, value: string) => `${name}${Number(value) + 0.01}`,
    );
    expect(spoiled).not.toBe(script);
    writeFileSync(file, spoiled);
    const again = runScript('again.py');
    expect(again.status).toBe(1);
    expect(again.stdout).toMatch(/THE VALUES DIFFER\n$/);
  });

  test('fails with a message if the losses differ', () => {
    json(transformers, '--pytorch', 'again.py');
    const file = join(folder, 'again.py');
    const script = readFileSync(file, 'utf8');
    writeFileSync(file, script.replace('math.sqrt(d // heads)', 'math.sqrt(d)'));
    const { status, stdout } = runScript('again.py');
    expect(status).toBe(1);
    expect(stdout).toMatch(/more than 0\.001[\s\S]*THE LOSSES DIFFER\n$/);
  });
});
