// The kinds of things that `npm run new` can start.
import { SetupProblem } from '../lib/steps.mjs';
import { diagnosticOwners, planDiagnostic } from './diagnostic.mjs';
import { planFigure } from './figure.mjs';
import { planFormat } from './format.mjs';
import { namesOf } from './names.mjs';
import { optionOwners, planOption } from './option.mjs';

export const kinds = {
  figure: { what: 'an element with settings, a drawing and its tests', example: 'token-ranks', plan: planFigure },
  option: {
    what: 'an option of models (or --of training) that the core refuses until its mathematics is there',
    example: 'gradient-noise --of training',
    owners: optionOwners,
    plan: planOption,
  },
  diagnostic: {
    what: 'a measure of tables, in C++, or --of trainer, of a text that a trainer reads',
    example: 'row-share',
    owners: diagnosticOwners,
    plan: planDiagnostic,
  },
  format: { what: 'a reader of checkpoints in another format', example: 'tensor-pack', plan: planFormat },
};

const given = (word) => (word === undefined ? 'missing' : `'${word}'`);

/**
 * The plan of a new thing in the project's folder, from the words of the command: a kind, a name and, for some kinds, `--of` whose it is.
 * Throws, before anything is written, for what cannot be.
 */
export async function planOf(folder, words) {
  const rest = [...words];
  const at = rest.indexOf('--of');
  const owner = at < 0 ? undefined : rest.splice(at, 2)[1];
  const [kind, name, ...more] = rest;
  if (!Object.hasOwn(kinds, kind ?? '')) {
    throw new SetupProblem(`The kind is ${given(kind)}; expected ${Object.keys(kinds).join(', ')}`);
  }
  const { owners = [], plan } = kinds[kind];
  if (at >= 0 && !owners.includes(owner)) {
    const expected = owners.length === 0 ? `no --of for a ${kind}` : owners.join(' or ');
    throw new SetupProblem(`--of is ${given(owner)}; expected ${expected}`);
  }
  if (more.length > 0) throw new SetupProblem(`${more.join(' ')} follows the name; expected one name, in one word`);
  return plan(folder, namesOf(name), owner ?? owners[0]).format();
}

const list = (lines) => lines.map((line) => `  ${line}`).join('\n');

/** What was written, and what the author fills in. */
export function report(plan) {
  const { created, edited, marks, next } = plan;
  return `Written:
${list(created)}
Extended:
${list(edited)}

Fill in:
${list(marks.map(([path, line, what]) => `${path}:${line}  ${what}`))}

Then:
${list(next)}`;
}
