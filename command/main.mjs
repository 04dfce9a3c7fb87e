// The command `tied-embeddings`. Data go to stdout, everything else to stderr; exit codes as of sysexits.h.
import { expandCommand, collectCommand, runCommand } from './experiment.mjs';
import { exitCodes, Refusal } from './exit-codes.mjs';
import { helpOf } from './help.mjs';

const commands = {
  'experiment run': runCommand,
  'experiment expand': expandCommand,
  'experiment collect': collectCommand,
};

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
export async function main(words) {
  const name = Object.keys(commands).find((each) => each.split(' ').every((word, i) => words[i] === word));
  if (name === undefined) {
    if (words.length === 0 || words.some((word) => word === '--help' || word === '-h' || word === 'help')) {
      process.stdout.write(helpOf(null));
      return words.length === 0 ? exitCodes.usage : exitCodes.done;
    }
    const known = Object.keys(commands).join(', ');
    return refuse(`'${words.slice(0, 2).join(' ')}' is not a command; expected one of ${known}`);
  }
  const rest = words.slice(name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(helpOf(name));
    return exitCodes.done;
  }
  try {
    return await commands[name](rest);
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message, error.exitCode);
    throw error;
  }
}

function refuse(message, code = exitCodes.usage) {
  process.stderr.write(`tied-embeddings: ${message}\n`);
  return code;
}
