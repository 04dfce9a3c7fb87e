import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The outcomes of five experiments of claims/: how often tokens follow themselves in tied and untied models, what part of a tied path's
 * loss the sign of its eigenvalues explains, and what logits tell of a table.
 */
const experiments = ['sharp-law', 'tied-gap', 'tied-gap-words', 'table-leaks', 'sharp-law-speeches'];

/** What an outcome shows, by name: its mean over the seeds. */
function readerOf({ experiment, values }) {
  return (name) => {
    const mean = values.find(({ value }) => value === name)?.points[0]?.mean;
    if (typeof mean !== 'number') throw new Error(`claims/outcomes/${experiment}.json has no ${name}`);
    return mean;
  };
}

/** Paths of a transformer, from the tables alone to what they pass through first. */
const paths = { alone: 'finalNorm=false, mlp0=false', norm: 'finalNorm=true, mlp0=false', mlp: 'finalNorm=true, mlp0=true' };

/** Of one model: the share of tokens that follow themselves less often than they occur, by path and in the whole model, and how often tokens follow themselves. */
function modelOf(valueOf, arm) {
  const below = (path) => valueOf(`path-repetition(${arm}, ${path}).below`);
  return {
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, below(path)])),
    chance: valueOf(`path-repetition(${arm}, ${paths.alone}).below.chance`),
    whole: valueOf(`self-transitions(${arm}).below`),
    repeats: [20, 100].map((step) => valueOf(`self-transitions(${arm}, step=${step})`)).concat(valueOf(`self-transitions(${arm})`)),
  };
}

/** Nats above the pairs' own entropy, one part above the other. */
function gapOf(valueOf) {
  const symmetry = valueOf('tied-floor(tied).symmetric - tied-floor(tied).bigram');
  const floor = valueOf('tied-floor(tied) - tied-floor(tied).bigram');
  const trained = valueOf('training-loss(tied-wide) - tied-floor(tied).bigram');
  const eigenvalues = floor - symmetry;
  return { symmetry, floor, trained, eigenvalues, rest: trained - floor, share: eigenvalues / trained };
}

function leakOf(valueOf) {
  const pathOf = (arm) => ({
    width: valueOf(`recovered-table(${arm}).width`),
    cosine: valueOf(`recovered-table(${arm}).cosine`),
    chance: valueOf(`recovered-table(${arm}).cosine.chance`),
  });
  return {
    tied: pathOf('tied'),
    bias: pathOf('tied-bias'),
    untied: {
      ...pathOf('untied'),
      space: valueOf('recovered-table(untied).reading'),
      spaceByChance: valueOf('recovered-table(untied).reading.chance'),
    },
    residual: valueOf('recovered-table(tied).residual'),
    gap: valueOf('recovered-table(tied).gap'),
  };
}

/** @param {any[]} outcomes - of `experiments`, in their order */
export function lawFacts([law, characters, words, leaks, speeches]) {
  const valueOf = readerOf(law);
  return {
    tied: { shallow: modelOf(valueOf, 'tied-1'), deep: modelOf(valueOf, 'tied-4') },
    untied: { shallow: modelOf(valueOf, 'untied-1'), deep: modelOf(valueOf, 'untied-4') },
    observed: valueOf('self-transitions(tied-1).observed'),
    byChance: valueOf('self-transitions(tied-1).chance'),
    gap: { characters: gapOf(readerOf(characters)), words: gapOf(readerOf(words)) },
    leak: leakOf(readerOf(leaks)),
    /** What the first MLP frees in models of another text. */
    speeches: { mlp: readerOf(speeches)(`path-repetition(tied-4, ${paths.mlp}).below`) },
  };
}

/** @param {string} root */
export async function readLawFacts(root) {
  const files = experiments.map((name) => readFile(join(root, `claims/outcomes/${name}.json`), 'utf8'));
  return lawFacts((await Promise.all(files)).map((text) => JSON.parse(text)));
}
