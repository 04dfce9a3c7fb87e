import type { LitElement } from 'lit';
import type { Lab } from '../core/types.js';
import { unfold } from '../elements/shared/unfold.js';
import { finishedFiles } from './finished-files.js';
import type { FinishedRun, FinishedTransformerRun, TrainingLab } from '../elements/training-lab/training-lab.define.js';

/**
 * Each interactive figure is a separate script, loaded when the reader is about two screens away or opens the fold
 * around it. Until then, and without scripts, a table or drawing from the build is shown instead. Those of chapters are in `chapter-figures.ts`.
 */
const loaders: Record<string, () => Promise<unknown>> = {
  'article-worked-position': () => import('./figures/worked-position/worked-position.define.js'),
  'article-repeat-game': () => import('./figures/repeat-game/repeat-game.define.js'),
  'article-decision': () => import('./figures/decision/decision.define.js'),
  'tied-symmetry-explorer': () => import('../elements/symmetry-explorer/symmetry-explorer.define.js'),
  'tied-bigrams': () => import('../elements/bigrams/bigrams.define.js'),
  'tied-training-lab': () => import('../elements/training-lab/training-lab.define.js'),
  'tied-direct-path': () => import('../elements/direct-path/direct-path.define.js'),
  'tied-advisor': () => import('../elements/advisor/advisor.define.js'),
  'tied-compute-calculator': () => import('../elements/compute-calculator/compute-calculator.define.js'),
  'tied-parameter-calculator': () => import('../elements/parameter-calculator/parameter-calculator.define.js'),
  'article-roundabout': () => import('./figures/roundabout/roundabout.define.js'),
  'article-which-way': () => import('./figures/which-way/which-way.define.js'),
  'article-direction': () => import('./figures/direction/direction.define.js'),
};

async function fetchRun<Run>(name: string): Promise<Run[]> {
  try {
    const response = await fetch(new URL(name, document.baseURI));
    return response.ok ? [(await response.json()) as Run] : [];
  } catch (error) {
    console.warn(error);
    return [];
  }
}

/** A figure starts with what was trained or measured earlier; if that is missing, it starts empty. */
async function handFinished(element: Element): Promise<void> {
  const file = finishedFiles[element.localName];
  if (file !== undefined) {
    const [finished] = await fetchRun<unknown>(file);
    if (finished !== undefined) Object.assign(element, { finished });
    return;
  }
  if (element.localName !== 'tied-training-lab') return;
  const transformer = element.getAttribute('model') === 'transformer';
  const either = element.hasAttribute('model-choice');
  const runs = await Promise.all([
    transformer && !either ? [] : fetchRun<FinishedRun>('finished-run.json'),
    transformer || either ? fetchRun<FinishedTransformerRun>('finished-transformer-run.json') : [],
  ]);
  (element as TrainingLab).finished = runs.flat();
}

/** True if the page was opened with a link to a figure's state; such a figure loads at once. */
const namedInLink = (element: Element): boolean => {
  const name = element.getAttribute('link-state');
  return name !== null && new URLSearchParams(location.hash.slice(1)).get('tied') === name;
};

/** Settled once the reader has guessed what a figure shows, or does not want to. Until then its finished drawing hides the answer. */
function guessed(element: Element): Promise<void> {
  const guess = document.querySelector(`article-guess[name="${element.getAttribute('data-guess') ?? ''}"]`);
  return new Promise((resolve) => {
    if (guess === null || guess.hasAttribute('data-shown')) return resolve();
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(guess, { attributeFilter: ['data-shown'] });
  });
}

/**
 * Until a figure has drawn, its box has the height that the style sheet expects (`styles/reserve.css`). After that, or
 * once the reader changes something, it has its natural height.
 */
function releaseWhenDrawn(element: Element): void {
  const figure = element.shadowRoot?.querySelector('figure, .frame');
  const release = (): void => {
    growth.disconnect();
    element.toggleAttribute('data-drawn', true);
  };
  const growth = new ResizeObserver(() => {
    const reserved = Number.parseFloat(getComputedStyle(element).minBlockSize) || 0;
    if ((figure?.getBoundingClientRect().height ?? Infinity) >= reserved) release();
  });
  // Also if there is no figure, as in a browser that cannot run it.
  growth.observe(figure ?? element);
  for (const name of ['pointerdown', 'keydown']) element.addEventListener(name, release, { once: true, passive: true });
}

