/** Marks the section that is being read in the contents, for layouts where the contents stay in view. */
export function markCurrentSection(): void {
  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [link.getAttribute('href')?.slice(1), link]),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target.id);
        if (isIntersecting) link?.setAttribute('aria-current', 'true');
        else link?.removeAttribute('aria-current');
      }
    },
    // A line across the upper third of the window, crossed by one section at a time.
    { rootMargin: '-33% 0px -67% 0px' },
  );
  for (const section of document.querySelectorAll('main > section[id]')) observer.observe(section);
}
