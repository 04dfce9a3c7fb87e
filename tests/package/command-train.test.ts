// The command's `train`, `evaluate` and `generate` against the package's own verbs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLab } from '../../web/index.js';
import type { Lab, LabTrainer } from '../../web/index.js';
import { expectRefused, runCommand, scriptOf, type Ended } from './command-run.js';
import { packPackage, type PackedPackage } from './packed.js';

const names = ['New', 'York', 'is', 'old', 'and', 'new'];
const text = Array.from({ length: 3000 }, (_, i) => names[(i * i + (i % 7)) % names.length]).join(' ');
/** Enough steps for a signal to arrive before the last one. */
const steps = 6000;
const asked = [
  ...['--tokenizer', 'word', '--tying', 'untied', '--d-model', '8', '--n-layers', '1', '--n-heads', '2'],
  ...['--context-length', '8', '--batch-size', '4', '--decay', 'cosine', '--seed', '3', '--steps', String(steps)],
];

let packed: PackedPackage;
let lab: Lab;
let trainer: LabTrainer;
let expected: Uint8Array;
let folder: string;
beforeAll(async () => {
  packed = packPackage();
  lab = await createLab();
  const corpus = await lab.openCorpus(text, { tokenizer: { kind: 'word' }, validation: 0.1 });
  trainer = await lab.createTrainer({
    model: {
      ...{ kind: 'transformer', tying: 'untied', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
      vocabSize: corpus.vocabSize,
    },
    training: { learningRate: 0.003, batchSize: 4, decay: 'cosine', totalSteps: steps, seed: 3 },
    tokenIds: await corpus.tokenIds('training'),
    validationTokenIds: await corpus.tokenIds('validation'),
    tokenizer: corpus.tokenizer!,
  });
  await trainer.run(steps);
  expected = await trainer.save();
});
afterAll(() => {
  lab.dispose();
  packed.remove();
});
beforeEach(() => {
  folder = mkdtempSync(join(packed.folder, 'train-'));
  writeFileSync(join(folder, 'text.txt'), text);
});

/** The options with one of them changed or added. */
function changed(flag: string, value: string): string[] {
  const at = asked.indexOf(flag);
  return at === -1 ? [...asked, flag, value] : [...asked.slice(0, at + 1), value, ...asked.slice(at + 2)];
}

const run = (...words: string[]): Ended => runCommand(packed, words, { cwd: folder });
const train = (...more: string[]): Ended => run('train', 'text.txt', '--quiet', ...asked, ...more);
const saved = (name = 'model.tied'): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));
const isExpected = (): boolean => Buffer.from(saved()).equals(Buffer.from(expected));

