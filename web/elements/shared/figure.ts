import { html, nothing, type TemplateResult } from 'lit';
import type { Plot } from '../../charts/plot.js';
import { button, type ButtonOptions } from './controls.js';
import type { CommonStrings } from './strings.js';

/** Anything a Lit template accepts. */
export type Content = TemplateResult | string | typeof nothing | readonly (TemplateResult | string | typeof nothing)[];

/** What an element displays; the frame arranges it. */
export interface FigureParts {
  /** A claim or a question. */
  readonly title: Content;
  /** Most important first. */
  readonly controls?: Content;
  readonly drawing: Content;
  /** The state in words. */
  readonly readOut?: Content;
  /** The read-out as text for screen readers, announced after a pause when it changes. */
  readonly announcement?: string;
  /** Hints on what to try. */
  readonly caption?: Content;
  /** The drawings as tables, made by `dataTable`. */
  readonly data?: () => Content;
  /** Whether there is a drawing to save as a picture. Default true. */
  readonly hasPicture?: boolean;
}

/** A read-out that begins with a claim, all that is shown at rest; `typeset` is how the other sentences look. */
export const said = (
  claim: string,
  rest: string,
  typeset: Content = rest,
): Pick<FigureParts, 'readOut' | 'announcement'> => ({
  readOut: html`<strong>${claim}</strong> <span class="rest">${typeset}</span>`,
  announcement: `${claim} ${rest}`,
});

/** A drawing below its title, with its key, if it has one, between them. */
export const titled = (
  title: Content,
  { key, drawing }: Pick<Plot, 'drawing'> & Partial<Pick<Plot, 'key'>>,
): TemplateResult => html`
  <p class="part-title" data-picture>${title}</p>
  ${key} ${drawing}
`;

/** What a cell shows, with a class if it looks different. */
export type TableCell = Content | { readonly content: Content; readonly look: string };

export interface Table {
  readonly caption?: Content;
  /** Classes. */
  readonly look?: string;
  readonly head: readonly TableCell[];
  /** The first cell of each row is its header. */
  readonly rows: readonly (readonly TableCell[])[];
  /** Classes of rows. */
  readonly rowLooks?: readonly string[];
}

const isPlain = (cell: TableCell): cell is Content => typeof cell !== 'object' || !('look' in cell);

export function dataTable({ caption, look, head, rows, rowLooks = [] }: Table): TemplateResult {
  const contentOf = (cell: TableCell): Content => (isPlain(cell) ? cell : cell.content);
  const lookOf = (cell: TableCell): string | typeof nothing => (isPlain(cell) ? nothing : cell.look);
  return html`
    <table class=${look ?? nothing}>
      ${
        caption === undefined
          ? nothing
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${head.map((cell) => (cell === '' ? html`<td></td>` : html`<th scope="col" class=${lookOf(cell)}>${contentOf(cell)}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name = '', ...cells], at) => html`
            <tr class=${rowLooks[at] ?? nothing}>
              <th scope="row" class=${lookOf(name)}><span>${contentOf(name)}</span></th>
              ${cells.map((cell) => html`<td class=${lookOf(cell)}>${contentOf(cell)}</td>`)}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}

/** What can be open below the figure. */
export type OpenPart = 'data' | 'embed' | 'command' | 'card' | 'link';

/** Code for the reader to copy, and what it is for. */
export interface Code {
  readonly hint: string;
  readonly text: string;
  /** Lines that are visible at once. Default 3. */
  readonly rows?: number;
  /** Shown beside the copy button. */
  readonly more?: Pick<ButtonOptions, 'label' | 'onPress'>;
}

export interface FrameState {
  readonly strings: CommonStrings;
  readonly headingLevel: number;
  /** Whether no text was translated: a figure in English stays one on a page in another language. */
  readonly isEnglish: boolean;
  /** An error message, or null. */
  readonly problem: string | null;
  readonly announcement: string;
  readonly open: OpenPart | null;
  /** The button in the corner: while it is not expanded, the figure is at rest, and everything of class `rest` is hidden. */
  readonly options: FrameButton;
  /** The footer's buttons; null keeps the position of an absent one. */
  readonly buttons: readonly (FrameButton | null)[];
  /** A short confirmation of a button's action. */
  readonly note: string;
  /** The code that is open; null for none. */
  readonly code: Code | null;
  readonly copy: (code: string) => void;
}

export type FrameButton = Pick<ButtonOptions, 'label' | 'expanded' | 'onPress'>;

export function figureFrame(parts: FigureParts, state: FrameState): TemplateResult {
  const { strings, open, options } = state;
  return html`
    <div class="frame" lang=${state.isEnglish ? 'en' : nothing} dir=${state.isEnglish ? 'ltr' : nothing}>
      <figure part="figure" aria-labelledby="title" class=${options.expanded === true ? nothing : 'at-rest'}>
        ${skipButton(strings.skipFigure)}
        <div class="title-row">
          <div class="title" id="title" part="title" role="heading" aria-level=${state.headingLevel}>
            ${parts.title}
          </div>
          ${button({ ...options, icon: 'more', iconOnly: true, kind: 'quiet' })}
        </div>
        ${parts.controls === undefined ? nothing : html`<div class="controls row" part="controls">${parts.controls}</div>`}
        <div role="alert">${state.problem === null ? nothing : html`<p class="problem">${state.problem}</p>`}</div>
        <div class="drawing" part="drawing">${parts.drawing}</div>
        ${parts.readOut === undefined ? nothing : html`<p class="read-out" part="read-out">${parts.readOut}</p>`}
        <div class="visually-hidden" role="status" aria-live="polite">${state.announcement}</div>
        ${parts.caption === undefined ? nothing : html`<figcaption class="rest" part="caption">${parts.caption}</figcaption>`}
        <div class="footer row rest" part="footer">
          ${state.buttons.map((one) => (one === null ? nothing : button({ ...one, kind: 'quiet' })))}
          <span class="note" role="status">${state.note}</span>
        </div>
        ${
          open === 'data' && parts.data !== undefined
            ? html`<div class="disclosure data" tabindex="0" role="region" aria-label=${strings.showData}>
                ${parts.data()}
              </div>`
            : nothing
        }
        ${state.code === null ? nothing : codePanel(state.code, state)}
      </figure>
      <div id="end" class="visually-hidden" tabindex="-1">${strings.figureEnd}</div>
    </div>
  `;
}

/** Skips all controls of the figure; visible while focused. */
const skipButton = (label: string): TemplateResult => html`
  <button
    type="button"
    class="button skip"
    @click=${(event: Event) => {
      const root = (event.currentTarget as HTMLElement).getRootNode() as ShadowRoot;
      const end = root.getElementById('end');
      if (end === null) return;
      // Focusable only while focused: otherwise Chromium continues from the figure's start.
      end.tabIndex = 0;
      end.focus();
      end.addEventListener('blur', () => (end.tabIndex = -1), { once: true });
    }}
  >
    ${label}
  </button>
`;

const codePanel = ({ hint, text, rows = 3, more }: Code, { strings, copy }: FrameState): TemplateResult => html`
  <div class="disclosure">
    <p id="code-hint">${hint}</p>
    <textarea
      class="text-field embed-code"
      readonly
      rows=${rows}
      aria-labelledby="code-hint"
      .value=${text}
      @focus=${(event: Event) => (event.target as HTMLTextAreaElement).select()}
    ></textarea>
    ${button({ label: strings.copy, onPress: () => copy(text) })} ${more === undefined ? nothing : button(more)}
  </div>
`;
