import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../shared/controls.js';
import type { Content } from '../shared/figure.js';
import { struckPrompt } from '../shared/prompt-chips.js';
import { leftOutText } from '../shared/unknown-words.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import type { Story } from './story.js';

export interface WritingView {
  readonly texts: CheckpointStrings;
  readonly story: Story;
  readonly tied: boolean;
  /** Whether there is a prompt, and nothing is being opened. */
  readonly canStart: boolean;
  /** The settings, with the button that starts and stops. */
  readonly panel: (button: TemplateResult) => Content;
  readonly onWrite: () => void;
}

/** The part of the figure in which the model writes. */
export function writingView(view: WritingView): TemplateResult {
  const { texts, story, tied } = view;
  const unread = leftOutText(texts, story.leftOut);
  return html`<p class="part-title">${texts.story}</p>
    <div class="row writing">${view.panel(startOrStop(view))}</div>
    <div class="story ${tied ? 'tied' : ''}" role="region" aria-label=${texts.story} dir="auto">
      ${
        story.started
          ? html`<span class="given">${struckPrompt(story.prompt, story.leftOut)}</span
              ><span class="written">${story.text}</span>`
          : html`<span class="nothing">${texts.empty}</span>`
      }
    </div>
    ${unread === null ? nothing : html`<p class="note" role="status">${unread}</p>`}`;
}

const startOrStop = ({ texts, story, canStart, onWrite }: WritingView): TemplateResult =>
  story.writing
    ? button({ label: texts.stop, icon: 'pause', kind: 'primary', onPress: () => story.stop() })
    : button({
        label: story.text === '' ? texts.write : texts.again,
        icon: 'play',
        kind: 'primary',
        disabled: !canStart,
        onPress: onWrite,
      });