let configured: Promise<() => Promise<Lab>> | null = null;

/** What opens the page's lab, once the page has said where its files are. */
const configure = async (): Promise<() => Promise<Lab>> => (await import('./page-lab.js')).configure(() => names);

/** The lab that the page's figures share, for what is part of the page itself. */
export async function pageLab(): Promise<Lab> {
  return (await (configured ??= configure()))();
}

async function load(element: Element): Promise<void> {
  if (!namedInLink(element)) await guessed(element);
  element.removeAttribute('data-guess');
  configured ??= configure();
  const finished = handFinished(element);
  await configured;
  // Done before the element wakes, so its first drawing uses it.
  await finished;
  await loaders[element.localName]?.();
  await (element as Partial<LitElement>).updateComplete;
  releaseWhenDrawn(element);
}

function loadOrExplain(element: Element): void {
  load(element).catch((error: unknown) => {
    const message = document.createElement('p');
    message.className = 'load-problem';
    message.textContent =
      'This figure could not be loaded, so this is the finished result. Reloading the page may help.';
    element.append(message);
    element.toggleAttribute('data-drawn', true);
    console.warn(error);
  });
}

/** One that opens the core or large files, in a fold or chapter that not the reader has opened but the bar above the text, with all others. */
const waitsForReader = (element: Element): boolean =>
  element.hasAttribute('data-offer') && element.closest('[data-by-bar]') !== null;

/** Puts a button into the figure that loads it; the reader has a finished result until then. */
function offer(element: Element): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'offer';
  button.textContent = element.getAttribute('data-offer');
  button.addEventListener('click', () => {
    button.remove();
    loadOrExplain(element);
  });
  element.append(button);
}

/** The selector of all figures that can be loaded. */
let names = Object.keys(loaders).join(',');

let nearView: IntersectionObserver | null = null;
const watched = new Set<Element>();

/** Whatever a reader can do to see more of the page. */
const firstActions = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** `margin`: how far from the window's edges a figure is near. */
function observe(margin: string): void {
  nearView?.disconnect();
  nearView = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        forget(entry.target);
        if (waitsForReader(entry.target)) offer(entry.target);
        else loadOrExplain(entry.target);
      }
    },
    { rootMargin: margin },
  );
  for (const element of watched) nearView.observe(element);
}

/** Somebody who only looks at the first screen downloads no figure below it. */
function observeFromFirstAction(): void {
  observe('0px');
  const ended = new AbortController();
  const begin = (): void => {
    ended.abort();
    observe('200% 0px');
  };
  for (const name of firstActions) addEventListener(name, begin, { signal: ended.signal, passive: true });
}

function forget(element: Element): void {
  watched.delete(element);
  nearView?.unobserve(element);
}

function loadNow(element: Element): void {
  forget(element);
  unfold(element);
  loadOrExplain(element);
}

/** Loads the figures below `root` when the reader comes near them; one that the page's URL names loads at once. */
export function watchElements(root: ParentNode): void {
  if (nearView === null) observeFromFirstAction();
  for (const element of root.querySelectorAll(names)) {
    if (namedInLink(element)) {
      loadNow(element);
      continue;
    }
    watched.add(element);
    nearView?.observe(element);
  }
}

/** From then on, `watchElements` knows the figures of chapters, too. */
export async function knowChapterFigures(): Promise<void> {
  Object.assign(loaders, (await import('./chapter-figures.js')).chapterFigures);
  names = Object.keys(loaders).join(',');
}

export function loadElementsNearView(): void {
  // On its own page, a chapter is there from the beginning.
  if (document.querySelector('.own-page') === null) watchElements(document);
  else void knowChapterFigures().then(() => watchElements(document), console.warn);
  // A link that is followed while the page is open. A figure that has loaded follows the link by itself.
  addEventListener('hashchange', () => {
    for (const element of document.querySelectorAll(names)) {
      if (namedInLink(element) && element.shadowRoot === null) loadNow(element);
    }
  });
}
