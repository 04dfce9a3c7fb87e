// The options of `npm run bench -- ...`.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SetupProblem } from '../tools/lib/steps.mjs';

export const hosts = ['native', 'Node', 'Chromium', 'Python'];

const list = (word) => word.split(',').filter((part) => part !== '');

// `value` names the option's value and `read` parses it; an option without them is a switch.
const known = {
  quick: { help: 'fewer and shorter rounds' },
  only: { value: 'NAMES', help: 'cases whose names start with these, for instance product,train/A', read: list },
  hosts: { value: 'HOSTS', help: `only contenders of these hosts: ${hosts.join(', ')}`, read: readHosts },
  peers: { help: 'without other programs', negated: true },
  build: { help: 'uses the programs in build/ as they are', negated: true },
  rounds: { value: 'NUMBER', help: 'rounds that count; a warm-up round comes first', read: readRounds },
  json: { value: 'FILE', help: 'writes what was measured' },
  svg: { value: 'FILE', help: 'draws it' },
  markdown: { value: 'FILE', help: 'writes the tables as a page' },
  from: { value: 'FILE', help: 'measures nothing: prints (and draws) what --json wrote earlier' },
  before: {
    value: 'FOLDER',
    help: 'the package (dist/) of an earlier commit, for the cases of one-model',
    read: readPackage,
  },
  compare: { value: 'COMMIT OR FOLDER', help: 'compares this checkout with a commit or a folder of builds' },
};

const nameOf = (name) => `--${known[name].negated ? 'no-' : ''}${name}`;

/** All options with their descriptions, one per line. */
export function usage() {
  const lines = Object.keys(known).map((name) => {
    const { value, help } = known[name];
    return `  ${`${nameOf(name)}${value === undefined ? '' : ` ${value}`}`.padEnd(28)}${help}`;
  });
  return ['npm run bench -- [options]', ...lines].join('\n');
}

function readHosts(word) {
  return list(word).map((part) => {
    const host = hosts.find((name) => name.toLowerCase() === part.toLowerCase());
    if (host === undefined) throw new SetupProblem(`--hosts ${word}: there are ${hosts.join(', ')}.`);
    return host;
  });
}

function readPackage(word) {
  const folder = resolve(word);
  if (existsSync(join(folder, 'tied-embeddings.js'))) return folder;
  throw new SetupProblem(`--before ${word}: this folder has no tied-embeddings.js.`);
}

function readRounds(word) {
  const rounds = Number(word);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000) return rounds;
  throw new SetupProblem(`--rounds ${word}: an integer from 1 to 1000 is expected.`);
}

/**
 * The options of a command line, given as `--name value` or `--name=value`. Refuses unknown ones and lists the known.
 * @param {string[]} words
 * @returns {{ quick: boolean, only: string[], hosts: string[], peers: boolean, build: boolean,
 *   rounds: number, json?: string, svg?: string, markdown?: string, from?: string, before?: string, compare?: string }}
 */
export function readOptions(words) {
  const options = { quick: false, only: [], hosts, peers: true, build: true, rounds: 0 };
  for (let at = 0; at < words.length; ++at) {
    const [, word, inline] = /^(--[^=]+)(?:=(.*))?$/s.exec(words[at]) ?? [];
    const name = Object.keys(known).find((candidate) => nameOf(candidate) === word);
    if (name === undefined) throw new SetupProblem(`There is no option ${words[at]}.\n\n${usage()}`);
    const { value, read = (text) => text, negated = false } = known[name];
    if (value === undefined) {
      if (inline !== undefined) throw new SetupProblem(`${word} takes no value.\n\n${usage()}`);
      options[name] = !negated;
      continue;
    }
    const text = inline ?? words[++at];
    if (text === undefined || list(text).length === 0 || (inline === undefined && text.startsWith('--'))) {
      throw new SetupProblem(`${word} needs a value: ${value}.\n\n${usage()}`);
    }
    options[name] = read(text);
  }
  if (options.from !== undefined && options.compare !== undefined) {
    throw new SetupProblem('--from measures nothing, so there is nothing to --compare.');
  }
  if (options.rounds === 0) options.rounds = options.quick ? 3 : 5;
  return options;
}

/** Whether --only includes a case: its name, or a prefix of it that ends at a slash. */
export function isWanted(id, only) {
  return only.length === 0 || only.some((part) => id === part || id.startsWith(part.endsWith('/') ? part : `${part}/`));
}
