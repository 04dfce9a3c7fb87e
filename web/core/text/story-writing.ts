/** Writes stories piece by piece. */
import { TiedError } from '../runtime/errors.js';
import type { CoreModules } from '../runtime/running-modules.js';
import { Handle } from '../runtime/runtime.js';
import { checkInteger, checkOptions, checkSeed } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';

const CHARACTERS_PER_PART = 1024;
const MAX_PARTS = 2 ** 10;
const NAMES = { atLeastCharacters: 'options.length' };

export const writeStories = verb({
  what: 'writing',
  optionsAt: 0,
  onlyInLab: 'listening',
  modules: ['stories'],
  check(options: { seed: number; length: number }) {
    const { seed, length } = checkOptions('options', options, ['seed', 'length']);
    return { seed: checkSeed('options.seed', seed), length: checkInteger('options.length', length, 1) };
  },
  *work({ modules }: CoreModules, { seed, length }): Work<string> {
    const runtime = modules.get('stories');
    const address = runtime.call(
      [],
      (module) => module.startStories(seed, length),
      (_, writing) => writing,
      NAMES,
    );
    const handle = new Handle(runtime, 'writing', address, (module, writing) => module.deleteStories(writing));
    const pieces: string[] = [];
    try {
      for (let done = 0; done < 1;) {
        const characters = CHARACTERS_PER_PART * Math.min(MAX_PARTS, yield done);
        handle.call(
          [],
          (module, writing) => module.advanceStories(writing, characters),
          (answer) => {
            done = answer.read('number');
            pieces.push(answer.text('options.length', length));
          },
          NAMES,
        );
      }
    } finally {
      handle.dispose();
    }
    try {
      return pieces.join('');
    } catch (cause) {
      const expected = 'a text that fits in a string';
      throw new TiedError('out-of-memory', `options.length is ${length}; expected ${expected}`, { cause });
    }
  },
});
