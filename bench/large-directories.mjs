// node bench/large-directories.mjs [CASE...] [--tensors 500000] [--page] [--site FOLDER] [--entry FILE]
// How long it takes to open a model of very many tensors, with the most memory of the process and the longest task: in Node with the package in
// dist/, or with --page in Chromium, on the page "Is it tied?" of the site. Memory is measured on Linux only. Needs dist/ or site/ (npm run build).
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../tools/lib/root.mjs';
import { npz, onnx, pytorch } from './large-archives.mjs';

const [tokens, width, inner, experts] = [40_000, 16, 8, 2700];

/** Names and shapes of a mixture of experts, as Hugging Face spells them. `own`: names of further tables. */
function* mixture(count, own = []) {
  yield* ['model.embed_tokens.weight', ...own].map((name) => [name, [tokens, width]]);
  yield ['model.norm.weight', [width]];
  for (let layer = 0, left = count; left > 0; layer++, left -= 3 * experts + 7) {
    const of = `model.layers.${layer}`;
    for (const name of ['q', 'k', 'v', 'o']) yield [`${of}.self_attn.${name}_proj.weight`, [width, width]];
    for (const name of ['input_layernorm', 'post_attention_layernorm']) yield [`${of}.${name}.weight`, [width]];
    yield [`${of}.mlp.gate.weight`, [experts, width]];
    for (let expert = 0; expert < experts; expert++)
      for (const [name, shape] of [
        ['gate', [inner, width]],
        ['up', [inner, width]],
        ['down', [width, inner]],
      ])
        // prettier-ignore
        yield [`${of}.mlp.experts.${expert}.${name}_proj.weight`, shape];
  }
}

/** A header, and as many zeros as its tensors have bytes, which take no space on the disk. */
function writeSparse(file, header, bytes) {
  const to = openSync(file, 'w');
  writeSync(to, header);
  ftruncateSync(to, header.length + bytes);
  closeSync(to);
}

const bytesOf = (shape) => shape.reduce((product, size) => product * size, 2);
const whole = (value, bytes) => {
  const at = Buffer.alloc(8);
  at.writeBigUInt64LE(BigInt(value));
  return at.subarray(0, bytes);
};

function safetensors(file, tensors) {
  let at = 0;
  const entries = [];
  for (const [name, shape] of tensors) {
    entries.push(`"${name}":{"dtype":"BF16","shape":[${shape}],"data_offsets":[${at},${at + bytesOf(shape)}]}`);
    at += bytesOf(shape);
  }
  const json = Buffer.from(`{"__metadata__":{"format":"pt"},${entries.join(',')}}`);
  writeSparse(file, Buffer.concat([whole(json.length, 8), json]), at);
}

const ggufNames = [['model.embed_tokens', 'token_embd'], ['model.norm', 'output_norm'], ['model.layers', 'blk'], ['self_attn.', 'attn_'], ['mlp.experts', 'ffn_experts'], ['lm_head', 'output']]; // prettier-ignore

function gguf(file, tensors) {
  const text = (value) => Buffer.concat([whole(value.length, 8), Buffer.from(value)]);
  const entries = [];
  let [at, count] = [0, 0];
  for (const [name, shape] of tensors) {
    count++;
    const called = ggufNames.reduce((so, [from, to]) => so.replace(from, to), name);
    const sizes = shape.toReversed().map((size) => whole(size, 8));
    entries.push(text(called), whole(shape.length, 4), ...sizes, whole(1, 4), whole(at, 8));
    at += 32 * Math.ceil(bytesOf(shape) / 32);
  }
  const says = [text('general.architecture'), whole(8, 4), text('llama')];
  const header = Buffer.concat([Buffer.from('GGUF'), whole(3, 4), whole(count, 8), whole(1, 8), ...says, ...entries]); // prettier-ignore
  writeSparse(file, header, at + 64);
}

/** A list of all tensors, whose files hold only the tables. */
function index(file, tensors) {
  const [tables, others] = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
  const ofTables = [];
  const lines = [];
  for (const [name, shape] of tensors) {
    const isTable = shape[0] === tokens;
    if (isTable) ofTables.push([name, shape]);
    lines.push(`    "${name}": "${isTable ? tables : others}"`);
  }
  writeFileSync(file, `{\n  "metadata": {},\n  "weight_map": {\n${lines.join(',\n')}\n  }\n}\n`);
  safetensors(join(file, '..', tables), ofTables);
  return [tables];
}

const both = (count) => mixture(count, ['lm_head.weight']);
/** What writes the files of each case; returns the names of those beside the first. */
const cases = {
  missing: (folder, count) => safetensors(join(folder, 'missing.safetensors'), mixture(count)),
  two: (folder, count) => safetensors(join(folder, 'two.safetensors'), both(count)),
  gguf: (folder, count) => gguf(join(folder, 'gguf.gguf'), mixture(count)),
  index: (folder, count) => index(join(folder, 'model.safetensors.index.json'), both(count)),
  pytorch: (folder, count) => pytorch(join(folder, 'pytorch.pt'), both(count)),
  npz: (folder, count) => npz(join(folder, 'npz.npz'), both(count)),
  onnx: (folder, count) => onnx(join(folder, 'onnx.onnx'), both(count)),
};
const fileOf = {
  missing: 'missing.safetensors',
  two: 'two.safetensors',
  gguf: 'gguf.gguf',
  index: 'model.safetensors.index.json',
  pytorch: 'pytorch.pt',
  npz: 'npz.npz',
  onnx: 'onnx.onnx',
};

