import { placeAt } from './follow.js';
import { litAt, onlyIn, sectionAbout, withoutLayers, type PartId } from './lit.js';
import { readParts, sharesOf, type Part } from './parts.js';
import { scenes, targets } from './scenes.js';
import { setSideBySide } from './strip.js';
import { styles } from './travel.styles.js';

/** From this width on the drawing is in the margin; below, a strip at the top. The style sheet has the same. */
const margin = matchMedia('(min-width: 1440px)');

/** The bar at the top of narrow windows, in which the strip is; null in a page without contents. */
const bar = (): Element | null => document.querySelector('.contents-bar');

/** Whether that bar is shown: from the end of the introduction. The pages of chapters have none, and the strip comes below the header. */
function isBelowOpening(): boolean {
  const opening = document.querySelector('.opening') ?? document.querySelector('.page-header');
  return opening === null || opening.getBoundingClientRect().bottom <= 0;
}

/** A reader who has scrolled so far reads on. */
const readOnPx = 80;

/** What the strip shows, in its order, by short names. The layers are one part of it. */
const strip: readonly (readonly [PartId, string])[] = [
  ['tokens', '<i>New</i>'],
  ['reads', '<i>W</i><sub>E</sub>'],
  ['encoder', 'encoder'],
  ['attention', 'layers'],
  ['map', '<i>M</i>'],
  ['norm', 'norm'],
  ['writes', '<i>W</i><sub>U</sub>'],
  ['softmax', 'softmax'],
  ['sample', '<i>York</i>'],
];

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

/** A section's heading in few words, and its link; from the page of a chapter it leads to the article. */
function linkTo(id: string): { href: string; title: string } {
  const here = document.getElementById(id);
  const listed = document.querySelector<HTMLElement>(`.contents a[href="#${id}"]`);
  const title = here?.dataset['short'] ?? listed?.dataset['short'] ?? 'the article';
  return { href: here === null && listed === null ? `./#${id}` : `#${id}`, title };
}

const sentenceOf = ({ shape, parameters }: Part): string => `${shape}; parameters: ${parameters}`;

/** The transformer that follows the reader: lit where the section is, with names, shapes and counts on request. */
class Travel {
  readonly #main: HTMLElement;
  readonly #aside: HTMLElement;
  readonly #list: HTMLElement;
  readonly #details: HTMLElement;
  readonly #parts: readonly Part[];
  readonly #share: string;
  #at: HTMLElement | null = null;
  #asked: PartId | null = null;
  /** Where the page was scrolled to when it was asked for. */
  #askedAt = 0;
  /** What was asked for when a press began, before it moved the focus. */
  #before: PartId | null = null;
  /** How the reader last pressed: a finger has no hover, so its first tap asks. */
  #pointer = 'mouse';
  #isDue = false;

