/**
 * A citation shows its source in a card beside it: by mouse, by keyboard focus, and by touch, where the first tap shows the card and the second follows
 * the link. The card can be pointed at and holds the links of the source; Escape closes it. Without scripts a citation is a link to the list.
 */

const cite = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a.cite') : null;

/** Milliseconds until a card appears under a resting pointer, and until it goes, so that the pointer can cross to it. */
const showAfter = 120;
const hideAfter = 250;
/** Between card and citation, and between card and the window's edge, in pixels. */
const gap = 6;
const edge = 8;

const parsed = new Map<string, Promise<Document | null>>();

/** The page that a citation leads to; a chapter on its own page cites the list of the article. */
function pageOf(link: HTMLAnchorElement): Promise<Document | null> {
  const url = link.href.split('#')[0] ?? '';
  const known = parsed.get(url);
  if (known !== undefined) return known;
  const page = fetch(url)
    .then(async (response) =>
      response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null,
    )
    .catch(() => null);
  parsed.set(url, page);
  return page;
}

async function sourceOf(link: HTMLAnchorElement): Promise<Element | null> {
  const id = link.hash.slice(1);
  return document.getElementById(id) ?? (await pageOf(link))?.getElementById(id) ?? null;
}

/** Between the citation and what follows it, so that Tab goes on to the links of the source. */
function makeCard(): HTMLSpanElement {
  const card = document.createElement('span');
  card.className = 'source-card';
  card.id = 'source-card';
  card.setAttribute('role', 'note');
  return card;
}

class SourceCards {
  readonly #card = makeCard();
  #link: HTMLAnchorElement | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    // Its style sheet or a font may come after it has been placed.
    new ResizeObserver(() => {
      if (this.#link !== null && this.#card.isConnected) this.#place(this.#link);
    }).observe(this.#card);
  }

  get link(): HTMLAnchorElement | null {
    return this.#link;
  }

  has(node: EventTarget | null): boolean {
    return node instanceof Node && (this.#card.contains(node) || this.#link?.contains(node) === true);
  }

  async show(link: HTMLAnchorElement): Promise<void> {
    clearTimeout(this.#timer);
    if (link === this.#link) return;
    this.hide();
    this.#link = link;
    const source = await sourceOf(link);
    // The reader may have gone on; without a source, the citation is a link as before.
    if (source === null || this.#link !== link) return;
    const parts = [...source.childNodes].map((node) => document.importNode(node, true));
    const place = document.createElement('span');
    place.className = 'source-place';
    const list = document.createElement('a');
    list.href = link.href;
    list.textContent = `Source ${link.textContent.replace(/[[\]]/g, '')} in the list`;
    place.append(list);
    this.#card.replaceChildren(...parts, place);
    link.after(this.#card);
    link.setAttribute('aria-describedby', this.#card.id);
    this.#place(link);
  }

  showSoon(link: HTMLAnchorElement): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.show(link), showAfter);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#link?.removeAttribute('aria-describedby');
    this.#link = null;
    this.#card.remove();
  }

  hideSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), hideAfter);
  }

  stay(): void {
    clearTimeout(this.#timer);
  }

  /** Below the citation or, without room there, above it. Moved from its place in the text, so it goes along where figures above grow. */
  #place(link: HTMLAnchorElement): void {
    const { style } = this.#card;
    style.translate = 'none';
    const at = link.getBoundingClientRect();
    const box = this.#card.getBoundingClientRect();
    const left = Math.max(edge, Math.min(at.left, document.documentElement.clientWidth - box.width - edge));
    const below = at.bottom + gap;
    const fits = below + box.height <= innerHeight || at.top - gap - box.height < 0;
    const top = fits ? below : at.top - gap - box.height;
    style.translate = `${left - box.left}px ${top - box.top}px`;
  }
}

/** `first`: what the reader last did with a citation while this script was loading; a click is a tap that has not been followed. */
export function setUpSourceCards(first: Event): void {
  const cards = new SourceCards();
  let touched = false;

  addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const link = cite(event.target);
    if (link !== null) cards.showSoon(link);
    else if (cards.has(event.target)) cards.stay();
    else cards.hideSoon();
  });
  addEventListener('pointerdown', (event) => {
    touched = event.pointerType === 'touch';
    if (!cards.has(event.target)) cards.hide();
  });
  addEventListener('focusin', (event) => {
    const link = cite(event.target);
    // A mouse or finger that presses a link focuses it, too, and does something else with it.
    if (link?.matches(':focus-visible') === true) void cards.show(link);
    else if (!cards.has(event.target)) cards.hide();
  });
  addEventListener('click', (event) => {
    const link = cite(event.target);
    if (touched && link !== null && link !== cards.link) {
      event.preventDefault();
      void cards.show(link);
    } else if (link !== null) cards.hide();
    else if (cards.has(event.target)) setTimeout(() => cards.hide());
  });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || cards.link === null) return;
    if (document.activeElement !== cards.link && cards.has(document.activeElement)) cards.link.focus();
    cards.hide();
  });
  const link = cite(first.target);
  if (link === null) return;
  if (first.type === 'click' || (first.type === 'focusin' && link.matches(':focus-visible'))) void cards.show(link);
  else if (first.type === 'pointerover' && link.matches(':hover')) cards.showSoon(link);
}