describe('train', () => {
  test('saves the same trainer as the verbs, to the bit', async () => {
    const { status, stdout, stderr } = train('--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(isExpected()).toBe(true);
    expect(existsSync(join(folder, 'model.tied.state'))).toBe(false);
    expect(JSON.parse(stdout)).toMatchObject({ steps, evaluation: await trainer.evaluate() });
  });

  test('unties and ties again in one run', async () => {
    const sizes = [
      '--tokenizer',
      'word',
      '--d-model',
      '8',
      '--n-layers',
      '1',
      '--n-heads',
      '2',
      '--context-length',
      '8',
    ];
    const changes = ['--tie-at-step', '20', '--untie-at-step', '10'];
    expect(run('train', 'text.txt', '--quiet', ...sizes, '--batch-size', '4', '--steps', '30', ...changes).status).toBe(
      0,
    );
    const trained = await lab.loadTrainer(saved());
    expect(trained.model.tying).toEqual([{ untieAtStep: 10 }, { tieAtStep: 20 }]);
    expect(trained.tyingChanges).toEqual([10, 20]);
    trained.dispose();
  });

  test('takes settings without a flag from a file', () => {
    const [model, training] = [
      { dModel: 8, nLayers: 1, nHeads: 2 },
      { batchSize: 4, decay: 'cosine', seed: 7, steps },
    ];
    const config = { tokenizer: { kind: 'word' }, model: { ...model, contextLength: 8, tying: 'untied' }, training };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    expect(run('train', 'text.txt', '--quiet', '--config', 'config.json', '--seed', '3').status).toBe(0);
    expect(isExpected()).toBe(true);
  });

  test.each(['SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGINT', 'SIGKILL'] as const)(
    'resumes to the same bits after %s',
    async (signal) => {
      const child = spawn(process.execPath, [scriptOf(packed), 'train', 'text.txt', ...asked], { cwd: folder });
      const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
      child.stderr.once('data', () => child.kill(signal));
      expect(await ended).toBe(signal === 'SIGKILL' ? null : 75);
      expect(existsSync(join(folder, 'model.tied'))).toBe(false);
      expect(train()).toMatchObject({ status: 0, stderr: '' });
      expect(isExpected()).toBe(true);
    },
  );

  // Steps of a few milliseconds, for longer than a trainer waits before it asks for other threads.
  test.skipIf(availableParallelism() < 2)('has the same bits in two threads', () => {
    const wide = { 'd-model': 32, 'n-layers': 2, 'context-length': 32, shards: 2, steps: 150 };
    const flags = Object.entries(wide).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const models = ['1', '2'].map((threads) => {
      const said = run('train', 'text.txt', '--quiet', ...flags, '--threads', threads, '--overwrite');
      expect(said).toMatchObject({ status: 0, stderr: '' });
      return saved();
    });
    expect(Buffer.compare(models[0]!, models[1]!)).toBe(0);
  });

  test('neither resumes another run nor replaces a model unasked', async () => {
    const child = spawn(process.execPath, [scriptOf(packed), 'train', 'text.txt', ...asked], { cwd: folder });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    child.stderr.once('data', () => child.kill('SIGTERM'));
    expect(await ended).toBe(75);
    expectRefused(
      run('train', 'text.txt', '--quiet', ...changed('--seed', '4')),
      /model\.tied\.state belongs to another run; expected/,
    );
    expect(train().status).toBe(0);
    expectRefused(train(), /model\.tied already exists; expected --overwrite/);
    expect(train('--overwrite').status).toBe(0);
    expect(isExpected()).toBe(true);
  });

  test('saves safetensors with the trainer’s tables', async () => {
    expect(train('--out', 'model.safetensors').status).toBe(0);
    expect(Buffer.from(saved('model.safetensors')).equals(Buffer.from(await trainer.toSafetensors()))).toBe(true);
    expect(run('check', 'model.safetensors').stdout).toMatch(/two tables/);
    // The tokenizer that train learned is in the file.
    const { text: written } = await trainer.generate({ prompt: 'New York', tokens: 9, seed: 5 });
    const words = ['New York', '--tokens', '9', '--seed', '5'];
    expect(run('generate', 'model.safetensors', ...words)).toMatchObject({
      status: 0,
      stdout: `New York${written!}\n`,
    });
    const { loss, tokens } = await trainer.evaluate(await (await trainer.tokenizer())!.encode(text));
    const found = JSON.parse(run('evaluate', 'model.safetensors', 'text.txt', '--json').stdout) as object;
    // Batches of another size are added in another order.
    expect(found).toMatchObject({ loss: expect.closeTo(loss, 12) as number, tokens });
  });

  const gpt2 = ['--norm', 'layer-norm', '--biases', 'all', '--steps', '20'];
  const small = ['train', 'text.txt', '--quiet', '--d-model', '8', '--n-layers', '1', '--n-heads', '2', ...gpt2];
  test.each([
    ['bpe', ['--vocab-size', '280'], true],
    ['character', [], true],
    ['word', [], false],
  ] as const)('saves a folder for transformers, with a tokenizer of kind %s', async (kind, more, hasRules) => {
    const { status, stderr } = run(...small, '--tokenizer', kind, ...more, '--out', 'gpt/');
    expect(status).toBe(0);
    if (hasRules) expect(stderr).toBe('');
    else expect(stderr).toMatch(/^gpt\/ has no tokenizer\.json, because transformers has no rules/);
    expect(existsSync(join(folder, 'gpt/tokenizer.json'))).toBe(hasRules);
    expect(existsSync(join(folder, 'gpt.state'))).toBe(false);
    const found = run('generate', 'gpt', 'New', '--tokens', '9');
    expect(found).toMatchObject({ status: 0, stderr: '' });
    expect(run('generate', 'gpt/model.safetensors', 'New', '--tokens', '9').stdout).toBe(found.stdout);
    const files = ['model.safetensors', 'config.json'].map(
      (name) => new File([saved(`gpt/${name}`) as BlobPart], name),
    );
    const checkpoint = await lab.openCheckpoint(files);
    const { text: written } = await (await checkpoint.toTrainer()).generate({ prompt: 'New', tokens: 9, seed: 0 });
    expect(found.stdout).toBe(`New${written!}\n`);
    expectRefused(run(...small, '--out', 'gpt'), /gpt\/model\.safetensors already exists/);
  });

  test('refuses a folder for another architecture before it trains', () => {
    const { status, stderr } = run('train', 'text.txt', '--quiet', '--steps', '900000', '--out', 'gpt/');
    expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 64, lines: 1 });
    expect(stderr).toMatch(/expected GPT-2's architecture/);
  });

  test('names the flag whose value is wrong', () => {
    expectRefused(
      run('train', 'text.txt', '--n-heads', '3'),
      /^tied-embeddings: --n-heads is 3; expected a divisor of/,
    );
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ model: { nHeads: 3 } }));
    expectRefused(run('train', 'text.txt', '--config', 'wrong.json'), /model\.nHeads is 3; expected a divisor of/);
  });

  test('refuses a place that cannot be written before it trains, and a state that cannot be read', () => {
    const { status, stderr } = run('train', 'text.txt', '--quiet', '--steps', '900000', '--out', 'text.txt/model.tied');
    expect(status).toBe(74);
    expect(stderr).toBe(
      'tied-embeddings: text.txt/model.tied cannot be written: ENOTDIR, a part of its path is not a directory\n',
    );
    mkdirSync(join(folder, 'folder.tied.state'));
    expectRefused(
      run('train', 'text.txt', '--quiet', '--out', 'folder.tied'),
      /folder\.tied\.state cannot be read: EISDIR, it is a directory/,
    );
  });

  test('reads standard input for a dash', () => {
    const piped = (words: readonly string[], input: string): Ended =>
      spawnSync(process.execPath, [scriptOf(packed), ...words], { cwd: folder, encoding: 'utf8', input });
    const trained = ['--quiet', '--steps', '20', '--out'];
    expect(piped(['train', '-', ...trained, 'piped.tied'], text).status).toBe(0);
    expect(run('train', 'text.txt', ...trained, 'named.tied').status).toBe(0);
    expect(Buffer.from(saved('piped.tied')).equals(Buffer.from(saved('named.tied')))).toBe(true);
    const evaluated = run('evaluate', 'named.tied', 'text.txt');
    expect(piped(['evaluate', 'named.tied', '-'], text)).toMatchObject({ status: 0, stdout: evaluated.stdout });
    const generated = run('generate', 'named.tied', 'New York', '--tokens', '5');
    expect(piped(['generate', 'named.tied', '-', '--tokens', '5'], 'New York\n').stdout).toBe(generated.stdout);
    expect(piped(['evaluate', 'named.tied', '-'], '').stderr).toBe('tied-embeddings: standard input is empty\n');
    const gpt = JSON.stringify({
      model_type: 'gpt2',
      vocab_size: 100,
      n_embd: 8,
      n_layer: 1,
      n_head: 2,
      n_positions: 8,
    });
    writeFileSync(join(folder, 'config.json'), gpt);
    expect(piped(['count', '-', '--json'], gpt).stdout).toBe(run('count', 'config.json', '--json').stdout);
  });

  // A device of Linux that is always full.
  test
    .runIf(existsSync('/dev/full'))
    .each([
      ['train', 'text.txt', '--quiet', '--steps', '2', '--out', 'other.tied'],
      ['evaluate', 'model.tied', 'text.txt'],
      ['generate', 'model.tied', 'New', '--tokens', '3'],
      ['check', 'model.tied'],
      ['count', 'gpt2', '--json'],
      ['count', '--models'],
      ['completion', 'bash'],
      ['experiment', '--help'],
      ['--version'],
    ])('%s %s ... ends with 74 and one line if stdout is full', (...words) => {
    writeFileSync(join(folder, 'model.tied'), expected);
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', '"$0" "$@" > /dev/full', process.execPath, scriptOf(packed), ...words],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({
      status: 74,
      stderr: 'tied-embeddings: stdout cannot be written: ENOSPC, the disk is full\n',
    });
  });

  test.each<[string, [flag: string, value: string], RegExp]>([
    ['no steps', ['--steps', '0'], /steps/],
    ['a flag that is misspelt', ['--layers', '2'], /--layers.*--n-layers/],
    ['heads that do not divide the width', ['--n-heads', '3'], /--n-heads is 3; expected a divisor of --d-model, 8/],
    ['a rate that is no number', ['--learning-rate', 'fast'], /--learning-rate is 'fast'/],
    ['two ways of tying', ['--untie-at-step', '3'], /--tying and --untie-at-step were given/],
    ['a config that is not there', ['--config', 'none.json'], /none\.json/],
  ])('refuses %s before it reads the text', (_, [flag, value], said) => {
    expectRefused(run('train', 'none.txt', '--quiet', ...changed(flag, value)), said);
  });

  test('refuses a model too large for the memory before it trains, with the largest size that fits', () => {
    expectRefused(
      run('train', 'text.txt', '--quiet', ...changed('--d-model', '8192')),
      /--d-model is 8192 \(\d+ MiB in all\); expected at most \d+, for 1792 MiB/,
    );
  });

  test('refuses invalid texts', () => {
    writeFileSync(join(folder, 'empty.txt'), '');
    writeFileSync(join(folder, 'latin.txt'), Uint8Array.of(0x61, 0xe9, 0x62));
    mkdirSync(join(folder, 'folder.txt'));
    for (const name of ['none.txt', 'empty.txt', 'latin.txt', 'folder.txt']) {
      const { status, stderr } = run('train', name, '--quiet', ...asked);
      expect(status).toBe(64);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/^tied-embeddings: /);
    }
    const wrong = { modell: {} };
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify(wrong));
    expectRefused(run('train', 'text.txt', '--config', 'wrong.json'), /modell.*model/);
  });
});

