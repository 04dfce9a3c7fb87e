/**
 * Where the contents do not fit beside the text, a bar at the top of the window names the section that is being read, and opens the
 * contents over the page.
 */
export class ContentsBar {
  readonly #button: HTMLButtonElement;

  constructor(contents: HTMLElement) {
    const panel = document.createElement('div');
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
    // Shown once the contents in the text are above the window. Below it they count as in it: a link may lead past them at once.
    new IntersectionObserver(
      ([entry]) => {
        button.hidden = entry?.isIntersecting ?? true;
      },
      { rootMargin: '0px 0px 1000000px 0px' },
    ).observe(contents);
  }

  /** `number`: "4" or "B". */
  name(number: string, short: string): void {
    const label = document.createElement('span');
    label.textContent = `${number} · ${short}`;
    this.#button.replaceChildren(label);
    this.#button.setAttribute('aria-label', `Contents. You are in ${number}, ${short}`);
  }
}
