import { fragmentOf } from './fragments.js';

const switchesOf = (part: ParentNode): HTMLAnchorElement[] => [
  ...part.querySelectorAll<HTMLAnchorElement>('a.plain-switch'),
];

/** True while every section shows its plain words, those that arrive later as well. */
let isEverywhere = false;

/** What one switch shows, after it: it exists while it is shown. */
const shownBy = (link: Element): HTMLElement | null => {
  const next = link.nextElementSibling;
  return next instanceof HTMLElement && next.classList.contains('plain') ? next : null;
};

async function set(link: HTMLAnchorElement, isOn: boolean): Promise<void> {
  const shown = shownBy(link);
  link.setAttribute('aria-expanded', String(isOn));
  if (!isOn) {
    shown?.remove();
    return;
  }
  if (shown !== null) return;
  const part = await fragmentOf('plain/', link.hash.slice(1));
  // Switched off, or on a second time, meanwhile.
  if (link.getAttribute('aria-expanded') !== 'true' || shownBy(link) !== null) return;
  const texts = part?.querySelectorAll('p') ?? [];
  if (texts.length === 0) {
    link.setAttribute('aria-expanded', 'false');
    return;
  }
  const plain = document.createElement('div');
  plain.className = 'plain';
  plain.append(...texts);
  link.after(plain);
}

/** Shows the version in plain words of every section, or of none; for the bar that chooses how to read the page. */
export async function showPlainWords(isOn: boolean): Promise<void> {
  isEverywhere = isOn;
  await Promise.all(switchesOf(document).map((link) => set(link, isOn)));
}

/** Makes buttons of the switches in the page, or in a part of it that has just arrived. */
export function setUpPlainWords(part: ParentNode): void {
  for (const link of switchesOf(part)) {
    link.setAttribute('role', 'button');
    link.setAttribute('aria-expanded', 'false');
    // Links of the same text stand for different sections.
    const heading = link.closest('details.chapter')?.querySelector('h2') ?? link.previousElementSibling;
    link.setAttribute('aria-label', `In plain words: ${heading?.textContent?.trim() ?? ''}`);
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void set(link, shownBy(link) === null);
    });
    link.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      link.click();
    });
    if (isEverywhere) void set(link, true);
  }
}
