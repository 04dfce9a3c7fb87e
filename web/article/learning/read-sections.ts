import { forgetAll, isEmpty, markRead, onProgress, progress } from './progress.js';

/** A section counts as read if it was in view for at least this long, in all, and its end has been seen. */
const readMs = 4000;

const sections = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main > :is(section, details.chapter)[id]'),
];

/** Watches which sections are read. */
function watchSections(): void {
  const viewed = new Map<Element, number>();
  const since = new Map<Element, number>();
  const settle = (section: Element, isInView: boolean): void => {
    const began = since.get(section);
    if (began !== undefined) viewed.set(section, (viewed.get(section) ?? 0) + performance.now() - began);
    if (isInView && !document.hidden) since.set(section, performance.now());
    else since.delete(section);
    const { bottom } = section.getBoundingClientRect();
    if (!isInView && bottom < innerHeight && (viewed.get(section) ?? 0) >= readMs) markRead(section.id);
  };
  // A line in the middle of the window, which one section crosses at a time.
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) settle(target, isIntersecting);
    },
    { rootMargin: '-50% 0px -50% 0px' },
  );
  for (const section of sections()) observer.observe(section);
  document.addEventListener('visibilitychange', () => {
    for (const section of since.keys()) settle(section, !document.hidden);
  });
}

const sign = (): HTMLElement => {
  const read = document.createElement('span');
  read.className = 'visually-hidden';
  read.textContent = ' (read)';
  return read;
};

/** Marks what has been read in the contents, whatever they look like. */
function markContents(): void {
  const { read } = progress();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')) {
    const isRead = read.includes(link.hash.slice(1));
    if (isRead === link.hasAttribute('data-read')) continue;
    link.toggleAttribute('data-read', isRead);
    if (isRead) (link.querySelector('span') ?? link).append(sign());
    else link.querySelector('.visually-hidden')?.remove();
  }
}

const some = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What is stored, and the button that discards it. */
function showKept(place: HTMLElement): void {
  const now = progress();
  place.hidden = isEmpty(now);
  const parts = [
    some(now.read.length, 'section read', 'sections read'),
    some(Object.keys(now.guesses).length, 'guess', 'guesses'),
    some(Object.keys(now.answers).length, 'answer', 'answers'),
  ];
  const forget = document.createElement('button');
  forget.type = 'button';
  forget.textContent = 'Forget it';
  forget.addEventListener('click', forgetAll);
  place.replaceChildren(`Kept in this browser only: ${parts.join(', ')}. `, forget);
}

export function keepReadSections(): void {
  watchSections();
  const kept = document.querySelector<HTMLElement>('.progress-kept');
  const show = (): void => {
    markContents();
    if (kept !== null) showKept(kept);
  };
  onProgress(show);
  show();
}
