#!/bin/sh
# A chat template that strips line breaks strips the indentation of code, too.
#
# Software: @huggingface/jinja 0.5.11 (JavaScript), which @huggingface/transformers 4.3.2 uses for chat templates.
# Guess before running: strings have Python's methods, as in Jinja 3.1, for which chat templates are written; what is missing is refused. After strip('ac') had
# been seen to do nothing, before the next run: lstrip('\n') removes white space of all kinds.
# Seen: so it is. '\n    x'.lstrip('\n') is 'x', and 'x  \n'.rstrip('\n') is 'x', without their spaces. '--x--'.strip('-') stays as it is. The argument is ignored, while
# that of split and replace is obeyed. Lists are equal only to themselves, '1' equals 1, and -7 % 3 is -1.
# Why it surprises: published templates have lstrip('\n') around an answer, to remove the line break after a mark. An answer that begins with indented code
# then gives other tokens in a page than in training, without an error; most texts do not begin with spaces, so tests pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @huggingface/jinja@0.5.11 >&2
cat > strip.mjs <<'END'
import { Template } from '@huggingface/jinja';

const text = '<think>Indent it.</think>\n    return x';
// What the expression gives in Jinja 3.1 with Python's strings, and what was seen here.
const cases = [
  ["{{ text.split('</think>')[-1].lstrip('\\n') }}", '    return x', 'return x'],
  ["{{ 'x  \\n'.rstrip('\\n') }}", 'x  ', 'x'],
  ["{{ '--x--'.strip('-') }}", 'x', '--x--'],
  ["{{ 'a-b-c'.split('-', 1) | join('|') }}", 'a|b-c', 'a|b-c'],
  ["{{ 'aXbX'.replace('X', 'y', 1) }}", 'aybX', 'aybX'],
  ["{{ 'equal' if [1] == [1] else 'not' }}", 'equal', 'not'],
  ["{{ 'equal' if '1' == 1 else 'not' }}", 'not', 'equal'],
  ['{{ -7 % 3 }}', '2', '-1'],
];
let isSo = true;
for (const [template, inPython, seen] of cases) {
  const result = new Template(template).render({ text });
  console.log(template, 'Python:', JSON.stringify(inPython), 'here:', JSON.stringify(result));
  isSo &&= result === seen;
}
process.exit(isSo ? 0 : 1);
END
node strip.mjs
