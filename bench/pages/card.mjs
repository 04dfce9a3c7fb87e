// Files as large as those of published models, in a lab, as in a page whose reader chooses them: identity cards, and a model that runs.
import { randomFillSync } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { pageOf, serveCompressed } from './cold-start.mjs';

/** Tensors of GPT-2 as its file has them: the small one has 124,439,808 parameters. */
function gpt2Tensors({ n_embd: width, n_layer: layers, n_positions: context, vocab_size: tokens }) {
  const norm = (name) => [
    [`${name}.weight`, [width]],
    [`${name}.bias`, [width]],
  ];
  const dense = (name, rows, cols) => [
    [`${name}.weight`, [rows, cols]],
    [`${name}.bias`, [cols]],
  ];
  const layer = (at) => [
    ...norm(`h.${at}.ln_1`),
    ...dense(`h.${at}.attn.c_attn`, width, 3 * width),
    ...dense(`h.${at}.attn.c_proj`, width, width),
    ...norm(`h.${at}.ln_2`),
    ...dense(`h.${at}.mlp.c_fc`, width, 4 * width),
    ...dense(`h.${at}.mlp.c_proj`, 4 * width, width),
  ];
  return [
    ['wte.weight', [tokens, width]],
    ['wpe.weight', [context, width]],
    ...Array.from({ length: layers }, (_, at) => layer(at)).flat(),
    ...norm('ln_f'),
  ];
}
const GPT2 = {
  ...{ model_type: 'gpt2', n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024, vocab_size: 50_257 },
  ...{ layer_norm_epsilon: 1e-5, activation_function: 'gelu_new' },
};
const GPT2_SMALL = 'gpt2-124M';

/** The files, by the names of their cases. */
const FILES = {
  'tied/151936x896': {
    // Without layers and what comes after them, the table might be one of two.
    tensors: [
      ['model.embed_tokens.weight', [151_936, 896]],
      ['model.layers.0.input_layernorm.weight', [896]],
      ['model.norm.weight', [896]],
    ],
    dtype: 'BF16',
    config: { model_type: 'qwen2', tie_word_embeddings: true, vocab_size: 151_936, hidden_size: 896 },
  },
  'untied/50257x768': {
    tensors: ['transformer.wte.weight', 'lm_head.weight'].map((name) => [name, [50_257, 768]]),
    dtype: 'F16',
  },
  [GPT2_SMALL]: { tensors: gpt2Tensors(GPT2), dtype: 'F16', config: GPT2 },
};
const KINDS = ['make', 'one-worker', 'read', 'cancel'];
const caseOf = (kind, file) => (kind === 'make' ? `card/${file}` : `card/${kind}/${file}`);
const CASES = [
  ...['tied/151936x896', 'untied/50257x768'].flatMap((file) =>
    KINDS.map((kind) => ({ id: caseOf(kind, file), kind, file })),
  ),
  { id: `run/${GPT2_SMALL}`, kind: 'run', file: GPT2_SMALL },
];

/** 65,536 values of ordinary size in 16 bits, with uniformly distributed logarithms. */
function ordinaryNumbers(dtype) {
  const exponents = dtype === 'F16' ? { bits: 10, from: 6, count: 5 } : { bits: 7, from: 118, count: 5 };
  return Uint16Array.from({ length: 65_536 }, (_, i) => {
    const exponent = exponents.from + (((Math.imul(i, 40_503) % exponents.count) + exponents.count) % exponents.count);
    return ((i & 1) << 15) | (exponent << exponents.bits) | ((i >> 1) & ((1 << exponents.bits) - 1));
  });
}

/** Random numbers, as safetensors. */
function writeModel(path, { tensors, dtype }) {
  let elements = 0;
  const entries = tensors.map(([name, shape]) => {
    const from = elements;
    elements += shape.reduce((product, size) => product * size, 1);
    return [name, { dtype, shape, data_offsets: [2 * from, 2 * elements] }];
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const numbers = ordinaryNumbers(dtype);
  const file = openSync(path, 'w');
  writeSync(file, length);
  writeSync(file, header);
  const places = new Uint16Array(2 ** 21);
  for (let left = elements; left > 0; left -= places.length) {
    const some = places.subarray(0, Math.min(left, places.length));
    randomFillSync(some);
    some.forEach((place, i) => (some[i] = numbers[place]));
    writeSync(file, some);
  }
  closeSync(file);
}

/** Megabytes held by processes: now, and the peak since the last query. None if the system does not report them. */
function heldBy(processes, key) {
  try {
    return processes.reduce((sum, id) => {
      const [, kilobytes] =
        new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
      return sum + Number(kilobytes) * 1024e-6;
    }, 0);
  } catch {
    return undefined;
  }
}
function forgetMost(processes) {
  for (const id of processes) {
    try {
      writeFileSync(`/proc/${id}/clear_refs`, '5');
    } catch {
      // Another system, or no permission.
    }
  }
}

/**
 * @param {import('playwright-core').Browser} browser
 * @returns {Promise<import('../contender.d.ts').Contender>}
 */
export async function cardContender(browser, name) {
  const server = await serveCompressed({
    folders: { '/dist/': join(root, 'dist'), '/card/': join(import.meta.dirname, 'card') },
    pages: { '/': pageOf('/card/page.mjs') },
  });
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-card-'));
  const session = await browser.newBrowserCDPSession();
  const renderers = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  };
  const written = new Set();
  /** A page of its own for each measurement, since the memory of a module never shrinks. */
  const inPage = async (file, act) => {
    const path = join(folder, `${file.replace('/', '-')}.safetensors`);
    if (!written.has(file)) writeModel(path, FILES[file]);
    written.add(file);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const problem = new Promise((_, reject) => page.on('pageerror', reject));
      await page.goto(server.url);
      const { config } = FILES[file];
      const beside = `${path}.config.json`;
      if (config) writeFileSync(beside, JSON.stringify(config));
      await page.setInputFiles('input', config ? [path, beside] : [path]);
      await Promise.race([page.waitForFunction(() => globalThis.ready, undefined, { timeout: 60_000 }), problem]);
      return await act(page);
    } finally {
      await context.close();
    }
  };
  return {
    name,
    host: 'Chromium',
    clock: 'wall',
    cases: () => CASES.map(({ id }) => id),
    measure: (id) => {
      const { kind, file } = CASES.find((one) => one.id === id);
      return inPage(file, async (page) => {
        const processes = await renderers();
        forgetMost(processes);
        const before = heldBy(processes, 'VmRSS');
        const found = await page.evaluate((which) => globalThis.measureCard(which), kind);
        const most = heldBy(processes, 'VmHWM');
        if (!['make', 'one-worker', 'run'].includes(kind) || most === undefined) return found;
        return { ...found, facts: { ...found.facts, 'megabytes beside the file': most - before } };
      });
    },
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      await server.close();
    },
  };
}
