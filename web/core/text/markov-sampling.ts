/** Draws the states of a Markov chain, piece by piece. */
import type { CoreModules } from '../runtime/running-modules.js';
import { allocateResult, Handle, type Runtime } from '../runtime/runtime.js';
import type { MarkovText, Matrix } from '../types.js';
import { checkElements, checkInteger, checkMatrix, checkOptions, checkSeed } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';
import type { Work } from '../runtime/work.js';

const STATES_PER_PART = 1024;
const MAX_PARTS = 2 ** 8;

/** Checks of a chain's text, an argument with this name. */
export function checkMarkovText(argument: string, text: MarkovText): MarkovText {
  const given = checkOptions(argument, text, ['transition', 'length', 'seed']);
  const transition: Matrix = checkMatrix(`${argument}.transition`, given.transition, { square: true });
  const length = checkInteger(`${argument}.length`, given.length, 1);
  const seed = checkSeed(`${argument}.seed`, given.seed);
  checkElements('the sample', length, 1);
  return { transition, length, seed };
}

export const sampleMarkovChain = verb({
  what: 'sampling',
  optionsAt: 0,
  onlyInLab: 'listening',
  check: (options: MarkovText) => options,
  work: ({ modules }: CoreModules, options) =>
    drawStates(modules.get('analysis'), 'options', checkMarkovText('options', options)),
});

/** `text`, an argument with this name, has been checked. */
export function* drawStates(
  runtime: Runtime<AnalysisModule>,
  argument: string,
  { transition, length, seed }: MarkovText,
): Work<Uint32Array> {
  const names = { transition: `${argument}.transition`, length: `${argument}.length` };
  const address = runtime.call(
    [transition.data],
    (module, [at]) => module.startSample(at!, transition.rows, length, seed),
    (_, sample) => sample,
    names,
  );
  const handle = new Handle(runtime, 'sample', address, (module, sample) => module.deleteSample(sample));
  try {
    let parts = yield 0;
    const ids = allocateResult(() => new Uint32Array(length));
    for (let drawn = 0; ;) {
      const states = Math.min(MAX_PARTS, parts) * STATES_PER_PART;
      const some = handle.call(
        [],
        (module, sample) => module.advanceSample(sample, states),
        (answer) => answer.ids(),
        names,
      );
      ids.set(some, drawn);
      drawn += some.length;
      if (drawn === length) return ids;
      parts = yield drawn / length;
    }
  } finally {
    handle.dispose();
  }
}
