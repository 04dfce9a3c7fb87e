import { ContentsBar } from './contents-bar.js';

/** Marks the section that is being read in the contents, for layouts where they stay in view, and names it in the bar for others. */
export function markCurrentSection(): void {
  const contents = document.querySelector<HTMLElement>('.contents');
  if (contents === null) return;
  const bar = 'popover' in HTMLElement.prototype ? new ContentsBar(contents) : null;
  const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.getAttribute('href')?.slice(1), link]));
  const crossing = new Set<string>();
  let current: HTMLElement | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) crossing[isIntersecting ? 'add' : 'delete'](target.id);
      const [, link] = [...links].find(([id]) => crossing.has(id!)) ?? [];
      if (link === current) return;
      current?.removeAttribute('aria-current');
      current = link;
      if (link === undefined) return;
      link.setAttribute('aria-current', 'true');
      bar?.name(link.closest<HTMLElement>('li')?.dataset['number'] ?? '', link.dataset['short'] ?? '');
    },
    // A line across the upper third of the window, crossed by one section at a time, or by a row of closed chapters: then the first counts.
    { rootMargin: '-33% 0px -67% 0px' },
  );
  for (const section of document.querySelectorAll('main > section[id], details.chapter')) observer.observe(section);
}
