import { count, entry, nats, percent, percent0 } from '../../build/format.mjs';

/**
 * Questions that a reader answers before a section does. `<article-guess name="train"></article-guess>` in a section becomes the
 * question, its choices or its scale, and the answer, all of which readers without scripts see.
 *
 * @typedef {{ text: string, value?: string }} Choice
 * @typedef {{ ask: string, choices: Choice[], right: number, answer: string }} ChoiceGuess
 * @typedef {{ at: number, text: string }} Mark
 * @typedef {{ ask: string, from: number, to: number, step: number, unit: string, truth: number, marks?: Mark[],
 *   start?: number, answer: string }} ScaleGuess `start`: where the slider is at first, if not in the middle
 */

const degrees = (ratio) => (180 / Math.PI) * Math.atan(ratio);

/** The largest of some values, which has to be well ahead, since the answer says so. @param {number[]} values @param {number} by */
function leader(values, by) {
  const largest = Math.max(...values);
  if (values.filter((value) => value > largest - by).length > 1) throw new Error(`No value is ahead by ${by}: ${values.join(', ')}`);
  return values.indexOf(largest);
}

/** @type {Record<string, (facts: any) => ChoiceGuess | ScaleGuess>} */
export const guesses = {
  symmetry() {
    const words = 1000;
    const free = (words * (words + 1)) / 2;
    return {
      ask: `A model of ${count(words)} words has a million scores, one for every word after every word. If both orders of a pair must have the same score, what share of them can be chosen freely?`,
      from: 0,
      to: 100,
      step: 1,
      unit: '%',
      truth: Math.round((100 * free) / words ** 2),
      start: 100,
      answer: `About half, ${count(free)} at most: one for each of the ${count(free - words)} pairs, and one for each word after itself.`,
    };
  },
  train({ lab }) {
    const arm = lab.arms.find(({ tying }) => tying === 'tied');
    if (!(lab.bigram < lab.symmetricLogits && lab.symmetricLogits + 0.3 < arm.loss && arm.loss < lab.unigram)) {
      throw new Error('The tied model does not end between the symmetric and the unigram floor');
    }
    return {
      ask: `A model that ignores the current word cannot get below ${nats(lab.unigram)} nats; one that sees it can reach ${nats(lab.bigram)}. Where will the model with one table end?`,
      from: Math.floor(2 * lab.bigram) / 2,
      to: Math.ceil(2 * lab.unigram) / 2,
      step: 0.05,
      unit: ' nats',
      truth: Number(arm.loss.toFixed(2)),
      start: Number(lab.bigram.toFixed(1)),
      marks: [
        { at: lab.bigram, text: 'bigram floor' },
        { at: lab.symmetricLogits, text: 'symmetric floor' },
        { at: lab.unigram, text: 'unigram floor' },
      ],
      answer: `At ${nats(arm.loss)} nats, far above the symmetric floor of ${nats(lab.symmetricLogits)}: symmetry is not the whole price.`,
    };
  },
  pull({ gpt: { output } }) {
    if (!(output.largest > 0.75 && output.largestStep < 100)) throw new Error('Writing does not lead early in training');
    return {
      ask: 'Reading and writing both pull at a shared table. Early in training, how much of the pull is writing’s, at most?',
      from: 0,
      to: 100,
      step: 1,
      unit: '%',
      truth: Math.round(100 * output.largest),
      answer: `${percent(output.largest)}, in step ${count(output.largestStep)} of a run on Tales: reading moves only the rows that were read, writing moves every row.`,
    };
  },
  whose({ alignment }) {
    const means = [alignment.reading.mean, alignment.writing.mean];
    return {
      ask: 'Both jobs shape a shared table. Which table of an untied model does it end up resembling?',
      choices: [
        { text: 'the one that reads', value: entry(means[0]) },
        { text: 'the one that writes', value: entry(means[1]) },
        { text: 'both alike' },
      ],
      right: leader(means, 0.05),
      answer: `The one that writes, in models of Plays: after the best linear map, rows have a mean cosine of ${entry(means[1])} with its rows and ${entry(means[0])} with those of the table that reads.`,
    };
  },
  lens({ cards }) {
    if (!(cards.tied.self > 0.6 * cards.sampled)) throw new Error('The tied table alone does not repeat most tokens');
    return {
      ask: 'Ask a trained tied model for the next word before its first layer has worked. What does it say?',
      choices: [
        { text: 'the word it has just read', value: `${count(cards.tied.self)} of ${count(cards.sampled)}` },
        { text: 'the most common word of all' },
        { text: 'usually the right word' },
      ],
      right: 0,
      answer: `The word it has just read, after ${count(cards.tied.self)} of ${count(cards.sampled)} tokens tried: in the table, nothing resembles a row as much as the row itself.`,
    };
  },
  word({ hidden: { tied } }) {
    const [truth, chance] = [degrees(tied.ratio), degrees(tied.chance.ratio)];
    if (!(truth > 45 && truth + 15 < chance)) throw new Error('The hidden state is not between its word and chance');
    return {
      ask: 'A tied model is about to write a word. How many degrees is its final state away from the row of that word?',
      from: 0,
      to: 90,
      step: 1,
      unit: '°',
      truth: Math.round(truth),
      marks: [{ at: chance, text: 'chance' }],
      answer: `${truth.toFixed(0)}° (median); a random direction would be ${chance.toFixed(0)}° away. The state also has to keep other words possible.`,
    };
  },
  case() {
    // As published; docs/science.md names the source, and the section cites it.
    const [two, one] = [78.4, 74.3];
    return {
      ask: `In 2016 a large recurrent network with two tables had a test perplexity of ${two}: as unsure as a fair choice among ${Math.round(two)} words. What did it reach with one?`,
      from: 60,
      to: 100,
      step: 1,
      unit: '',
      truth: one,
      marks: [{ at: two, text: 'two tables' }],
      answer: `${one}: with fewer parameters it predicted better.`,
    };
  },
  savings({ accounting: { gpt2 } }) {
    return {
      ask: `Tying takes ${percent0(gpt2.savedOfUntied)} of the parameters off a GPT-2 with two tables. How many of the multiplications for its next word?`,
      choices: [{ text: 'about half' }, { text: `about ${percent0(gpt2.savedOfUntied)}` }, { text: 'none' }],
      right: 2,
      answer: 'None: a row is read without multiplying, and all rows are still compared with the final state.',
    };
  },
};

