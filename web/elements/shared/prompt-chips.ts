import { css, html, nothing, type TemplateResult } from 'lit';
import { button } from './controls.js';
import { piecesOf } from './unknown-words.js';

/** Prompts in words of the generated stories, each before the second word of a name. */
export const examplePrompts = [
  'Maria took the train to New',
  'She flew to Los',
  'They walked up Fifth Avenue to Central',
  'Then they all had ice',
] as const;

/** The last words of a prompt, which say what it asks. */
const ending = (prompt: string): string => `… ${prompt.split(' ').slice(-3).join(' ')}`;

/** A button for each of them, and one more after them. */
export const promptChips = (
  legend: string,
  onChoose: (prompt: string) => void,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult => html`
  <div class="prompt-chips row tight" role="group" aria-label=${legend}>
    <span class="legend" aria-hidden="true">${legend}</span>
    ${examplePrompts.map((prompt) => button({ label: ending(prompt), onPress: () => onChoose(prompt) }))} ${more}
  </div>
`;

/** What is wrong with the prompt or, if it was read, what of it was not. Its place is kept, so that nothing moves. */
export const promptProblem = (problem: string | null, unread: string | null = null): TemplateResult => html`
  <div class="prompt-problem" role="alert" id="prompt-problem">
    ${problem === null ? (unread === null ? nothing : html`<p class="unread">${unread}</p>`) : html`<p class="problem">${problem}</p>`}
  </div>
`;

/** A prompt, in which what was not read is struck through. */
export const struckPrompt = (prompt: string, leftOut?: readonly string[]): (string | TemplateResult)[] =>
  piecesOf(prompt, leftOut).map(({ piece, isLeftOut }) => (isLeftOut ? html`<s>${piece}</s>` : piece));

export const promptChipsStyles = css`
  .prompt-chips .button {
    border-radius: 99px;
    font-size: var(--t-size-small);
  }

  .prompt-problem {
    flex-basis: 100%;
    min-block-size: 1.4em;
    font-size: var(--t-size-small);
  }

  .prompt-problem p {
    margin: 0;
    line-height: 1.4;
  }

  .prompt-start {
    display: flex;
    flex-basis: 100%;
    gap: var(--t-space-3);
    align-items: center;
    min-block-size: var(--t-target);
  }

  .prompt-start .prompt-problem {
    flex: 1;
    min-block-size: 0;
  }

  @container (max-width: 620px) {
    .prompt-problem {
      min-block-size: 2.8em;
    }
  }
`;
