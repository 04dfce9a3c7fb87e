import { css, html, nothing, type TemplateResult } from 'lit';
import { button } from './controls.js';
import type { FileProblem } from './text-file.js';

/** What a figure says that takes the reader's own text. */
export const ownTextStrings = {
  pasteLabel: 'Paste a text here',
  pastePlaceholder: 'Paste a few pages of text. Nothing leaves this computer.',
  useText: 'Use this text',
  pastedName: 'pasted text',
  chooseFile: 'Choose a file',
  dropHint: 'or drop a .txt file anywhere on this figure (up to 10 MB; it stays on this computer).',
  dropHere: 'Drop the text here',
};

/** What is wrong with what was dropped, chosen or pasted. */
export const ownTextProblems = {
  files: {
    empty: (name: string) => `${name} is empty. Choose a file with some text in it.`,
    'too-large': (name: string) => `${name} is larger than 10 MB. Choose a shorter text.`,
    binary: (name: string) => `${name} does not look like plain text. Save it as .txt and drop that.`,
    unreadable: (name: string) => `${name} could not be read. Choose a plain text file.`,
  } as Record<FileProblem, (name: string) => string>,
  severalFiles: 'Drop one file at a time.',
  notAFile: 'That was not a file. Drop a .txt file, or paste the text.',
};

export const ownTextStyles = css`
  .own-text {
    display: grid;
    gap: var(--t-space-2);
  }

  .drop {
    position: absolute;
    inset: calc(-1 * var(--t-space-2));
    z-index: 2;
    display: grid;
    place-items: center;
    border: 2px dashed var(--t-accent);
    border-radius: var(--t-radius);
    background: color-mix(in srgb, var(--t-paper) 88%, transparent);
    font-size: var(--t-size-large);
    font-weight: 600;
    pointer-events: none;
  }
`;

export interface OwnTextOptions {
  texts: typeof ownTextStrings;
  /** What stands in the box. */
  draft: string;
  problem: string | null;
  onDraft: (draft: string) => void;
  onUse: () => void;
  onFiles: (files: readonly File[]) => void;
}

/** A box to paste into and a button to choose a file; what is wrong with either is said under it. */
export function ownText(options: OwnTextOptions): TemplateResult {
  const { texts, draft, problem } = options;
  const choose = (event: Event): void => {
    const input = (event.currentTarget as HTMLElement).parentElement?.querySelector('input');
    input?.click();
  };
  return html`
    <div class="own-text">
      <textarea
        class="text-field"
        rows="4"
        aria-label=${texts.pasteLabel}
        aria-describedby="text-problem"
        placeholder=${texts.pastePlaceholder}
        .value=${draft}
        @input=${(event: Event) => {
          options.onDraft((event.target as HTMLTextAreaElement).value);
        }}
      ></textarea>
      <div class="row tight">
        ${button({ label: texts.useText, onPress: options.onUse })}
        <span class="choose">
          <input
            type="file"
            hidden
            accept=".txt,.text,.md,.csv,.tsv,text/*"
            @change=${(event: Event) => {
              const input = event.target as HTMLInputElement;
              options.onFiles(Array.from(input.files ?? []));
              // The same file can be chosen again after it was changed.
              input.value = '';
            }}
          />
          ${button({ label: texts.chooseFile, onPress: choose })}
        </span>
        <span class="note">${texts.dropHint}</span>
      </div>
      <div role="alert" id="text-problem">${problem === null ? nothing : html`<p class="problem">${problem}</p>`}</div>
    </div>
  `;
}

/** Over a drawing that is positioned, while a file hovers over the figure. */
export const dropZone = (hovering: boolean, { dropHere }: typeof ownTextStrings): TemplateResult | typeof nothing =>
  hovering ? html`<div class="drop" aria-hidden="true">${dropHere}</div>` : nothing;