const list = (choices) =>
  `<ul>${choices.map(({ text, value }) => `<li>${text}${value === undefined ? '' : ` <b>${value}</b>`}</li>`).join('')}</ul>`;

const attributes = (values) =>
  Object.entries(values)
    .map(([name, value]) => ` data-${name}="${value}"`)
    .join('');

function markup(name, guess) {
  const question = `<p class="ask">${guess.ask}</p>`;
  const answer = `<p class="answer">${guess.answer}</p>`;
  if ('choices' in guess) {
    return `<article-guess name="${name}"${attributes({ right: guess.right })}>${question}${list(guess.choices)}${answer}</article-guess>`;
  }
  const { from, to, step, unit, truth, start, marks = [] } = guess;
  const scale = { from, to, step, truth, ...(unit === '' ? {} : { unit }), ...(start === undefined ? {} : { start }) };
  const data = marks.length === 0 ? '' : attributes({ marks: marks.map(({ at, text }) => `${at.toFixed(2)} ${text}`).join('; ') });
  return `<article-guess name="${name}"${attributes(scale)}${data}>${question}${answer}</article-guess>`;
}

/** Writes the questions into their places. @param {string} html @param {any} facts */
export const addGuesses = (html, facts) =>
  html.replace(/<article-guess name="([\w-]+)">\s*<\/article-guess>/g, (_, name) => {
    const make = guesses[name];
    if (make === undefined) throw new Error(`The article asks the reader "${name}", which is no question of guesses.mjs`);
    return markup(name, make(facts));
  });
