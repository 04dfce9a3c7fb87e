import { css, html, nothing, type LitElement, type TemplateResult } from 'lit';
import { button, fileButton } from './controls.js';
import { FileDrop } from './file-drop.js';
import { Task } from './task.js';
import { FileError, readTextFile, type FileProblem, type TextFile } from './text-file.js';

/** Texts of figures that take the reader's own text. */
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
  readonly texts: () => typeof ownTextStrings & typeof ownTextProblems & { readonly emptyText: string };
  /** The reader has pasted, dropped or chosen something, whether usable or not: earlier messages no longer apply. */
  readonly opened: () => void;
  /** The reader has given a text. */
  readonly use: (text: TextFile) => void;
}

/** The reader's own text: pasted, chosen or dropped on the figure. The newest one counts. */
export class OwnText {
  /** What is wrong with what was given, or null. */
  problem: string | null = null;
  /** The content of the text box. */
  #draft = '';
  readonly #options: OwnTextOptions;
  readonly #drop: FileDrop;
  readonly #opening: Task<File, TextFile>;

  constructor(
    private readonly host: LitElement,
    options: OwnTextOptions,
  ) {
    this.#options = options;
    this.#drop = new FileDrop(host, (files) => void this.useFiles(files));
    this.#opening = new Task<File, TextFile>(host, {
      order: 'replace',
      run: readTextFile,
      done: (text) => this.#use(text),
      failed: (error) => {
        const { files } = this.#options.texts();
        this.#refuse(error instanceof FileError ? files[error.problem](error.fileName) : String(error));
      },
    });
  }

  /** Clears the problem and stops reading a file. */
  cancel(): void {
    this.#opening.cancel();
    this.problem = null;
  }

  #refuse(problem: string): void {
    this.problem = problem;
    this.host.requestUpdate();
  }

  #use(text: TextFile): void {
    this.cancel();
    this.#options.use(text);
  }

  #usePasted(): void {
    const { emptyText, pastedName } = this.#options.texts();
    this.#options.opened();
    if (this.#draft.trim() === '') this.#refuse(emptyText);
    else this.#use({ name: pastedName, text: this.#draft });
  }

  /** An empty list means that something other than a file was dropped. */
  async useFiles([file, ...more]: readonly File[]): Promise<void> {
    const { notAFile, severalFiles } = this.#options.texts();
    this.cancel();
    this.#options.opened();
    this.host.requestUpdate();
    if (file === undefined) this.#refuse(notAFile);
    else if (more.length > 0) this.#refuse(severalFiles);
    else await this.#opening.request(file);
  }

  /** A box to paste into and a button to choose a file; problems with either are shown below. */
  render(): TemplateResult {
    const texts = this.#options.texts();
    const { problem } = this;
    return html`
      <div class="own-text">
        <textarea
          class="text-field"
          rows="4"
          aria-label=${texts.pasteLabel}
          aria-describedby="text-problem"
          placeholder=${texts.pastePlaceholder}
          .value=${this.#draft}
          @input=${(event: Event) => {
            this.#draft = (event.target as HTMLTextAreaElement).value;
          }}
        ></textarea>
        <div class="row tight">
          ${button({ label: texts.useText, onPress: () => this.#usePasted() })}
          ${fileButton({
            label: texts.chooseFile,
            accept: '.txt,.text,.md,.csv,.tsv,text/*',
            onFiles: (files) => void this.useFiles(files),
          })}
          <span class="note">${texts.dropHint}</span>
        </div>
        <div role="alert" id="text-problem">
          ${problem === null ? nothing : html`<p class="problem">${problem}</p>`}
        </div>
      </div>
    `;
  }

  /** Covers a positioned drawing while a file hovers over the figure. */
  renderDropZone(): TemplateResult | typeof nothing {
    const { dropHere } = this.#options.texts();
    return this.#drop.hovering ? html`<div class="drop" aria-hidden="true">${dropHere}</div>` : nothing;
  }
}
