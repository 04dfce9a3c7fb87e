import type { Lab } from '../../core/types.js';
import { ArticleGuess } from './guess.js';
import { setUpPlainWords } from './plain-words.js';
import { keepReadSections } from './read-sections.js';
import { setUpTermNotes } from './term-notes.js';

export { showPlainWords } from './plain-words.js';

/** The styles of what is not on the first screen. */
function loadStyles(): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = 'learning.css';
    // Without them everything is still legible.
    for (const name of ['load', 'error']) link.addEventListener(name, () => resolve(), { once: true });
    document.head.append(link);
  });
}

/** The quiz is loaded when the reader is about two screens away. */
function loadQuizNearView(openLab: () => Promise<Lab>): void {
  const quiz = document.querySelector('article-quiz');
  if (quiz === null) return;
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry!.isIntersecting) return;
      observer.disconnect();
      import('./quiz/quiz.js').then(
        ({ ArticleQuiz }) => {
          Object.assign(quiz, { openLab });
          if (customElements.get('article-quiz') === undefined) customElements.define('article-quiz', ArticleQuiz);
        },
        // The list of claims and corrections remains.
        (error: unknown) => {
          console.warn(error);
          quiz.toggleAttribute('data-list', true);
        },
      );
    },
    { rootMargin: '200% 0px' },
  );
  observer.observe(quiz);
}

/** Guesses, definitions, plain words, the quiz, and what the reader has done of it. */
export async function setUpLearning(openLab: () => Promise<Lab>): Promise<void> {
  await loadStyles();
  const prepareTerms = setUpTermNotes();
  setUpPlainWords(document);
  // Chapters arrive when they are opened.
  document.addEventListener('tied-chapter', ({ target }) => {
    if (!(target instanceof Element)) return;
    prepareTerms(target);
    setUpPlainWords(target);
  });
  if (customElements.get('article-guess') === undefined) customElements.define('article-guess', ArticleGuess);
  keepReadSections();
  loadQuizNearView(openLab);
}
