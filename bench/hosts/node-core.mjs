// Runs in Node: answers the lines of bench_core (README.md) with its wasm build, whose glue is the first argument.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const core = await createRequire(import.meta.url)(process.argv[2])();
for await (const line of createInterface({ input: process.stdin })) {
  const [, milliseconds, id] = /^measure (\S+) (.+)$/.exec(line) ?? [];
  const answer =
    line === 'cases'
      ? core.ccall('bench_cases', 'string', [], [])
      : core.ccall('bench_measure', 'string', ['number', 'string'], [Number(milliseconds), id ?? line]);
  console.log(answer);
}
