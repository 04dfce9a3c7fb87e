// The command's `count` against the package's own verbs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../web/index.js';
import type { Core } from '../../web/index.js';
import { expectRefused, runCommand, scriptOf, type Ended } from './command-run.js';
import { packPackage, type PackedPackage } from './packed.js';

const config = { model_type: 'gpt2', vocab_size: 50257, n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024 };

// Whether it is tied depends on the version of transformers, which the file does not name.
const twoFlags = {
  ...{ model_type: 'mistral3', tie_word_embeddings: true },
  text_config: {
    ...{ model_type: 'mistral', tie_word_embeddings: false, vocab_size: 1000, hidden_size: 64, intermediate_size: 128 },
    ...{ num_hidden_layers: 2, num_attention_heads: 4, num_key_value_heads: 2 },
  },
};

let packed: PackedPackage;
let core: Core;
beforeAll(async () => {
  packed = packPackage();
  core = await loadCore();
  const files = {
    'config.json': JSON.stringify(config),
    'two-flags.json': JSON.stringify(twoFlags),
    'empty.json': '',
    'cut.json': '{"model_type": "gpt2", ',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(packed.folder, name), text);
  writeFileSync(join(packed.folder, 'latin.json'), Uint8Array.of(0x22, 0x61, 0xe9, 0x22));
  mkdirSync(join(packed.folder, 'folder.json'));
});
afterAll(() => packed.remove());

const run = (...words: string[]): Ended => runCommand(packed, ['count', ...words]);

