import { html, nothing, type TemplateResult } from 'lit';
import type { Content } from '../../shared/figure.js';
import type { TokenizerKind } from '../../../core/types.js';
import { button, segmented, select, type Choice } from '../../shared/controls.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';

export interface TextRowOptions {
  texts: TrainingLabStrings;
  /** Built-in texts by id, then the kinds of source. */
  sources: readonly Choice<string>[];
  source: string;
  tokenizer: TokenizerKind;
  /** A chain is made of tokens already. */
  canTokenize: boolean;
  settingsOpen: boolean;
  /** What comes before the text in the row. */
  before: Content;
  onSource: (source: string) => void;
  onTokenizer: (tokenizer: TokenizerKind) => void;
  onSettings: () => void;
}

const tokenizers: readonly TokenizerKind[] = ['word', 'character', 'bpe'];

/** Which text, cut into what, and the way to everything else that can be set. */
export function textRow(options: TextRowOptions): TemplateResult {
  const { texts } = options;
  return html`
    <div class="row">
      ${options.before}
      ${select({
        label: texts.text,
        value: options.source,
        choices: options.sources,
        onChoose: options.onSource,
      })}
      ${
        options.canTokenize
          ? segmented({
              legend: texts.tokenizer,
              name: 'tokenizer',
              value: options.tokenizer,
              choices: tokenizers.map((kind) => ({ value: kind, label: texts.tokenizers[kind] })),
              onChoose: options.onTokenizer,
            })
          : nothing
      }
      ${button({
        label: texts.settings,
        kind: 'quiet',
        expanded: options.settingsOpen,
        onPress: options.onSettings,
      })}
    </div>
  `;
}

export interface OwnTextOptions {
  texts: TrainingLabStrings;
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
