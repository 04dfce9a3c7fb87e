/**
 * Where the contents do not fit beside the text, a button in the page's header opens them over the page, and, from the first section
 * on, a bar at the top of the window that names the section.
 */
export class ContentsBar {
  readonly #button: HTMLButtonElement;

  constructor(contents: HTMLElement) {
    const panel = document.createElement('nav');
    panel.ariaLabel = 'Sections';
    panel.className = 'contents-panel';
    panel.id = 'contents-panel';
    panel.popover = 'auto';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'contents-bar';
    button.hidden = true;
    button.popoverTargetElement = panel;
    this.#button = button;
    panel.addEventListener('beforetoggle', ({ newState }) => {
      const list = contents.querySelector('ol');
      if (newState === 'open' && list !== null) panel.replaceChildren(list.cloneNode(true));
    });
    panel.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('a') !== null) panel.hidePopover();
    });
    document.body.append(button, panel);
    document.querySelector('.contents-button')?.removeAttribute('hidden');
    // Shown once the introduction is above the window. Below it counts as in it: a link may lead past it at once.
    const observer = new IntersectionObserver(
      ([entry]) => {
        button.hidden = entry?.isIntersecting ?? true;
      },
      { rootMargin: '0px 0px 1000000px 0px' },
    );
    observer.observe(document.querySelector('.opening') ?? contents);
  }

  /** `number`: "4" or "B". */
  name(number: string, short: string): void {
    const label = document.createElement('span');
    label.textContent = `${number} · ${short}`;
    this.#button.replaceChildren(label);
    this.#button.setAttribute('aria-label', `Contents. You are in ${number}, ${short}`);
  }
}
