import type { Lab } from '../../../core/types.js';
import { forgetAnswers, keepAnswer, onProgress, progress } from '../progress.js';
import { demos, type QuizFacts } from './demos.js';
import { make } from '../dom.js';

import { scoreSentences, verdicts, type Answered, type Verdict } from './score.js';

interface Claim {
  readonly id: string;
  readonly row: HTMLElement;
  readonly is: Verdict;
}

/** "Half true." and "False in our runs" begin with the verdict, in bold. */
function verdictOf(row: Element): Verdict {
  const text = row.querySelector('dd > b')?.textContent?.replace('.', '') ?? '';
  const verdict = verdicts.find((one) => one === text);
  if (verdict === undefined) throw new Error(`A claim of the page has the verdict "${text}"`);
  return verdict;
}

/** The facts are fetched once, when the first answer needs them. */
let quizFacts: Promise<QuizFacts> | null = null;
async function fetchFacts(): Promise<QuizFacts> {
  const response = await fetch(new URL('quiz.json', document.baseURI));
  if (!response.ok) throw new Error(`quiz.json: status ${response.status}`);
  return (await response.json()) as QuizFacts;
}

/**
 * The popular claims, one at a time: true, half true or false? Then the correction, and a counter-example that is computed in the
 * page. The page holds claims and corrections as a list, which readers without scripts, and paper, show as it is.
 */
export class ArticleQuiz extends HTMLElement {
  /** Opens the core; set by the page. */
  // Only declared: a field would be set to nothing when the element is defined, after the page has set it.
  declare openLab: (() => Promise<Lab>) | undefined;
  #claims: Claim[] = [];
  #at = 0;
  #isList = false;
  /** Counts what has been drawn, so that a late result is not drawn over a newer one. */
  #drawing = 0;
  #ended = new AbortController();
  readonly #steps = make('span', { className: 'quiz-steps' });
  readonly #count = make('span', { className: 'quiz-count' });
  readonly #result = make('p', { className: 'quiz-result' });
  readonly #buttons = make('div', { className: 'quiz-buttons' });
  readonly #demo = make('div', { className: 'quiz-demo' });
  readonly #back = make('button', { type: 'button', className: 'quiz-move' }, 'Back');
  readonly #next = make('button', { type: 'button', className: 'quiz-move' }, 'Next');
  readonly #list = make('button', { type: 'button', className: 'quiz-all' });
  readonly #status = make('p', { className: 'visually-hidden' });

