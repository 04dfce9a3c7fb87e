// Our builds in the three hosts, as contenders.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage } from '../hosts/pages.mjs';
import { startLines } from '../hosts/lines.mjs';

const nodeProgram = fileURLToPath(new URL('../hosts/node-core.mjs', import.meta.url));

/** `start` starts a process that answers lines: one for most cases, and a new one for each measurement of a fresh case. */
async function fromLines(start, description) {
  const lines = start();
  const list = await lines.ask('cases');
  const fresh = new Set(list.filter((one) => one.fresh).map(({ id }) => id));
  const measure = async (id, milliseconds) => {
    const question = `measure ${milliseconds} ${id}`;
    if (!fresh.has(id)) return lines.ask(question);
    const other = start();
    try {
      return await other.ask(question);
    } finally {
      await other.close();
    }
  };
  return {
    ...description,
    clock: 'processor',
    list,
    cases: () => list.map(({ id }) => id),
    measure,
    close: lines.close,
  };
}

/** The program of a native build folder; `list` has the cases: { id, operations, items, itemsName }[]. */
export function nativeCore(folder, name = 'ours') {
  return fromLines(() => startLines(join(folder, 'bench/bench_core'), []), { name, host: 'native' });
}

/** The wasm of a build folder in Node; `relaxed` enables the required feature. */
export function nodeCore(folder, name, { relaxed = false } = {}) {
  const flags = relaxed && Number(process.versions.node.split('.')[0]) < 21 ? ['--experimental-wasm-relaxed-simd'] : [];
  const start = () => startLines(process.execPath, [...flags, nodeProgram, join(folder, 'bench/bench_core.cjs')]);
  return fromLines(start, { name, host: 'Node', version: process.versions.node });
}

/** The wasm of a build folder in its own page. */
export async function chromiumCore(browser, folder, name) {
  const { page, close } = await openPage(browser, {
    folders: { '/bench/': join(folder, 'bench') },
    pages: { '/': '<!doctype html><script src="bench/bench_core.cjs"></script>' },
    isolated: true,
  });
  // The instance in `core`, or a new one that is discarded afterwards.
  const ask = async (question, types, values, { fresh = false } = {}) => {
    const answer = JSON.parse(
      await page.evaluate(
        async ([name, types, values, fresh]) =>
          (fresh ? await globalThis.createBench() : globalThis.core).ccall(name, 'string', types, values),
        [question, types, values, fresh],
      ),
    );
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  try {
    await page.evaluate(async () => {
      globalThis.core = await globalThis.createBench();
    });
    const list = await ask('bench_cases', [], []);
    const fresh = new Set(list.filter((one) => one.fresh).map(({ id }) => id));
    return {
      name,
      host: 'Chromium',
      version: browser.version(),
      clock: 'wall',
      list,
      cases: () => list.map(({ id }) => id),
      measure: (id, milliseconds) =>
        ask('bench_measure', ['number', 'string'], [milliseconds, id], { fresh: fresh.has(id) }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
