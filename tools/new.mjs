// npm run new: writes the stubs of a figure, an option, a diagnostic or a format, with their tests. docs/adding.md has the reasons.
import { root } from './lib/root.mjs';
import { program } from './lib/steps.mjs';
import { kinds, planOf, report } from './new/kinds.mjs';

const help = () => `npm run new -- KIND NAME   writes stubs with tests that pass, and says what to fill in

${Object.entries(kinds)
  .map(([kind, { what, example }]) => `  ${kind.padEnd(11)} ${what}; for example: npm run new -- ${kind} ${example}`)
  .join('\n')}

NAME is in lower case, with hyphens between words. Nothing is written if anything with that name exists.
The stubs are in the project's format; docs/adding.md says why each part is where it is.`;

await program(
  async (words) => {
    if (words.length === 0) return console.log(help());
    const plan = await planOf(root, words);
    plan.write();
    console.log(report(plan));
  },
  { help },
);
