// node bench/profile-one-model.mjs [MODEL] [--workers 4] [--seconds 5] [--isolated] [--functions 20]
// Where the time of a step goes in each of several workers that train one model, sampled in Chromium, and how much of it is exchange. Builds
// nothing: it needs build/wasm and a dist/ of the same sources (npm run build).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../tools/lib/root.mjs';
import { serve } from '../tools/serve/server.mjs';
import { isolation, launchBrowser } from './hosts/pages.mjs';
import { pageOf } from './pages/cold-start.mjs';

const microsecondsPerSample = 200;

/** Functions of web/worker/team and web/core/training/shared-steps.ts that move parts, by names that the package keeps. */
const moving =
  /^(post|pass|send|room|write|postMessage|compute|gradient|computed|give|giveParts|giveBack|weights|follow|find|used|viewAt|set)$/;

/**
 * What a sample counts as, by the functions on its stack, the innermost last:
 * - `exchange`: packs parts, moves them between workers, or adds them
 * - `step`: other work of the core
 * - `other`: other JavaScript, messages, and collections of garbage; in the lead also records, and news for the page
 * @param {readonly { functionName: string, url: string }[]} stack
 * @returns {'idle' | 'step' | 'exchange' | 'other'}
 */
export function kindOf(stack) {
  const inner = stack.at(-1);
  if (inner === undefined || inner.functionName === '(idle)') return 'idle';
  const isOfCore = /^wasm:|\.wasm$/.test(inner.url);
  const exchanges = stack.some(({ functionName }) =>
    /ShardSums|TreeSum|::packed|::follow|changed_weights/.test(functionName),
  );
  if (isOfCore) return exchanges ? 'exchange' : 'step';
  return stack.some(({ functionName }) => moving.test(functionName)) ? 'exchange' : 'other';
}

/**
 * Microseconds by kind, and by function.
 * @param {{ nodes: { id: number, callFrame: { functionName: string, url: string }, children?: number[] }[], samples: number[], timeDeltas: number[] }} profile
 */
export function sharesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stackOf = (id) => (id === undefined ? [] : [...stackOf(parents.get(id)), byId.get(id).callFrame]);
  const kinds = { idle: 0, step: 0, exchange: 0, other: 0 };
  const functions = new Map();
  for (const [i, id] of samples.entries()) {
    const stack = stackOf(id);
    const kind = kindOf(stack);
    kinds[kind] += timeDeltas[i];
    const name = `${stack.at(-1).functionName || '(anonymous)'} [${kind}]`;
    functions.set(name, (functions.get(name) ?? 0) + timeDeltas[i]);
  }
  return { kinds, functions };
}

/** The core with the names of its functions, and an entry that loads it. */
function namedCore(folder) {
  const prefixes = ['tied::bindings::files::', 'tied::TrainerFile<float>::', 'tied::SafetensorsFile::'];
  const glue = join(root, 'build/wasm/cpp/bindings/core.mjs');
  const written = ['core', 'files'].map((name) => join(folder, name));
  execFileSync(process.execPath, [join(root, 'tools/build/pack-wasm.mjs'), '--names', glue, ...written, ...prefixes]);
  writeFileSync(join(folder, 'tied-embeddings.js'), "export * from './slim.js';\n");
  // Partners stay, even where there are fewer cores than workers and they bring little.
  const worker = readFileSync(join(root, 'dist/worker.js'), 'utf8');
  const patient = worker.replace(/\btrial:\s*32\b/, 'trial:1e9');
  if (patient === worker)
    throw new Error('dist/worker.js does not say how long partners are tried; expected trial: 32, as in patience.ts');
  writeFileSync(join(folder, 'worker.js'), patient);
}

/** Profilers of all workers of a page. @param {import('playwright-core').Page} page */
async function workersOf(page) {
  const session = await page.context().newCDPSession(page);
  const ids = new Set();
  const waiting = new Map();
  let messages = 0;
  session.on('Target.attachedToTarget', ({ sessionId }) => ids.add(sessionId));
  session.on('Target.detachedFromTarget', ({ sessionId }) => ids.delete(sessionId));
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result, error } = JSON.parse(message);
    waiting.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
    waiting.delete(id);
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const ask = (sessionId, method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++messages;
      waiting.set(id, resolve);
      const message = JSON.stringify({ id, method, params });
      session.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject);
    });
  return {
    async start() {
      for (const id of ids) {
        await ask(id, 'Profiler.enable');
        await ask(id, 'Profiler.setSamplingInterval', { interval: microsecondsPerSample });
        await ask(id, 'Profiler.start');
      }
    },
    stop: () => Promise.all([...ids].map(async (id) => (await ask(id, 'Profiler.stop')).profile)),
  };
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      workers: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '5' },
      functions: { type: 'string', default: '20' },
      isolated: { type: 'boolean', default: false },
    },
  });
  const [model = 'B'] = positionals;
  const workers = Number(values.workers);
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-profile-'));
  namedCore(folder);
  const pages = import.meta.dirname;
  const server = await serve({
    folders: {
      '/dist/': [folder, join(root, 'dist')],
      '/one-model/': join(pages, 'pages/one-model'),
      '/arms/': join(pages, 'pages/arms'),
      '/peers/': join(pages, 'peers'),
    },
    pages: { '/': pageOf('/one-model/page.mjs') },
    policy: '',
    headers: values.isolated ? isolation : {},
  });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    await context.addInitScript((cores) => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { value: cores });
    }, workers);
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(error));
    const profilers = await workersOf(page);
    await page.goto(server.url);
    await page.waitForFunction(() => globalThis.ready);
    const run = (milliseconds) =>
      page.evaluate((asked) => globalThis.runSteps(...asked), [model, workers, milliseconds]);
    await run(500);
    await profilers.start();
    const { seconds, calls, threads } = await run(1000 * Number(values.seconds));
    const found = (await profilers.stop()).map(sharesOf);
    const where = values.isolated ? 'an isolated page' : 'a plain page';
    console.log(`${model} in ${threads} workers of ${where}: ${((1000 * seconds) / calls).toFixed(1)} ms per step`);
    for (const { kinds, functions } of found) {
      const all = Object.values(kinds).reduce((sum, time) => sum + time);
      const percent = (part, of) => `${((100 * part) / of).toFixed(1)} %`;
      console.log(
        `\nworker: exchange ${percent(kinds.exchange, all)} of all time, ${percent(kinds.exchange, all - kinds.idle)} of the time in which it works; other than the step ${percent(kinds.other, all)}; waits ${percent(kinds.idle, all)}`,
      );
      const longest = [...functions].sort(([, one], [, other]) => other - one).slice(0, Number(values.functions));
      for (const [name, time] of longest) {
        console.log(
          `  ${percent(time, all).padStart(7)}  ${(time / 1000 / calls).toFixed(3)} ms  ${name.slice(0, 120)}`,
        );
      }
    }
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) await main();
