import { css } from 'lit';

/** Buttons, segmented choices, selects and text fields; used with the templates of controls.ts or plain elements. */
export const controlStyles = css`
  :is(button, input, select, textarea) {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }

  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--t-space-2);
    min-block-size: var(--t-target);
    min-inline-size: var(--t-target);
    padding: 0 12px;
    border: 1px solid var(--t-control);
    border-radius: var(--t-radius);
    background: none;
    cursor: pointer;
    white-space: nowrap;
    transition:
      background-color var(--t-quick),
      border-color var(--t-quick);
  }

  .button:hover:not(:disabled, [aria-disabled='true']) {
    background: var(--t-raised);
    border-color: var(--t-ink);
  }

  .button.primary {
    border-color: var(--t-accent);
    background: var(--t-accent);
    color: var(--t-paper);
    font-weight: 600;
  }

  .button.primary:hover:not(:disabled, [aria-disabled='true']) {
    background: var(--t-ink);
    border-color: var(--t-ink);
  }

  .button.icon {
    padding: 0;
  }

  /* A line of a list that can be pressed. */
  .line-button {
    inline-size: 100%;
    min-block-size: var(--t-target);
    padding: 2px var(--t-space-2);
    border: 0;
    border-radius: var(--t-radius);
    background: none;
    text-align: start;
    overflow-wrap: anywhere;
    cursor: pointer;
  }

  .line-button:hover,
  .line-button[aria-pressed='true'] {
    background: var(--t-raised);
  }

  @media (forced-colors: active) {
    .line-button[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }

  .button.quiet {
    border-color: transparent;
    padding: 0 var(--t-space-2);
    color: var(--t-muted);
  }

  .button.quiet:hover:not(:disabled, [aria-disabled='true']) {
    border-color: transparent;
    color: var(--t-ink);
    background: none;
    text-decoration: underline;
    text-underline-offset: 3px;
  }

  .button:is(:disabled, [aria-disabled='true']) {
    border-color: var(--t-rule);
    color: var(--t-muted);
    cursor: default;
  }

  /* Muted text cannot be read on the accent color. */
  .button.primary:is(:disabled, [aria-disabled='true']) {
    background: none;
  }

  .button svg {
    inline-size: 18px;
    block-size: 18px;
    fill: currentColor;
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--t-space-2) var(--t-space-3);
  }

  .row.tight {
    gap: var(--t-space-2);
  }

  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }

  .segmented {
    display: inline-flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px var(--t-space-2);
  }

  .legend {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .segments {
    display: inline-flex;
    flex-wrap: wrap;
    border: 1px solid var(--t-control);
    border-radius: var(--t-radius);
  }

  .segments label {
    position: relative;
    display: inline-flex;
    align-items: center;
    min-block-size: var(--t-target);
    padding: 0 12px;
    cursor: pointer;
    transition: background-color var(--t-quick);
  }

  .segments label + label {
    border-inline-start: 1px solid var(--t-control);
  }

  .segments label:hover {
    background: var(--t-raised);
  }

  .segments input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }

  .segments label:has(input:checked) {
    background: var(--t-ink);
    color: var(--t-paper);
  }

  .segments label:has(input:focus-visible) {
    outline: 2px solid var(--t-focus);
    outline-offset: 2px;
    z-index: 1;
  }

  .segments label:has(input:disabled) {
    color: var(--t-muted);
    cursor: default;
  }

  select,
  .text-field {
    min-block-size: var(--t-target);
    padding: 0 var(--t-space-2);
    border: 1px solid var(--t-control);
    border-radius: var(--t-radius);
    background: var(--t-paper);
    max-inline-size: 100%;
  }

  textarea.text-field {
    box-sizing: border-box;
    padding: var(--t-space-2);
    inline-size: 100%;
  }

  select option {
    background: var(--t-paper);
    color: var(--t-ink);
  }

  .field {
    display: inline-flex;
    align-items: center;
    gap: var(--t-space-2);
  }

  .field.area {
    display: grid;
    flex: 1 1 16em;
    gap: var(--t-space-1);
  }

  .field textarea {
    min-block-size: 2lh;
    resize: vertical;
  }

  .check {
    display: inline-flex;
    align-items: center;
    gap: var(--t-space-2);
    min-block-size: var(--t-target);
    cursor: pointer;
  }

  .check input {
    inline-size: 18px;
    block-size: 18px;
    margin: 0;
    accent-color: var(--t-accent);
  }

  summary {
    inline-size: fit-content;
    min-block-size: var(--t-target);
    padding-block: calc((var(--t-target) - 1.45em) / 2);
    color: var(--t-muted);
    font-size: var(--t-size-small);
    cursor: pointer;
  }

  summary:hover {
    color: var(--t-ink);
    text-decoration: underline;
    text-underline-offset: 3px;
  }

  input[type='range'] {
    -webkit-appearance: none;
    appearance: none;
    inline-size: 100%;
    block-size: var(--t-target);
    margin: 0;
    background: none;
    cursor: pointer;
  }

  input[type='range']::-webkit-slider-runnable-track {
    block-size: 2px;
    background: var(--t-control);
  }

  input[type='range']::-moz-range-track {
    block-size: 2px;
    background: var(--t-control);
  }

  input[type='range']::-webkit-slider-thumb {
    -webkit-appearance: none;
    inline-size: 18px;
    block-size: 18px;
    margin-block-start: -8px;
    border: 2px solid var(--t-paper);
    border-radius: 50%;
    background: var(--t-accent);
  }

  input[type='range']::-moz-range-thumb {
    inline-size: 14px;
    block-size: 14px;
    border: 2px solid var(--t-paper);
    border-radius: 50%;
    background: var(--t-accent);
  }

  /* If the reader's system decides all colors, a chosen item takes the system's own color for selection. */
  @media (forced-colors: active) {
    .segments label:has(input:checked),
    .button.primary:not(:disabled, [aria-disabled='true']) {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }

    input[type='range'] {
      forced-color-adjust: none;
    }
  }

  .problem {
    margin: 4px 0 0;
    color: var(--t-error);
    font-size: var(--t-size-small);
    line-height: 1.4;
  }
`;
