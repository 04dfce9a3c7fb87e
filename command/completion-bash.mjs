// The bash completion: tables of what each verb takes, and one function that reads them.
import { allFlags } from './declare.mjs';
import { quoted } from './shell-words.mjs';

/** @typedef {import('./declare.mjs').Verb} Verb */

/** @param {readonly Verb[]} verbs */
export const bashScript = (verbs) => `# Completion of tied-embeddings, written by: tied-embeddings completion bash

_tied_embeddings_verbs=(${verbs.map(({ name }) => quoted(name)).join(' ')})

# What the verb takes: its operands and its flags, each with its kind and the words of a choice.
_tied_embeddings_takes() {
  case $verb in
${verbs.map(takes).join('\n')}
  esac
}
${functions}
complete -F _tied_embeddings tied-embeddings
# For other programs that npx starts, files are completed as before.
complete -p npx > /dev/null 2>&1 || complete -o bashdefault -o default -F _tied_embeddings npx
`;

/** @param {Verb} verb */
function takes(verb) {
  const operands = verb.operands.map(({ kind, of = [] }) => quoted([kind, ...of].join(' ')));
  const flags = Object.entries(allFlags(verb)).map(([name, { kind, of = [] }]) =>
    quoted([`--${name}`, kind, ...of].join(' ')),
  );
  return `  ${quoted(verb.name)})
    operands=(${operands.join(' ')}) repeated=${verb.operands.at(-1)?.repeated === true ? 'yes' : "''"}
    flags=(
      ${flags.join('\n      ')}
    )
    ;;`;
}

const functions = `
# Offers a word, without the part that bash keeps: bash replaces only what follows the last =, : or @.
_tied_embeddings_add() {
  local whole=$before$1
  COMPREPLY+=("\${whole#"$kept"}")
}

# Offers completions of the kind $1; the words of a choice follow it.
_tied_embeddings_offer() {
  local kind=$1 word
  shift
  case $kind in
  choice)
    for word in "$@"; do
      if [[ $word == "$typed"* ]]; then _tied_embeddings_add "$word"; fi
    done
    ;;
  file | folder)
    # Makes bash put a slash after folders, quote names and complete variables. Bash 3 has no compopt.
    compopt -o filenames -o bashdefault 2> /dev/null
    if [[ $kind == file ]]; then kind=-f; else kind=-d; fi
    while IFS= read -r word; do
      _tied_embeddings_add "$word"
    done < <(compgen "$kind" -- "$typed")
    ;;
  esac
}

# Offers the values of the flag $1.
_tied_embeddings_values() {
  local flag
  for flag in "\${flags[@]}"; do
    # Unquoted, so it splits into the kind and the choices.
    if [[ \${flag%% *} == "$1" ]]; then _tied_embeddings_offer \${flag#* }; fi
  done
}

# Whether the flag $1 takes a value.
_tied_embeddings_valued() {
  local flag
  for flag in "\${flags[@]}"; do
    if [[ \${flag%% *} == "$1" ]]; then [[ $flag != *' switch' ]] && return; fi
  done
  return 1
}

_tied_embeddings() {
  local IFS=$' \\t\\n' i word name verb='' typed='' before='' kept='' at=0
  local words=() parts=() operands=() flags=() repeated=''
  COMPREPLY=()

  # The words of the line, joined again where bash has split them at =, : or @.
  local parting joins=''
  for ((i = 0; i < \${#COMP_WORDS[@]}; i++)); do
    word=\${COMP_WORDS[i]}
    parting=''
    if [[ -n $word && -z \${word//[=:@]/} ]]; then parting=yes; fi
    if [[ $i -gt 0 && -n $joins$parting ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    joins=$parting
    if [[ $i -eq $COMP_CWORD ]]; then
      at=$((\${#words[@]} - 1))
      typed=\${words[at]}
      if [[ -n $parting ]]; then kept=$typed; else kept=\${typed%"$word"}; fi
      # Bash itself keeps an opening quote.
      typed=\${typed#[\\"\\']}
    fi
  done

  # The command that npx starts, after npx's own flags.
  if [[ \${words[0]##*/} == npx ]]; then
    for ((i = 1; i < at; i++)); do
      if [[ \${words[i]} != -* ]]; then break; fi
    done
    if [[ $i -ge $at || \${words[i]%%@*} != tied-embeddings ]]; then return; fi
    compopt +o bashdefault +o default 2> /dev/null
    words=("\${words[@]:i}")
    at=$((at - i))
  fi

  # The verb, or the next words of the verbs that begin like this line.
  local first=0 line="\${words[*]:1:at-1}"
  line=\${line:+$line }
  for name in "\${_tied_embeddings_verbs[@]}"; do
    if [[ $line == "$name "* ]]; then
      verb=$name
      parts=($name)
      first=$((\${#parts[@]} + 1))
      break
    elif [[ $name == "$line"* ]]; then
      word=\${name#"$line"}
      word=\${word%% *}
      if [[ " \${COMPREPLY[*]} " != *" $word "* ]]; then _tied_embeddings_offer choice "$word"; fi
    fi
  done
  if [[ -z $verb ]]; then
    if [[ $at -eq 1 && $typed == -* ]]; then _tied_embeddings_offer choice --help --version; fi
    return
  fi
  _tied_embeddings_takes

  # What is on the line: flags, operands, and a flag whose value is expected here.
  local given=' ' place=0 ended='' waits='' here_waits='' here_place=0 here_ended=''
  for ((i = first; i < \${#words[@]}; i++)); do
    word=\${words[i]}
    if [[ $i -eq $at ]]; then
      here_waits=$waits here_place=$place here_ended=$ended
      waits=''
    elif [[ -n $waits ]]; then
      waits=''
    elif [[ $word == *[\\<\\>] ]]; then
      waits=redirection
    elif [[ -n $ended || $word != -* ]]; then
      place=$((place + 1))
    elif [[ $word == -- ]]; then
      ended=yes
    else
      given+="\${word%%=*} "
      if [[ $word != *=* ]] && _tied_embeddings_valued "$word"; then waits=$word; fi
    fi
  done

  if [[ $here_waits == redirection ]]; then
    _tied_embeddings_offer file
  elif [[ -n $here_waits ]]; then
    _tied_embeddings_values "$here_waits"
  elif [[ -z $here_ended && $typed == --*=* ]]; then
    before=\${typed%%=*}=
    typed=\${typed#*=}
    _tied_embeddings_values "\${before%=}"
  elif [[ ($here_place -lt \${#operands[@]} || (-n $repeated && -n $typed)) && ($typed != -* || -n $here_ended) ]]; then
    if [[ $here_place -ge \${#operands[@]} ]]; then here_place=$((\${#operands[@]} - 1)); fi
    _tied_embeddings_offer \${operands[here_place]}
  elif [[ -z $here_ended ]]; then
    for name in "\${flags[@]}"; do
      name=\${name%% *}
      if [[ $given != *" $name "* ]]; then _tied_embeddings_offer choice "$name"; fi
    done
  fi
}
`;