  connectedCallback(): void {
    this.#ended = new AbortController();
    onProgress(() => this.#show(), this.#ended.signal);
    if (this.#claims.length > 0) return;
    this.#claims = [...this.querySelectorAll<HTMLElement>('.claims > div')].map((row) => ({
      id: row.id,
      row,
      is: verdictOf(row),
    }));
    this.#status.setAttribute('role', 'status');
    this.#steps.setAttribute('aria-hidden', 'true');
    this.#back.addEventListener('click', () => this.#go(this.#at - 1));
    this.#next.addEventListener('click', () => this.#go(this.#at + 1));
    this.#list.addEventListener('click', () => {
      this.#isList = !this.#isList;
      this.#show();
    });
    const head = make('div', { className: 'quiz-head' }, this.#count, this.#steps);
    const moves = make('div', { className: 'quiz-moves' }, this.#back, this.#next);
    const list = this.querySelector('.claims')!;
    list.before(head);
    list.after(this.#buttons, moves, this.#demo);
    this.append(this.#result, this.#list, this.#status);
    // Where the reader stopped.
    const open = this.#claims.findIndex(({ id }) => this.#saidOf(id) === null);
    this.#at = Math.max(0, open);
    this.toggleAttribute('data-live', true);
    this.#show();
    this.#compute();
  }

  disconnectedCallback(): void {
    this.#ended.abort();
  }

  #saidOf(id: string): Verdict | null {
    return verdicts.find((verdict) => verdict === progress().answers[id]) ?? null;
  }

  #go(to: number): void {
    this.#at = Math.min(this.#claims.length - 1, Math.max(0, to));
    this.#show();
    this.#compute();
    const claim = this.#claims[this.#at]!.row.querySelector<HTMLElement>('dt')!;
    claim.tabIndex = -1;
    claim.focus({ preventScroll: true });
  }

  #answer(said: Verdict): void {
    const { id, is, row } = this.#claims[this.#at]!;
    keepAnswer(id, said);
    this.#compute();
    const correction = row.querySelector<HTMLElement>('dd')!;
    correction.tabIndex = -1;
    correction.focus({ preventScroll: true });
    this.#status.textContent = `${said === is ? 'Right' : 'Not quite'}: ${is.toLowerCase()}.`;
  }

  #show(): void {
    const answers = this.#claims.map(({ id, is }): Answered | null => {
      const said = this.#saidOf(id);
      return said === null ? null : { said, is };
    });
    this.toggleAttribute('data-list', this.#isList);
    this.#list.textContent = this.#isList ? 'One at a time' : 'Show all claims and corrections as a list';
    const current = answers[this.#at] ?? null;
    this.#count.textContent = `Claim ${this.#at + 1} of ${this.#claims.length}`;
    this.#back.setAttribute('aria-disabled', String(this.#at === 0));
    this.#next.setAttribute('aria-disabled', String(this.#at === this.#claims.length - 1));
    this.#next.classList.toggle('is-main', current !== null);
    this.#steps.replaceChildren(
      ...answers.map((answer, i) => {
        const step = make('span', {}, answer === null ? '·' : answer.said === answer.is ? '✓' : '✗');
        step.dataset['is'] = answer === null ? 'open' : answer.said === answer.is ? 'right' : 'wrong';
        step.toggleAttribute('data-current', i === this.#at);
        return step;
      }),
    );
    this.#claims.forEach(({ row }, i) => {
      row.toggleAttribute('data-current', i === this.#at);
      row.toggleAttribute('data-open', i === this.#at && current === null);
    });
    this.#showButtons(current);
    const done = answers.filter((answer) => answer !== null);
    if (done.length > 0) this.toggleAttribute('data-begun', true);
    // Its place is kept from the start.
    this.#result.textContent =
      done.length > 0 ? scoreSentences(done) : 'Your score will appear here, next to what dice would get.';
    if (done.length > 0) {
      const again = make('button', { type: 'button', className: 'quiz-move' }, 'Start over');
      again.addEventListener('click', () => {
        forgetAnswers();
        this.#go(0);
      });
      this.#result.append(' ', again);
    }
  }

  #showButtons(current: Answered | null): void {
    this.#buttons.replaceChildren(
      ...verdicts.map((verdict) => {
        const button = make('button', { type: 'button' }, verdict);
        if (current === null) button.addEventListener('click', () => this.#answer(verdict));
        else {
          button.setAttribute('aria-disabled', 'true');
          const notes = [current.is === verdict ? 'right' : '', current.said === verdict ? 'yours' : ''];
          button.dataset['is'] = notes.filter((note) => note !== '').join(' ');
          if (current.is === verdict) button.prepend('✓ ');
          if (current.said === verdict) button.append(make('span', {}, 'your answer'));
        }
        return button;
      }),
    );
  }

  /** Runs the counter-example of an answered claim. */
  #compute(round = 0): void {
    const { id } = this.#claims[this.#at]!;
    const drawing = ++this.#drawing;
    this.#demo.replaceChildren();
    const demo = demos[id];
    if (demo === undefined || this.#saidOf(id) === null) return;
    const isOver = (): boolean => drawing !== this.#drawing;
    const open = this.openLab;
    this.#demo.append(make('p', { className: 'quiz-wait' }, 'Computing …'));
    const ready = demo
      .run({
        lab: () => (open === undefined ? Promise.reject(new Error('The page gave the quiz no lab')) : open()),
        facts: () => (quizFacts ??= fetchFacts()),
        draw: (...nodes) => {
          if (!isOver()) this.#demo.replaceChildren(...nodes);
        },
        round,
      })
      .then(() => {
        if (isOver() || demo.again === null) return;
        const again = make('button', { type: 'button', className: 'quiz-move' }, demo.again);
        again.addEventListener('click', () => this.#compute(round + 1));
        this.#demo.append(again);
      });
    ready.catch((error: unknown) => {
      console.warn(error);
      quizFacts = null;
      if (!isOver())
        this.#demo.replaceChildren(make('p', {}, 'This could not be computed here; reloading the page may help.'));
    });
  }
}
