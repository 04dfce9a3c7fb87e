import { fragmentOf } from './fragments.js';

/** The window's smallest width of a free margin for a note. */
const marginPx = 240;
const gapPx = 40;

/**
 * Opens the entry of a term where the reader is: in the margin beside its line if there is room, otherwise beneath its line. It lies
 * over the page, so nothing moves. Pressing the term again, Escape, the button or a press elsewhere closes it.
 */
class TermNotes {
  readonly #note = document.createElement('div');
  #term: HTMLElement | null = null;

  constructor() {
    this.#note.className = 'term-note';
    this.#note.id = 'term-note';
    this.#note.setAttribute('role', 'note');
    document.addEventListener('click', (event) => this.#click(event));
    document.addEventListener('keydown', (event) => this.#key(event));
    addEventListener('resize', () => this.#place());
    this.prepare(document);
  }

  /** Makes buttons of the terms in a part of the page that has just arrived. */
  prepare(part: ParentNode): void {
    for (const term of part.querySelectorAll<HTMLElement>('a.term')) {
      term.setAttribute('role', 'button');
      term.setAttribute('aria-expanded', 'false');
    }
  }

  #click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const term = target?.closest<HTMLElement>('a.term');
    if (term !== null && term !== undefined && isPlain) {
      event.preventDefault();
      if (term === this.#term) this.close();
      else void this.open(term);
      return;
    }
    const inside = target?.closest('.term-note') ?? null;
    if (inside === null) {
      this.close();
      return;
    }
    const other = target?.closest<HTMLAnchorElement>('.term-note a[href^="#"]');
    if (other !== null && other !== undefined && isPlain) {
      event.preventDefault();
      void this.#fill(other.hash.slice(1)).then(() => this.#note.focus({ preventScroll: true }));
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.#term !== null) {
      const term = this.#term;
      this.close();
      term.focus({ preventScroll: true });
    }
    // A button also answers to the space bar.
    const term = event.target instanceof Element ? event.target.closest<HTMLElement>('a.term') : null;
    if (event.key === ' ' && term !== null) {
      event.preventDefault();
      term.click();
    }
  }

  async #fill(id: string): Promise<boolean> {
    const entry = await fragmentOf('glossary/', id);
    if (entry === null) return false;
    const [name, text] = [entry.querySelector('dt'), entry.querySelector('dd')];
    if (name === null || text === null) return false;
    const title = document.createElement('p');
    title.className = 'term-name';
    title.append(...name.childNodes);
    const close = document.createElement('button');
    close.type = 'button';
    close.className = 'close';
    close.setAttribute('aria-label', 'Close');
    close.textContent = '×';
    close.addEventListener('click', () => {
      const term = this.#term;
      this.close();
      term?.focus({ preventScroll: true });
    });
    const all = document.createElement('a');
    all.href = 'glossary/';
    all.textContent = 'All terms';
    all.className = 'all';
    this.#note.replaceChildren(title, close, ...text.childNodes, all);
    this.#note.tabIndex = -1;
    return true;
  }

  async open(term: HTMLElement): Promise<void> {
    this.close();
    this.#term = term;
    const link = term as HTMLAnchorElement;
    if (!(await this.#fill(link.hash.slice(1)))) {
      this.#term = null;
      location.assign(link.href);
      return;
    }
    // Another term may have been pressed meanwhile.
    if (this.#term !== term) return;
    term.setAttribute('aria-expanded', 'true');
    term.setAttribute('aria-controls', this.#note.id);
    // After the block, so the next stop of the Tab key and of a screen reader is the note.
    (term.closest('p, li, dd, figcaption, .note') ?? term).after(this.#note);
    this.#place();
  }

  #place(): void {
    const term = this.#term;
    if (term === null || !this.#note.isConnected) return;
    const lines = term.getClientRects();
    const line = lines[lines.length - 1]!;
    const block = (term.closest('p, li, dd, figcaption, .note') ?? term).getBoundingClientRect();
    const isMargin = innerWidth - block.right >= marginPx + gapPx + 16 && block.width > marginPx;
    this.#note.classList.toggle('in-margin', isMargin);
    const width = isMargin ? marginPx : Math.min(block.width, 608, innerWidth - 32);
    const left = isMargin ? block.right + gapPx : Math.min(block.left, innerWidth - 16 - width);
    const parent = this.#note.offsetParent ?? document.documentElement;
    const origin = parent === document.body ? { left: -scrollX, top: -scrollY } : parent.getBoundingClientRect();
    const { style } = this.#note;
    style.inlineSize = `${width}px`;
    style.left = `${left - origin.left}px`;
    style.top = `${(isMargin ? line.top - 2 : line.bottom + 8) - origin.top}px`;
    // The point at which its beak is.
    style.setProperty('--beak', `${Math.max(12, Math.min(width - 24, line.left + line.width / 2 - left - 6))}px`);
  }

  close(): void {
    this.#term?.setAttribute('aria-expanded', 'false');
    this.#term?.removeAttribute('aria-controls');
    this.#term = null;
    this.#note.remove();
  }
}

/** Returns what prepares parts of the page that arrive later. */
export function setUpTermNotes(): (part: ParentNode) => void {
  const notes = new TermNotes();
  return (part) => notes.prepare(part);
}
