// The command `tied-embeddings`. Data go to stdout, everything else to stderr; exit codes follow sysexits.h.
import { nearest, version } from './command-parts.js';
import { readArguments } from './declare.mjs';
import { exitCodes, Refusal } from './exit-codes.mjs';
import { reasonOf } from './files.mjs';
import { generalHelp, groupHelp, helpOf } from './help.mjs';
import { complain } from './style.mjs';
import { verbs } from './verbs.mjs';

/** The verb with which these words begin. @param {readonly string[]} words */
const verbIn = (words) => verbs.find(({ name }) => name.split(' ').every((word, i) => words[i] === word));

const isHelp = (word) => word === '--help' || word === '-h';

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
export async function main(words) {
  const verb = verbIn(words);
  if (verb === undefined) return withoutVerb(words);
  const rest = words.slice(verb.name.split(' ').length);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? rest.length : end).some(isHelp)) {
    process.stdout.write(helpOf(verb));
    return exitCodes.done;
  }
  try {
    return await verb.run(readArguments(verb, rest));
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message, error.exitCode);
    // A file or folder that the system refuses, where no verb has words for it.
    const { path, code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (path !== undefined && code !== undefined) return refuse(`${path} cannot be used: ${reasonOf(error)}`);
    throw error;
  }
}

function withoutVerb(words) {
  if (words[0] === '--version' || words[0] === '-v') {
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  const asked = words[0] === 'help' ? verbIn(words.slice(1)) : undefined;
  if (asked !== undefined) {
    process.stdout.write(helpOf(asked));
    return exitCodes.done;
  }
  // After the first word of a group, only the group's commands.
  const named = words[0] === 'help' ? words[1] : words[0];
  const ofGroup = verbs.filter(({ name }) => name.startsWith(`${named} `));
  if (words.length === 0 || words.some(isHelp) || words[0] === 'help') {
    process.stdout.write(ofGroup.length > 0 ? groupHelp(named, ofGroup) : generalHelp(verbs));
    return words.length === 0 ? exitCodes.usage : exitCodes.done;
  }
  const all = verbs.map(({ name }) => name);
  const group = ofGroup.map(({ name }) => name);
  const names = group.length > 0 ? group : all;
  const both = words.slice(0, 2).join(' ');
  const ofTwo = nearest(both, names);
  const close = ofTwo ?? nearest(words[0], names);
  const written = group.length > 0 || ofTwo !== null ? both : words[0];
  const hint = close === null ? `expected one of ${names.join(', ')}` : `did you mean ${close}?`;
  return refuse(`'${written}' is not a command; ${hint}`);
}

function refuse(message, code = exitCodes.usage) {
  complain(message);
  return code;
}