const inNode = `
import { openAsBlob, readFileSync } from 'node:fs';
import { basename } from 'node:path';
const [entry, ...paths] = process.argv.slice(1);
const { loadCore } = await import(entry);
const core = await loadCore({ modules: ['accounting', 'checkpoint'] });
const files = await Promise.all(paths.map(async (path) => new File([await openAsBlob(path)], basename(path))));
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
let [last, lastUsed] = [performance.now(), used()];
let [longest, longestUsed, isOver] = [0, 0, false];
const turn = () => {
  const [now, nowUsed] = [performance.now(), used()];
  [longest, longestUsed] = [Math.max(longest, now - last), Math.max(longestUsed, nowUsed - lastUsed)];
  [last, lastUsed] = [now, nowUsed];
  if (!isOver) setImmediate(turn);
};
setImmediate(turn);
const [begin, beginUsed] = [performance.now(), used()];
const { tensors, tying } = await core.openCheckpoint(files);
const [ms, usedMs] = [performance.now() - begin, used() - beginUsed];
isOver = true;
// That of resourceUsage may be the most of the process that started this one.
const memory = process.platform !== 'linux' ? NaN : 1024 * Number(/^VmHWM:\\s+(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
console.log(JSON.stringify({ tensors: tensors.length, tied: tying.tied, evidence: tying.evidence, ms, usedMs, longest, longestUsed, memory }));
`;

function openInNode(paths, entry) {
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', inNode, pathToFileURL(entry).href, ...paths], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }); // prettier-ignore
  return JSON.parse(ran.stdout);
}

async function openInPage(paths, site) {
  const [{ serve }, { launchBrowser }] = await Promise.all([
    import('../tools/serve/server.mjs'),
    import('./hosts/pages.mjs'),
  ]);
  const server = await serve({ folders: { '/': site } });
  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.url}is-it-tied/`);
    await page.waitForFunction(() => globalThis.customElements.get('tied-checkpoint'));
    await page.evaluate(() => {
      globalThis.tasks = [];
      new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' }); // prettier-ignore
    });
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const ids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    const now = () =>
      ids.reduce((sum, id) => sum + 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))[1]), 0); // prettier-ignore
    let memory = now();
    const timer = setInterval(() => (memory = Math.max(memory, now())), 50);
    const begin = performance.now();
    await page.locator('tied-checkpoint input[type=file]').first().setInputFiles(paths);
    await page.waitForFunction(
      () => /\b(?:tied|untied|two tables|one table)\b/i.test(globalThis.document.querySelector('tied-checkpoint').shadowRoot?.querySelector('.read-out')?.textContent ?? ''), // prettier-ignore
      null,
      { timeout: 60_000 },
    );
    const ms = performance.now() - begin;
    clearInterval(timer);
    const tasks = await page.evaluate(() => globalThis.tasks);
    const said = (await page.locator('tied-checkpoint .read-out').first().textContent()).replace(/\s+/g, ' ').trim();
    return { ms, longest: Math.max(0, ...tasks), tasks: tasks.length, memory, said: said.slice(0, 120) };
  } finally {
    await browser.close();
    await server.close();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tensors: { type: 'string', default: '500000' },
    page: { type: 'boolean', default: false },
    site: { type: 'string', default: join(root, 'site') },
    entry: { type: 'string', default: join(root, 'dist/tied-embeddings.js') },
  },
});
const asked = positionals.length > 0 ? positionals : Object.keys(cases);
const unknown = asked.find((name) => !Object.hasOwn(cases, name));
if (unknown !== undefined) throw new Error(`${unknown} is no case; expected ${Object.keys(cases).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'directories-'));
try {
  for (const name of asked) {
    const beside = cases[name](folder, Number(values.tensors)) ?? [];
    const paths = [fileOf[name], ...beside].map((one) => join(folder, one));
    const { ms, usedMs, longest, longestUsed, memory, ...found } = values.page
      ? await openInPage(paths, values.site)
      : openInNode(paths, values.entry);
    const used = (value) => (value === undefined ? '' : ` (${value.toFixed(0)} of the processor)`);
    console.log(`${name}: ${ms.toFixed(0)} ms${used(usedMs)}, longest task ${longest.toFixed(0)} ms${used(longestUsed)}, at most ${(memory / 1e6).toFixed(0)} MB, ${basename(paths[0])} ${JSON.stringify(found)}`); // prettier-ignore
  }
} finally {
  rmSync(folder, { recursive: true });
}