describe('count', () => {
  test('gives the numbers of the verbs for a config.json', () => {
    const { architecture, tying: known } = core.importConfig(config);
    const tying = known!;
    const batch = { sequences: 2, tokens: 128, tying, precision: 'mixed' } as const;
    const { status, stdout, stderr } = run(
      ...['config.json', '--sequences', '2', '--tokens', '128', '--precision', 'mixed', '--json'],
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect(result['parameters']).toEqual(core.countParameters(architecture, tying));
    expect(result['compute']).toEqual(core.countCompute(architecture, batch));
    expect(result['advice']).toEqual(core.adviseTying(architecture, { precision: 'mixed' }));
  });

  test('asks for the tying if the file has two answers, with the parameters of each', () => {
    const { architecture } = core.importConfig(twoFlags);
    const [tied, untied] = (['tied', 'untied'] as const).map((way) =>
      core.countParameters(architecture, way).stored.toLocaleString('en-US'),
    );
    const { status, stdout, stderr } = run('two-flags.json');
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
    expect(stderr).toMatch(
      /in version 4 .* it is untied .*; in version 5 it is tied .*does not say which version wrote it/,
    );
    expect(stderr).toContain(`Choose with --tying tied (${tied} parameters) or --tying untied (${untied} parameters)`);
    const chosen = run('two-flags.json', '--tying', 'untied');
    expect(chosen.status).toBe(0);
    expect(chosen.stdout).toContain(`${untied}, untied`);
    expect(chosen.stdout).toContain('Only the language model in text_config is counted.');
  });

  test('accepts a known model with changes', () => {
    const { architecture } = core.knownModels().find(({ id }) => id === 'gpt2')!;
    const { stored } = core.countParameters({ ...architecture, vocabSize: 1000 }, 'untied');
    const { stdout } = run('gpt2', '--vocab-size', '1000', '--tying', 'untied', '--json');
    expect((JSON.parse(stdout) as { parameters: { stored: number } }).parameters.stored).toBe(stored);
    expect(run('gpt2').stdout).toContain('124,439,808, tied');
    expect(run('gpt2', '--tensors').stdout).toContain('[50257, 768]');
  });

  test('accepts flags alone, and lists the known models', () => {
    const { stored } = core.countParameters({ family: 'llama', vocabSize: 32000, dModel: 512, nLayers: 4 });
    const words = ['--family', 'llama', '--vocab-size', '32000', '--d-model', '512', '--n-layers', '4'];
    expect(run(...words).stdout).toContain(stored.toLocaleString('en-US'));
    expect(run('--models').stdout.trim().split('\n')).toHaveLength(core.knownModels().length);
  });

  test('ends once everything is written, whatever Node still has to do, however slowly it is read', () => {
    const busy = `--import data:text/javascript,${encodeURIComponent('setInterval(Date.now, 1e6)')}`;
    const all = run('--models', '--json').stdout;
    expect(JSON.parse(all)).toHaveLength(core.knownModels().length);
    const given = { environment: { NODE_OPTIONS: busy } };
    expect(runCommand(packed, ['count', '--models', '--json'], given)).toEqual({ status: 0, stdout: all, stderr: '' });
    const slowly = spawnSync(
      'sh',
      ['-c', '"$0" "$@" | (sleep 1; cat)', process.execPath, scriptOf(packed), 'count', '--models', '--json'],
      {
        encoding: 'utf8',
      },
    );
    expect(slowly.stdout).toBe(all);
  });

  test('writes no bold headings to a pipe', () => {
    expect(runCommand(packed, ['count', 'gpt2'], { environment: { NO_COLOR: '' } }).stdout).not.toContain('\u001b');
  });

  test.each<[string[], RegExp]>([
    [[], /no CONFIG was given/],
    [['gtp2'], /gtp2 is neither a file nor a known model; did you mean gpt2\?/],
    [['none.json'], /none\.json cannot be read: ENOENT/],
    [['folder.json'], /folder\.json cannot be read: EISDIR/],
    [['empty.json'], /empty\.json is empty/],
    [['cut.json'], /^tied-embeddings: cut\.json: it is not JSON, or only a part of it/],
    [['latin.json'], /latin\.json is not UTF-8: byte 2 does not begin a character/],
    [['gpt2', '--d-modle', '3'], /--d-modle is not an option of count; did you mean --d-model\?/],
    [['gpt2', '--tying', 'shared'], /--tying is 'shared'; expected one of tied, untied/],
    [['gpt2', '--n-heads', '7'], /^tied-embeddings: --n-heads is 7; expected a divisor of architecture\.dModel/],
    [['gpt2', '--sequences', '0'], /^tied-embeddings: --sequences is 0; expected/],
  ])('%j ends with 64 and one line', (words, named) => {
    expectRefused(run(...words), named);
  });
});

describe('bytes of the tables in files', () => {
  test('--bits adds them, by program and with the types that each table gets', () => {
    const { stdout, status } = run('gpt2', '--bits', '4');
    expect(status).toBe(0);
    // 50,257 rows of 3 blocks: 630 bytes in Q6_K, 432 in Q4_K.
    expect(stdout).toMatch(
      /llama\.cpp Q4_K_M +31\.7 MB tied \(Q6_K\), 53\.4 MB untied \(Q4_K and Q6_K\): 40\.7% saved/,
    );
    expect(stdout).toMatch(/MLX 4-bit .* 50(\.0)?% saved/);
  });

  test('--csv has a line for each known model and kind of file', () => {
    const { stdout, status } = run('--models', '--bits', '4', '--csv');
    expect(status).toBe(0);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head!.split(',').length).toBe(13);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBeGreaterThan(80);
    expect(lines).toContain('gpt2,50257,768,llama.cpp,Q4_K_M,4,Q6_K,Q4_K,Q6_K,31661910,53372934,21711024,0.4068');
  });

  test('--csv and --json exclude each other', () => {
    expectRefused(run('gpt2', '--csv', '--json'), /--csv and --json were both given/);
  });
});

test('a model with layers of another kind is counted, without its work', () => {
  const { stdout, status } = run('deepseek-v3');
  expect(status).toBe(0);
  expect(stdout).toContain('671,026,419,200, untied');
  expect(stdout).toContain('Work and memory are not counted for layers of this kind.');
});
