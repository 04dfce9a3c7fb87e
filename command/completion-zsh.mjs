// The zsh completion: calls zsh's own _arguments for each verb, with descriptions from the help.
import { allFlags } from './declare.mjs';
import { placeholder } from './help.mjs';
import { quoted } from './shell-words.mjs';

/** @typedef {import('./declare.mjs').Verb} Verb */

/** @param {readonly Verb[]} verbs */
export const zshScript = (verbs) => `# Completion of tied-embeddings, written by: tied-embeddings completion zsh

_tied_embeddings() {
  local -a next takes
  local -i i
  # The command that npx starts, after npx's own flags.
  if [[ \${words[1]:t} == npx ]]; then
    for ((i = 2; i < CURRENT; i++)); do
      [[ $words[i] == -* ]] || break
    done
    if ((i >= CURRENT)) || [[ \${words[i]%%@*} != tied-embeddings ]]; then
      _default
      return
    fi
    words=("\${(@)words[i,-1]}")
    ((CURRENT -= i - 1))
  fi

  # The number of words of the verb, or the next words of the verbs that begin like this line.
  case "\${(j: :)words[2,CURRENT-1]}" in
${[...beginnings(verbs)].map((beginning) => branch(beginning, nextOf(verbs, beginning))).join('\n')}
${verbs.map(takes).join('\n')}
    *) return 1 ;;
  esac
  if (($#next)); then
    if [[ $PREFIX == -* ]]; then _arguments '--help[this text]' '--version[the version of the package]'; else _describe command next; fi
    return
  fi
  words=("$words[1]" "\${(@)words[i+2,-1]}")
  ((CURRENT -= i))
  _arguments -S : "$takes[@]"
}

(($+functions[compdef])) || { autoload -Uz compinit && compinit; }
compdef _tied_embeddings tied-embeddings
(($+_comps[npx])) || compdef _tied_embeddings npx
`;

/** What verbs begin with, up to but not including their last word. @param {readonly Verb[]} verbs */
function beginnings(verbs) {
  const all = verbs.flatMap(({ name }) => {
    const words = name.split(' ');
    return words.map((_, count) => words.slice(0, count).join(' '));
  });
  return new Set(all);
}

/** The next words of the verbs with this beginning, and their descriptions from the help. @param {readonly Verb[]} verbs @param {string} beginning */
function nextOf(verbs, beginning) {
  const behind = beginning === '' ? '' : `${beginning} `;
  /** @type {Map<string, string[]>} */
  const next = new Map();
  for (const { name, summary } of verbs) {
    if (!name.startsWith(behind)) continue;
    const [word, ...others] = name.slice(behind.length).split(' ');
    next.set(word, [...(next.get(word) ?? []), others.length === 0 ? summary : others.join(' ')]);
  }
  return next;
}

/** @param {string} beginning @param {Map<string, string[]>} next */
function branch(beginning, next) {
  const described = [...next].map(([word, said]) => quoted(`${word}:${said.join(', ')}`));
  return `    ${quoted(beginning)})
      next=(
        ${described.join('\n        ')}
      )
      ;;`;
}

/** @param {Verb} verb */
function takes(verb) {
  const flags = Object.entries(allFlags(verb)).map(([name, flag]) => {
    const said = `[${escaped(flag.summary)}]`;
    return quoted(
      flag.kind === 'switch' ? `--${name}${said}` : `--${name}=${said}:${escaped(placeholder(flag))}:${action(flag)}`,
    );
  });
  const operands = verb.operands.map((operand) =>
    quoted(
      `${operand.repeated === true ? '*:' : operand.optional === true ? '::' : ':'}${escaped(operand.name)}:${action(operand)}`,
    ),
  );
  return `    ${quoted(verb.name)} | ${quoted(`${verb.name} `)}*)
      i=${verb.name.split(' ').length}
      takes=(
        ${[...flags, ...operands].join('\n        ')}
      )
      ;;`;
}

/** How zsh completes a value; a space means not at all. @param {{ kind: string, of?: readonly string[] }} value */
function action({ kind, of = [] }) {
  if (kind === 'choice') return `(${of.join(' ')})`;
  return { file: '_files', folder: '_files -/' }[kind] ?? ' ';
}

/** Escapes what would end a part of an argument of _arguments. @param {string} text */
const escaped = (text) => text.replaceAll(/[\\:[\]]/g, String.raw`\$&`);
