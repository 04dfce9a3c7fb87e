// completion: the script that lets a shell complete this command, generated from the declarations of all verbs.
import { bashScript } from './completion-bash.mjs';
import { zshScript } from './completion-zsh.mjs';
import { exitCodes } from './exit-codes.mjs';

/** @typedef {import('./declare.mjs').Verb} Verb */

/** @type {Readonly<Record<string, (verbs: readonly Verb[]) => string>>} */
const scripts = { bash: bashScript, zsh: zshScript };

/**
 * @param {() => readonly Verb[]} verbs A function, because this verb is one of them.
 * @returns {Verb}
 */
export const completionOf = (verbs) => ({
  name: 'completion',
  summary: 'write a script that completes verbs, options, their values and files in bash or zsh',
  about:
    'Writes a shell script that completes verbs, options, their values, files and folders for tied-embeddings and npx tied-embeddings. ' +
    'The script does not start Node. Write it again after an update of the package, which may have new verbs.',
  operands: [{ name: 'SHELL', kind: 'choice', of: Object.keys(scripts) }],
  flags: {},
  examples: [
    'source <(npx tied-embeddings completion bash)',
    'npx tied-embeddings completion zsh > ~/.tied-embeddings.zsh',
  ],
  run: ({ operands: [shell] }) => {
    process.stdout.write(scripts[shell](verbs()));
    return Promise.resolve(exitCodes.done);
  },
});
