// node bench/one-model-rates.mjs [--json FILE]
// Two rates of the formula of bench/one-model-cost.mjs that times of whole steps do not tell apart, each measured by itself in Chromium:
// what a parameter costs in each step, however few tokens there are, and what it costs to move a number between two threads. Needs dist/.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../tools/lib/root.mjs';
import { isolation, launchBrowser } from './hosts/pages.mjs';
import { serve } from '../tools/serve/server.mjs';
import { median } from './statistics.mjs';

const { values } = parseArgs({ options: { json: { type: 'string' } } });
const rounds = 5;

/** None of these is among the models whose steps the formula is fitted to or tried on. */
const models = {
  deep: { dModel: 96, nLayers: 6, vocabSize: 256 },
  broad: { dModel: 192, nLayers: 1, vocabSize: 1024 },
};

const script = `
import { loadCore } from '/dist/tied-embeddings.js';
const core = await loadCore();
const contextLength = 8;
const trainers = new Map();
const parametersOf = (trainer) => trainer.parameters().reduce((sum, { tiedTo, count }) => sum + (tiedTo === null ? count : 0), 0);
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
/** Nanoseconds of one of the calls in a short while. */
const timed = (act) => {
  let calls = 0;
  const start = performance.now();
  do calls += act();
  while (performance.now() - start < 10);
  return (1e6 * (performance.now() - start)) / calls;
};
/** Nanoseconds of a step by its number of tokens: medians of so many turns. */
globalThis.stepTimes = (model, turns) => {
  const key = JSON.stringify(model);
  if (!trainers.has(key))
    trainers.set(key, [1, 2, 3].map((batchSize) => core.createTrainer({
      model: { kind: 'transformer', nHeads: 4, contextLength, tying: 'tied', ...model },
      training: { learningRate: 0.001, batchSize, seed: 1 },
      tokenIds: Uint32Array.from({ length: 10_000 }, (_, at) => (at * 7919 + (at >> 3)) % model.vocabSize),
    })));
  const own = trainers.get(key);
  const times = own.map(() => []);
  for (let turn = 0; turn < turns; turn++)
    own.forEach((trainer, i) => times[i].push(timed(() => trainer.run(4).length)));
  return {
    parameters: parametersOf(own[0]),
    times: own.map(({ training }, i) => ({ tokens: training.batchSize * contextLength, nanoseconds: median(times[i]) })),
  };
};
/** Nanoseconds to copy a number, between the memory of a core and an array that is sent: one million at a time, each time others. */
globalThis.copyTime = (turns) => {
  const bytes = 4e6;
  const places = 16;
  globalThis.memory ??= new Uint8Array(new WebAssembly.Memory({ initial: (places * bytes) / 65_536 + 1 }).buffer).fill(1);
  globalThis.message ??= new Uint8Array(bytes).fill(1);
  let copies = 0;
  const copy = () => {
    const at = (copies % places) * bytes;
    if (copies % 2) globalThis.memory.set(globalThis.message, at);
    else globalThis.message.set(globalThis.memory.subarray(at, at + bytes));
    copies++;
    return bytes / 4;
  };
  return median(Array.from({ length: turns }, () => timed(copy)));
};
globalThis.ready = true;
`;

/** What is left of the time without tokens, by the line through the points. */
export function withoutTokens(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [tokens, time] = [mean((point) => point.tokens), mean((point) => point.nanoseconds)];
  const slope =
    mean((point) => (point.tokens - tokens) * (point.nanoseconds - time)) /
    mean((point) => (point.tokens - tokens) ** 2);
  return time - slope * tokens;
}

const server = await serve({
  folders: { '/dist/': join(root, 'dist') },
  pages: { '/': '<!doctype html><script type="module" src="/page.mjs"></script>' },
  routes: {
    '/page.mjs': (_, response, headers) =>
      response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript' }).end(script),
  },
  policy: '',
  headers: isolation,
});
const browser = await launchBrowser();
try {
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => console.error(error));
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.ready);
  const found = { parameter: [], movedNumber: [] };
  for (let round = -1; round < rounds; round++) {
    const perParameter = [];
    for (const model of Object.values(models)) {
      const { parameters, times } = await page.evaluate((one) => globalThis.stepTimes(one, 15), model);
      perParameter.push(withoutTokens(times) / parameters);
    }
    const moved = await page.evaluate(() => globalThis.copyTime(15));
    // Engines still translate their code in the first round.
    if (round < 0) continue;
    found.parameter.push(perParameter.reduce((sum, one) => sum + one, 0) / perParameter.length);
    found.movedNumber.push(moved);
    console.log(
      `a parameter ${perParameter.map((one) => one.toFixed(2)).join(' and ')} ns, a number ${moved.toFixed(3)} ns`,
    );
  }
  const rates = Object.fromEntries(Object.entries(found).map(([name, all]) => [name, median(all)]));
  console.log(JSON.stringify(rates));
  if (values.json !== undefined)
    writeFileSync(
      values.json,
      `${JSON.stringify({ unit: 'nanoseconds', chromium: browser.version(), rates, rounds: found }, null, 2)}\n`,
    );
} finally {
  await browser.close();
  await server.close();
}
