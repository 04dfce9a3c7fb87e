import { html, nothing, type TemplateResult } from 'lit';
import { button, fileButton, segmented, textField } from '../shared/controls.js';
import { twinKinds, type TwinKind } from '../shared/model-twins.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { bytesInWords, type Refusal } from './refusal.js';

export interface SourceView {
  readonly texts: CheckpointStrings;
  /** Null if nothing is being opened. */
  readonly busy: string | null;
  readonly hovering: boolean;
  readonly isOpen: boolean;
  /** Whether the model could generate text if its tokenizer were available. */
  readonly needsTokenizer: boolean;
  /** Null if the page has no models of its own. */
  readonly pageModel: { readonly shown: TwinKind | 'yours'; readonly yours: string | null } | null;
  readonly url: string;
  readonly refusal: Refusal | null;
  readonly onFiles: (files: readonly File[]) => void;
  /** All files in a folder. */
  readonly onFolder: (files: readonly File[]) => void;
  /** What a link is waiting for, in words; null if for nothing. */
  readonly awaits: string | null;
  readonly onUrl: (url: string) => void;
  readonly onOpenUrl: () => void;
  readonly onPageModel: (shown: TwinKind | 'yours') => void;
  readonly onCancel: () => void;
  readonly onRetry: (wholeFile: boolean) => void;
}

/** Where a model comes from: the page, the reader's files, a URL. */
export function sourceControls(view: SourceView): TemplateResult {
  const { texts, busy, hovering, isOpen, needsTokenizer, pageModel } = view;
  const hint =
    busy ??
    (hovering ? texts.dropNow : !isOpen ? (view.awaits ?? texts.hint) : needsTokenizer ? texts.needsTokenizer : null);
  return html`
    <div class="rest">${pageModel === null ? nothing : pageChoice(view, pageModel)}</div>
    <div class="drop ${hint === null ? 'done' : ''} ${hovering ? 'hovering' : ''}">
      ${hint === null ? nothing : html`<p>${hint}</p>`}
      ${isOpen || busy !== null || pageModel !== null || view.awaits !== null ? nothing : sample(texts)}
      <div class="row sources">
        ${fileButton({
          label: isOpen ? texts.chooseOther : texts.choose,
          ...(isOpen ? {} : { kind: 'primary' as const }),
          disabled: busy !== null,
          multiple: true,
          onFiles: view.onFiles,
        })}
        <div class="of-folder ${isOpen || pageModel !== null ? 'rest' : ''}">${folderButton(view)}</div>
        ${urlForm(view)} ${busy === null ? nothing : button({ label: texts.cancel, onPress: view.onCancel })}
      </div>
    </div>
  `;
}

/** A button for a folder, such as a cloned repository: its files are sorted out by their names. */
const folderButton = ({ texts, busy, onFolder }: SourceView): TemplateResult =>
  html`<input
      type="file"
      .webkitdirectory=${true}
      hidden
      ?disabled=${busy !== null}
      aria-label=${texts.chooseFolder}
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        const files = Array.from(input.files ?? []);
        input.value = '';
        if (files.length > 0) onFolder(files);
      }}
    />${button({
      label: texts.chooseFolder,
      disabled: busy !== null,
      onPress: ({ currentTarget }) => {
        ((currentTarget as HTMLElement).previousElementSibling as HTMLInputElement).click();
      },
    })}`;

function pageChoice({ texts, onPageModel }: SourceView, page: NonNullable<SourceView['pageModel']>): TemplateResult {
  const choices: { value: TwinKind | 'yours'; label: string }[] = twinKinds.map((kind) => ({
    value: kind,
    label: texts.pageModels[kind],
  }));
  if (page.yours !== null) choices.push({ value: 'yours', label: texts.yours(page.yours) });
  return segmented({
    legend: texts.pageModel,
    hideLegend: true,
    name: 'page-model',
    value: page.shown,
    choices,
    onChoose: onPageModel,
  });
}

const urlForm = ({ texts, url, busy, onUrl, onOpenUrl }: SourceView): TemplateResult => html`
  <form
    class="row tight url"
    @submit=${(event: Event) => {
      event.preventDefault();
      if (busy === null) onOpenUrl();
    }}
  >
    ${textField({ label: texts.url, value: url, placeholder: texts.urlHint, onInput: onUrl })}
    <button type="submit" class="button" ?disabled=${busy !== null || url.trim() === ''}>${texts.openUrl}</button>
  </form>
`;

/** A link to a sample model, because the figure itself fetches nothing unasked. */
const sample = (texts: CheckpointStrings): TemplateResult =>
  html`<p class="sample">
    ${texts.sampleBefore}<a href=${texts.sampleUrl} target="_blank" rel="noopener noreferrer">${texts.sampleLink}</a
    >${texts.sampleAfter}
  </p>`;

/** What the reader can do about a refusal, and the core's words. */
export function wayOn({ texts, refusal, busy, onRetry }: SourceView): TemplateResult | typeof nothing {
  if (refusal === null || busy !== null) return nothing;
  const { wholeFile, canRetry, technical } = refusal;
  const size = wholeFile?.bytes ?? null;
  return html`
    ${
      wholeFile === null
        ? nothing
        : button({
            label: size === null ? texts.downloadAll : texts.download(bytesInWords(size)),
            kind: 'primary',
            onPress: () => onRetry(true),
          })
    }
    ${canRetry ? button({ label: texts.tryAgain, kind: 'primary', onPress: () => onRetry(false) }) : nothing}
    ${
      technical === null
        ? nothing
        : html`<details class="technical minor">
            <summary>${texts.technical}</summary>
            <code>${technical}</code>
          </details>`
    }
  `;
}
