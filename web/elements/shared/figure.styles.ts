import { css } from 'lit';

/** The frame that every element shares: title, controls, drawing, read-out, caption, footer. */
export const figureStyles = css`
  :host {
    container-type: inline-size;
  }

  figure {
    position: relative;
    margin: 0;
    padding: var(--t-space-3) 0 var(--t-space-2);
    border-block: 1px solid var(--t-rule);
  }

  .skip {
    position: absolute;
    inset-block-start: var(--t-space-2);
    inset-inline-end: 0;
    z-index: 2;
    background: var(--t-paper);
  }

  /* What is clipped away is neither seen nor pressed. */
  .skip:not(:focus) {
    clip-path: inset(50%);
  }

  .title {
    margin: 0 0 var(--t-space-3);
    font-size: var(--t-size-title);
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.008em;
    text-wrap: balance;
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--t-space-2) var(--t-space-3);
    margin-block-end: var(--t-space-3);
  }

  .drawing {
    margin-block: var(--t-space-3);
  }

  .read-out {
    margin: var(--t-space-3) 0 0;
    max-inline-size: 64ch;
    font-size: var(--t-size-large);
    line-height: 1.45;
    text-wrap: pretty;
    /* Room for what it says next, so that nothing below moves while the reader plays. */
    min-block-size: 2lh;
  }

  @container (max-width: 480px) {
    .read-out {
      min-block-size: 4lh;
    }
  }

  .read-out strong {
    font-weight: 650;
  }

  figcaption {
    margin: var(--t-space-2) 0 0;
    max-inline-size: 68ch;
    color: var(--t-muted);
    text-wrap: pretty;
  }

  .footer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--t-space-1);
    margin-block-start: var(--t-space-2);
    margin-inline-start: calc(-1 * var(--t-space-2));
    font-size: var(--t-size-small);
  }

  .footer .note {
    padding-inline: var(--t-space-2);
    color: var(--t-muted);
  }

  .disclosure {
    margin-block: var(--t-space-2);
    font-size: var(--t-size-small);
  }

  .disclosure p {
    margin: 0 0 var(--t-space-2);
  }

  .embed-code {
    font-family: var(--t-font-mono);
    white-space: pre;
    overflow: auto;
    resize: vertical;
  }

  .data {
    overflow: auto;
    max-block-size: 420px;
  }

  .data table {
    border-collapse: collapse;
    margin-block-end: var(--t-space-3);
  }

  .data caption {
    padding-block: var(--t-space-2);
    text-align: start;
    color: var(--t-muted);
  }

  .data th,
  .data td {
    padding: 4px 12px 4px 0;
    border-block-end: 1px solid var(--t-rule);
    text-align: end;
    font-weight: 400;
    white-space: nowrap;
  }

  .data th {
    color: var(--t-muted);
  }

  .data tr > :first-child {
    text-align: start;
  }

  .message {
    padding: var(--t-space-3);
    border: 1px solid var(--t-rule);
    border-radius: var(--t-radius);
  }

  .message strong {
    display: block;
  }

  /* Words in the colour of what they name; the words themselves say it too. */
  .is-tied {
    color: var(--t-tied-text);
  }

  .is-untied {
    color: var(--t-untied-text);
  }

  .is-through {
    color: var(--t-through-text);
  }

  .is-input {
    color: var(--t-input-text);
  }

  .is-output {
    color: var(--t-output-text);
  }

  .is-floor {
    color: var(--t-floor-text);
  }

  @media print {
    .controls,
    .footer {
      display: none;
    }
  }
`;
