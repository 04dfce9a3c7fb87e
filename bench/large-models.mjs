// node bench/large-models.mjs [CASE...] [--package FOLDER] [--isolated]
// The most memory that a page and its workers take while they train models of width 256 with 8,192 tokens, and while these are stored: the
// proportional set size of the page's processes, sampled in Chromium. Linux only. Needs dist/ (npm run build).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../tools/lib/root.mjs';
import { serve } from '../tools/serve/server.mjs';
import { isolation, launchBrowser } from './hosts/pages.mjs';

const sampleMs = 50;

/** Layers, tyings and shards of each case. A pair trains in two workers, and so does one model of two shards. */
const cases = {
  empty: null,
  'one/4': { nLayers: 4, tyings: ['tied'], shards: 1 },
  'pair/4': { nLayers: 4, tyings: ['tied', 'untied'], shards: 1 },
  'pair/6': { nLayers: 6, tyings: ['tied', 'untied'], shards: 1 },
  'shared/4': { nLayers: 4, tyings: ['tied'], shards: 2 },
};

const script = `
import { createLab } from '/dist/tied-embeddings.js';
const large = { kind: 'transformer', vocabSize: 8192, dModel: 256, nHeads: 4, contextLength: 128 };
const text = Uint32Array.from({ length: 200_000 }, (_, at) => (at * 7919 + (at >> 3)) % 8192);
let trainers = [];
globalThis.train = async ({ nLayers, tyings, shards }) => {
  const lab = await createLab({ threads: shards });
  trainers = await lab.createTrainers(tyings.map((tying) => ({
    model: { ...large, nLayers, tying },
    training: { learningRate: 0.001, batchSize: 16, seed: 1, ...(shards > 1 && { shards }) },
    tokenIds: text,
  })));
  await Promise.all(trainers.map((trainer) => trainer.run(4)));
  for (let more = 0; more < 40 && trainers[0].threads < shards; more++) await trainers[0].run(1);
  await Promise.all(trainers.map((trainer) => trainer.run(4)));
  return trainers[0].threads;
};
// As the training lab stores a run: one model after the other, in pieces.
globalThis.store = async () => {
  const folder = await navigator.storage.getDirectory();
  const file = await (await folder.getFileHandle('run', { create: true })).createWritable();
  for (const trainer of trainers) {
    const to = new WritableStream({
      async write(bytes) {
        await file.write(bytes);
        // As in web/core/runtime/give-back.ts.
        const { port1, port2 } = new MessageChannel();
        port2.close();
        port1.postMessage(null, [bytes.buffer]);
        port1.close();
      },
    });
    await trainer.save({ to });
  }
  await file.close();
};
globalThis.ready = true;
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { package: { type: 'string', default: join(root, 'dist') }, isolated: { type: 'boolean', default: false } },
});
const asked = positionals.length > 0 ? positionals : Object.keys(cases);
const unknown = asked.find((name) => !Object.hasOwn(cases, name));
if (unknown !== undefined) throw new Error(`${unknown} is no case; expected ${Object.keys(cases).join(', ')}`);

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

for (const name of asked) {
  const server = await serve({
    folders: { '/dist/': values.package },
    pages: { '/': '<!doctype html><script type="module" src="/page.mjs"></script>' },
    routes: {
      '/page.mjs': (_, response, headers) =>
        response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript' }).end(script),
    },
    policy: '',
    headers: values.isolated ? isolation : {},
  });
  // A browser of its own, since the memory of a page's process is used again by the next page.
  const browser = await launchBrowser();
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.ready);
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const processes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const bytesOf = (id) => {
    try {
      return 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))[1]);
    } catch {
      // The browser ends a process that it held ready for a next page.
      return 0;
    }
  };
  const now = () => processes.reduce((sum, id) => sum + bytesOf(id), 0);
  /** The most while something is done. */
  const most = async (act) => {
    let found = now();
    const timer = setInterval(() => (found = Math.max(found, now())), sampleMs);
    const said = await act();
    clearInterval(timer);
    return [Math.max(found, now()), said];
  };
  const given = cases[name];
  if (given === null) console.log(`${name}: ${megabytes(now())}`);
  else {
    const [training, threads] = await most(() => page.evaluate((what) => globalThis.train(what), given));
    const after = now();
    const [storing] = await most(() => page.evaluate(() => globalThis.store()));
    console.log(
      `${name}: ${megabytes(training)} while training starts and goes on (${threads} threads for the first), ${megabytes(after)} after it, ${megabytes(storing)} while stored`,
    );
  }
  await browser.close();
  await server.close();
}
