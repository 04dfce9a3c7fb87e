// One name in the forms that files, TypeScript and C++ use.
import { SetupProblem } from '../lib/steps.mjs';

/** Words of C++ and TypeScript that name nothing else. */
const keywords = new Set(
  `auto await bool break case catch char class const continue default delete do double else enum export extends false final float for
  function if import in int interface long new null operator private protected public return short signed static struct super switch
  template this throw true try type typeof union unsigned using var void volatile while with yield`.split(/\s+/),
);

const upper = (word) => word[0].toUpperCase() + word.slice(1);

/** { kebab, camel, Class, snake, CONSTANT, words } of a name with hyphens. */
export function namesOf(kebab) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kebab ?? '')) {
    throw new SetupProblem(
      `The name is ${kebab === undefined ? 'missing' : `'${kebab}'`}; expected lower-case words with hyphens between them, as in token-ranks`,
    );
  }
  if (keywords.has(kebab))
    throw new SetupProblem(`The name is '${kebab}', a word of C++ or TypeScript; expected another`);
  const words = kebab.split('-');
  const upperCamel = words.map(upper).join('');
  return {
    kebab,
    camel: words[0] + words.slice(1).map(upper).join(''),
    Class: upperCamel,
    snake: words.join('_'),
    CONSTANT: words.join('_').toUpperCase(),
    words: words.join(' '),
    Words: upper(words.join(' ')),
  };
}
