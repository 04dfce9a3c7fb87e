// The identity card of a file that the reader has chosen, through the built package as in a page.
import { createLab } from '/dist/tied-embeddings.js';

const input = document.createElement('input');
input.type = 'file';
input.multiple = true;
document.body.append(input);

/** Bytes that a card reads at a time. */
const PIECE = 2 ** 22;
/** Where cards are cancelled, as shares of their rows; results are computed after the last row. */
const CANCELLED_AT = [0.02, 0.3, 0.6, 1];
/** Delay from a progress report to the abort, so that something is under way. */
const BETWEEN_MS = 15;

/** Workers started minus workers ended, and the most at a time. */
const workers = { now: 0, most: 0 };
globalThis.Worker = class extends Worker {
  constructor(...how) {
    super(...how);
    workers.now++;
    workers.most = Math.max(workers.most, workers.now);
  }
  terminate() {
    super.terminate();
    workers.now--;
  }
};
const lab = await createLab();
if (lab.mode !== 'worker') throw new Error('the lab has no worker of its own');
/** A checkpoint names its configuration config.json; in our folder, its name starts with that of its file. */
const nameOf = (file) => (file.name.endsWith('.config.json') ? 'config.json' : file.name);
const opened = (inLab = lab) => inLab.openCheckpoint([...input.files].map((file) => new File([file], nameOf(file))));
// Loads the module before anything is measured.
await lab.decodeElements('F32', new Uint8Array(4), 1);

/** Milliseconds of each task of the page that took 50 or more. */
const longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
  type: 'longtask',
});
/** Observers are notified of a task after it has ended. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 100));

async function make(inLab) {
  const checkpoint = await opened(inLab);
  let reports = 0;
  await settled();
  longTasks.length = 0;
  workers.most = workers.now;
  const start = performance.now();
  const { data } = await checkpoint.identityCard({ onProgress: () => reports++ });
  const seconds = (performance.now() - start) / 1000;
  await settled();
  const facts = {
    'longest task, milliseconds': Math.max(0, ...longTasks),
    'reports of progress': reports,
    workers: workers.most,
    asymmetry: data.asymmetry.asymmetry,
  };
  return { seconds, calls: 1, facts };
}

/** Where the browser reports one core. */
async function alone() {
  const { hardwareConcurrency } = navigator;
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1, configurable: true });
  lab.dispose();
  const single = await createLab();
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: hardwareConcurrency, configurable: true });
  await single.decodeElements('F32', new Uint8Array(4), 1);
  return make(single);
}

/** The file alone, as a card reads it. */
async function read() {
  const [file] = input.files;
  const start = performance.now();
  for (let at = 0; at < file.size; at += PIECE) await file.slice(at, at + PIECE).arrayBuffer();
  return { seconds: (performance.now() - start) / 1000, calls: 1 };
}

/** Seconds from the abort until the call rejects. */
async function secondsToCancel(checkpoint, share) {
  const cancel = new AbortController();
  let aborted = 0;
  let isDue = false;
  const onProgress = (fraction) => {
    if (isDue || fraction < share) return;
    isDue = true;
    setTimeout(() => {
      aborted = performance.now();
      cancel.abort();
    }, BETWEEN_MS);
  };
  const error = await checkpoint.identityCard({ onProgress, signal: cancel.signal }).catch((reason) => reason);
  if (error.code !== 'cancelled') throw error;
  return (performance.now() - aborted) / 1000;
}

/** The longest wait counts. */
async function cancel() {
  const waits = [];
  for (const share of CANCELLED_AT) waits.push(await secondsToCancel(await opened(), share));
  return { seconds: Math.max(...waits), calls: 1, facts: { 'cards cancelled': waits.length } };
}

/** Tokens that a model writes. */
const WRITTEN = 16;

/** Until the model of the file runs in the lab. */
async function run() {
  const checkpoint = await opened();
  const start = performance.now();
  const trainer = await checkpoint.toTrainer();
  const seconds = (performance.now() - start) / 1000;
  const parameters = (await trainer.parameters()).reduce((sum, { count }) => sum + count, 0);
  const begin = performance.now();
  await trainer.generate({ prompt: Uint32Array.of(464, 3290, 318), tokens: WRITTEN, temperature: 0, seed: 1 });
  const writing = (performance.now() - begin) / 1000;
  return { seconds, calls: 1, facts: { parameters, 'tokens written a second': WRITTEN / writing } };
}

const measures = { make: () => make(), 'one-worker': alone, read, cancel, run };
globalThis.measureCard = (kind) => measures[kind]();
globalThis.ready = true;
