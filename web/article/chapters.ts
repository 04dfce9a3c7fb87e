import { knowChapterFigures, watchElements } from './load-elements.js';

/**
 * Part III is a list of closed chapters, each with a page of its own. Opened in the article, a chapter is fetched from that page, so that
 * readers who stay with the main text do not download it.
 */
const storageName = 'tied-chapters';

const loaded = new WeakMap<HTMLDetailsElement, Promise<void>>();

const allChapters = (): HTMLDetailsElement[] => [...document.querySelectorAll<HTMLDetailsElement>('details.chapter')];

/** Everything of a chapter's page but its heading and the sentence below, which are in the article already. */
function contentOf(page: Document): DocumentFragment {
  const content = document.createDocumentFragment();
  for (const child of page.querySelectorAll('main > section[id] > :not(h2, .teaser)')) {
    content.append(document.importNode(child, true));
  }
  // On its own page, links to the article lead there.
  for (const link of content.querySelectorAll('a[href^="./#"]')) {
    link.setAttribute('href', (link.getAttribute('href') ?? '').slice(2));
  }
  return content;
}

async function fetchChapter(chapter: HTMLDetailsElement): Promise<void> {
  const page = new URL(`${chapter.id}.html`, document.baseURI);
  const [response] = await Promise.all([fetch(page), knowChapterFigures()]);
  if (!response.ok) throw new Error(`${response.url} answers with status ${String(response.status)}`);
  const body = document.createElement('section');
  body.className = 'chapter-body';
  body.append(contentOf(new DOMParser().parseFromString(await response.text(), 'text/html')));
  chapter.append(body);
  watchElements(body);
  chapter.dispatchEvent(new Event('tied-chapter', { bubbles: true }));
}

function load(chapter: HTMLDetailsElement): Promise<void> {
  const started = loaded.get(chapter);
  if (started !== undefined) return started;
  chapter.toggleAttribute('data-loading', true);
  const loading = fetchChapter(chapter)
    .catch((error: unknown) => {
      // The link to its own page is still there, and the next try fetches again.
      loaded.delete(chapter);
      console.warn(error);
    })
    .finally(() => chapter.removeAttribute('data-loading'));
  loaded.set(chapter, loading);
  return loading;
}

const holds = (chapter: HTMLDetailsElement, name: 'ids' | 'figures', value: string): boolean =>
  chapter.dataset[name]?.split(' ').includes(value) ?? false;

function open(chapter: HTMLDetailsElement): Promise<void> {
  chapter.open = true;
  return load(chapter);
}

/** Opens the chapter of element `id`; resolves with the element, or with null if no chapter has it. */
export async function revealInChapter(id: string): Promise<HTMLElement | null> {
  const chapter = allChapters().find((one) => holds(one, 'ids', id));
  if (chapter === undefined) return null;
  await open(chapter);
  return document.getElementById(id);
}

/** Opens the chapter of the figure that a link to its state names. */
function revealFigure(): void {
  const name = new URLSearchParams(location.hash.slice(1)).get('tied');
  const chapter = name === null ? undefined : allChapters().find((one) => holds(one, 'figures', name));
  if (chapter !== undefined) void open(chapter);
}

/** Chapters that were open before a reload are opened again. */
function restore(): void {
  try {
    const opened = sessionStorage.getItem(storageName)?.split(' ') ?? [];
    for (const chapter of allChapters()) if (opened.includes(chapter.id)) void open(chapter);
  } catch {
    // Storage may be forbidden; then all are closed.
  }
  addEventListener('pagehide', () => {
    try {
      const opened = allChapters().filter((chapter) => chapter.open);
      sessionStorage.setItem(storageName, opened.map(({ id }) => id).join(' '));
    } catch {
      // As above.
    }
  });
}

export function setUpChapters(): void {
  for (const chapter of allChapters()) {
    chapter.addEventListener('toggle', () => {
      if (chapter.open) void load(chapter);
    });
  }
  restore();
  revealFigure();
  addEventListener('hashchange', revealFigure);
}
