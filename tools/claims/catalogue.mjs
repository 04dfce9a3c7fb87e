// What the claims are about, in the order of docs/claims.md. An entry has
//   id        a number, or a name if it goes beyond the sources
//   title     the claim, in words
//   criteria  [experiment, ids of its claims]: what decides it, declared before the run
//   surveys   [survey, ids of its claims]: the same of many texts, on which nothing is trained
//   values    [experiment, value in the language of claims, { expected, chance }]: what is shown beside the criteria
//   tests     [file, name of a test]: what checks it without a trained model
//   missing   what cannot be measured yet, and why
//   differs   how the outcome differs from what was expected, and why
// Expected values were measured by an independent program before the package existed (docs/small-transformers.md), unless the
// text says otherwise.
import { beyond } from './catalogue/beyond.mjs';
import { counts } from './catalogue/counts.mjs';
import { optimizing } from './catalogue/optimizers.mjs';
import { paths } from './catalogue/paths.mjs';
import { roles } from './catalogue/roles.mjs';
import { surveyed } from './catalogue/surveyed.mjs';
import { tables } from './catalogue/tables.mjs';
import { training } from './catalogue/training.mjs';

const inOrder = (entries) => [...entries].sort((a, b) => Number(a.id) - Number(b.id));

/** @type {import('./catalogue/entry.mjs').Entry[]} */
export const catalogue = [
  ...inOrder([...paths, ...training, ...tables, ...counts]),
  ...beyond,
  ...roles,
  ...optimizing,
  ...surveyed,
];