  constructor(main: HTMLElement, source: ParentNode) {
    this.#main = main;
    const order = Object.keys(targets);
    this.#parts = readParts(source).sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    const shares = sharesOf(this.#parts);
    this.#share = `${(100 * (shares.get('reads') ?? 0)).toFixed(0)}%`;
    const svg = document.importNode(source.querySelector('svg')!, true);
    svg.removeAttribute('role');
    svg.removeAttribute('aria-label');
    svg.setAttribute('aria-hidden', 'true');
    svg.insertAdjacentHTML('beforeend', scenes(shares));
    this.#list = element('ul', '', ...this.#parts.map((part) => this.#item(part)));
    this.#details = element('div', 'travel-details');
    const drawing = element('div', 'travel-drawing', svg, this.#list);
    this.#aside = element('aside', 'travel', element('div', 'travel-body', drawing, this.#details));
    this.#aside.setAttribute('aria-label', 'Parts of the transformer');
    this.#aside.dataset['away'] = '';
    this.#listen();
    main.prepend(this.#aside);
    this.#follow();
  }

  #item(part: Part): HTMLLIElement {
    const { href } = linkTo(sectionAbout[part.id]);
    const short = element('span', 'short');
    short.innerHTML = strip.find(([id]) => id === part.id)?.[1] ?? '';
    short.setAttribute('aria-hidden', 'true');
    const link = element('a', '', short, element('span', 'full', `${part.name.textContent}: ${sentenceOf(part)}`));
    link.href = href;
    link.tabIndex = -1;
    const [x, y, width, height] = targets[part.id];
    const edges = [y / 412, 1 - (x + width) / 200, 1 - (y + height) / 412, x / 200];
    link.style.setProperty('--at', edges.map((edge) => `${(100 * edge).toFixed(2)}%`).join(' '));
    const item = element('li', '', link);
    item.dataset['part'] = part.id;
    if (short.innerHTML !== '') item.dataset['strip'] = '';
    return item;
  }

  #listen(): void {
    const due = (): void => this.#soon();
    addEventListener('scroll', due, { passive: true });
    // What has been asked of the strip covers the text below it.
    const readOn = (): void => {
      if (!margin.matches && Math.abs(scrollY - this.#askedAt) > readOnPx) this.#ask(null);
    };
    addEventListener('scroll', readOn, { passive: true });
    addEventListener('resize', due);
    // In another width, and once its font has come.
    new ResizeObserver(() => this.#place()).observe(this.#list);
    void document.fonts.ready.then(() => this.#place());
    // In the frame in which a figure grows.
    new ResizeObserver(() => this.#follow()).observe(this.#main);

    const aside = this.#aside;
    aside.addEventListener('pointerover', (event) => {
      if (event.pointerType !== 'touch') this.#ask(this.#partOf(event.target) ?? this.#asked);
    });
    aside.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch' && !aside.matches(':focus-within')) this.#ask(null);
    });
    aside.addEventListener('focusin', (event) => this.#ask(this.#partOf(event.target) ?? this.#asked));
    aside.addEventListener('focusout', (event) => {
      if (!(event.relatedTarget instanceof Node && aside.contains(event.relatedTarget))) this.#ask(null);
    });
    document.addEventListener('pointerdown', (event) => {
      this.#pointer = event.pointerType;
      if (event.target instanceof Node && !aside.contains(event.target)) this.#ask(null);
    });
    this.#list.addEventListener('pointerdown', () => (this.#before = this.#asked));
    this.#list.addEventListener('click', (event) => {
      const part = this.#partOf(event.target);
      if (this.#pointer !== 'touch' || part === null || part === this.#before) return;
      event.preventDefault();
      this.#ask(part);
    });
    this.#list.addEventListener('keydown', (event) => this.#move(event));
  }
  #partOf(target: EventTarget | null): PartId | null {
    const holder = target instanceof Element ? target.closest<HTMLElement>('li[data-part]') : null;
    return (holder?.dataset['part'] as PartId | undefined) ?? null;
  }

  /** Links that are drawn now. */
  get #links(): HTMLAnchorElement[] {
    return [...this.#list.querySelectorAll('a')].filter((link) => link.checkVisibility());
  }

  #move(event: KeyboardEvent): void {
    if (event.key === 'Escape') return this.#ask(null);
    const links = this.#links;
    const now = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = {
      ArrowDown: now + 1,
      ArrowRight: now + 1,
      ArrowUp: now - 1,
      ArrowLeft: now - 1,
      Home: 0,
      End: links.length - 1,
    }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const link = links[Math.min(Math.max(next, 0), links.length - 1)]!;
    this.#stopAt(link);
    link.focus({ preventScroll: true });
  }

  /** The one link that the Tab key reaches. */
  #stopAt(link: HTMLAnchorElement | undefined): void {
    for (const one of this.#list.querySelectorAll('a')) one.tabIndex = one === link ? 0 : -1;
  }

  #soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#follow();
    });
  }

  #follow(): void {
    const found = placeAt(this.#main, innerHeight / 3);
    const place = found === null || litAt[found.id] === undefined ? null : found;
    if (place !== null && place !== this.#at) this.#arrive(place);
    const isAway = place === null || litAt[place.id]!.says === '' || !(margin.matches || isBelowOpening());
    this.#aside.toggleAttribute('data-alone', bar() === null);
    this.#aside.toggleAttribute('data-away', isAway);
    if (isAway) this.#ask(null);
  }

  #arrive(place: HTMLElement): void {
    this.#at = place;
    // Before the section, so that the Tab key and screen readers meet it there.
    if (this.#aside.nextElementSibling !== place && !this.#aside.matches(':focus-within')) place.before(this.#aside);
    // A frame later: what has just been moved would change without a transition.
    requestAnimationFrame(() => this.#light());
  }

  #light(): void {
    if (this.#at === null) return;
    const { parts, scene } = litAt[this.#at.id]!;
    const aside = this.#aside;
    aside.dataset['at'] = this.#at.id;
    aside.dataset['scene'] = scene ?? '';
    aside.toggleAttribute('data-bare', withoutLayers.has(scene));
    aside.toggleAttribute('data-tied', parts.includes('tie'));
    for (const one of aside.querySelectorAll<HTMLElement>('.scene')) {
      one.classList.toggle('shown', one.dataset['scene']!.split(' ').includes(scene ?? ''));
    }
    // A token that is its own likeliest successor.
    aside.querySelector('.next')!.textContent = scene === 'diagonal' ? 'New' : 'York';
    for (const item of this.#list.children as HTMLCollectionOf<HTMLElement>) {
      const id = item.dataset['part'] as PartId;
      item.hidden = onlyIn[id]?.includes(scene!) === false || (id === 'positions' && scene === 'encoder');
    }
    this.#paint();
    this.#place();
    if (!aside.matches(':focus-within'))
      this.#stopAt(this.#links.find((link) => parts.includes(this.#partOf(link)!)) ?? this.#links[0]);
    this.#describe();
  }

  #place(): void {
    if (!margin.matches) setSideBySide(this.#list);
  }

  #paint(): void {
    const { parts } = litAt[this.#at!.id]!;
    for (const one of this.#aside.querySelectorAll<HTMLElement>('[data-part]')) {
      const id = one.dataset['part'] as PartId;
      // The strip has one part for all layers.
      const isLayers = one.localName === 'li' && id === 'attention' && !margin.matches;
      one.classList.toggle('lit', parts.includes(id) || this.#asked === id || (isLayers && parts.includes('mlp')));
    }
  }

  #ask(part: PartId | null): void {
    if (part === this.#asked) return;
    this.#asked = part;
    this.#askedAt = scrollY;
    this.#aside.toggleAttribute('data-asked', part !== null);
    if (this.#at === null) return;
    this.#paint();
    this.#describe();
  }

  #describe(): void {
    // The strip has one part for all layers.
    const isLayers = this.#asked === 'attention' && !margin.matches;
    const asked = this.#parts.filter(({ id }) => id === this.#asked || (isLayers && id === 'mlp'));
    const says = litAt[this.#at!.id]!.says.replace('{share}', this.#share);
    this.#details.replaceChildren(...(asked.length === 0 ? [element('p', 'says', says)] : asked.flatMap(detailsOf)));
  }
}

function detailsOf(part: Part): HTMLElement[] {
  const { href, title } = linkTo(sectionAbout[part.id]);
  const link = element('a', '', title);
  link.href = href;
  const isNone = part.parameters.startsWith('none');
  return [
    element('p', 'name', ...[...part.name.childNodes].map((node) => node.cloneNode(true))),
    element('p', 'numbers', part.shape),
    element('p', 'numbers', isNone ? `Parameters: ${part.parameters}` : `${part.parameters} parameters`),
    element('p', 'of', part.id in onlyIn ? 'GPT-2 small has none. See ' : 'In GPT-2 small. See ', link),
  ];
}

/** The drawing of section 2, with the table of its parts, which only this script needs. */
async function source(): Promise<ParentNode> {
  const response = await fetch(new URL('transformer.html', document.baseURI));
  if (!response.ok) throw new Error(`${response.url} answers with status ${String(response.status)}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Begins when the reader first scrolls. */
export async function travel(): Promise<void> {
  const main = document.querySelector('main');
  if (main === null) return;
  const drawing = await source();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  new Travel(main, drawing);
}
