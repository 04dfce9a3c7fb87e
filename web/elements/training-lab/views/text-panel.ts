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
