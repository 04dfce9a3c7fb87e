import { exitCodes } from './exit-codes.mjs';
import { reasonOf } from './files.mjs';
import { main } from './main.mjs';

// A reader that has closed the pipe, as head does, wants no more. Anything else that keeps stdout from being written is reported.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`tied-embeddings: stdout cannot be written: ${reasonOf(error)}\n`);
  process.exit(exitCodes.cannotWrite);
});
process.stderr.on('error', () => undefined);

/** Resolves when what was written has left this process, or cannot. */
const written = (stream) => new Promise((resolve) => stream.write('', resolve));

const exitCode = await main(process.argv.slice(2));
await Promise.all([process.stdout, process.stderr].map(written));
// An error of the last write is reported first.
await new Promise(setImmediate);
// Not by running out of work: Node would first wait for compilations in its background that nobody needs any more, and
// has been seen to wait for ever (https://github.com/nodejs/node/issues/54918).
process.exit(exitCode);
