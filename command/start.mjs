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

process.exitCode = await main(process.argv.slice(2));