describe('a model', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'model.tied'), expected);
  });

  test('is evaluated with the loss of the verb', async () => {
    const other = text.slice(500, 2500);
    writeFileSync(join(folder, 'other.txt'), other);
    const ids = await (await trainer.tokenizer())!.encode(other);
    const { loss, bitsPerByte, perplexity, tokens } = await trainer.evaluate(ids);
    const { status, stdout, stderr } = run('evaluate', 'model.tied', 'other.txt', '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ loss, bitsPerByte, perplexity, tokens });
    expect(run('evaluate', 'model.tied', 'other.txt').stdout).toContain(loss.toFixed(4));
    writeFileSync(join(folder, 'short.txt'), 'New');
    expectRefused(run('evaluate', 'model.tied', 'short.txt'), /short\.txt has 1 token; expected at least 2/);
  });

  test('generates the text of the verb', async () => {
    const { text: written } = await trainer.generate({ prompt: 'New York', tokens: 40, seed: 5, temperature: 0.8 });
    const words = ['generate', 'model.tied', 'New York', '--tokens', '40', '--seed', '5', '--temperature', '0.8'];
    expect(run(...words)).toMatchObject({ status: 0, stdout: `New York${written!}\n`, stderr: '' });
    expect(JSON.parse(run(...words, '--json').stdout)).toMatchObject({ prompt: 'New York', text: written });
  });

  test('stops writing when the output is closed', () => {
    const command = `'${process.execPath}' '${scriptOf(packed)}' generate model.tied New --tokens 100000 | head -c 100 | wc -c`;
    const { stdout, stderr, status } = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, written: Number(stdout), stderr }).toEqual({ status: 0, written: 100, stderr: '' });
  });

  test('is refused if the file is damaged or not a model', () => {
    writeFileSync(join(folder, 'cut.tied'), expected.subarray(0, expected.length / 2));
    for (const name of ['cut.tied', 'text.txt', 'none.tied']) {
      expectRefused(run('generate', name), new RegExp(name.replace('.', '\\.')));
      expectRefused(run('evaluate', name, 'text.txt'), new RegExp(name.replace('.', '\\.')));
    }
    expectRefused(run('generate', 'model.tied', '--top-k', '0'), /--top-k is '0'/);
  });
});
