import { css } from 'lit';
import { looks } from './looks.js';

/** Words in the color of what they name; the text alone says it too. */
const words = looks({
  '.words-tied': { fill: 'tiedText' },
  '.words-untied': { fill: 'untiedText' },
  '.is-tied': { color: 'tiedText' },
  '.is-untied': { color: 'untiedText' },
  '.is-through': { color: 'throughText' },
  '.is-input': { color: 'inputText' },
  '.is-output': { color: 'outputText' },
});

/** The frame that every element shares: title, controls, drawing, read-out, caption, footer. */
export const figureStyles = css`
  /* How the text around a figure is set says nothing about the figure; nor does a page's rule for *, which reaches the element only. */
  :host,
  .frame {
    font-style: normal;
    font-weight: 400;
    font-variant: tabular-nums lining-nums;
    letter-spacing: normal;
    word-spacing: normal;
    text-align: start;
    text-indent: 0;
    text-transform: none;
    text-shadow: none;
    white-space: normal;
    word-break: normal;
    hyphens: manual;
  }

  .frame {
    container-type: inline-size;
  }

  /*
   * A container has no width of its own, so the figure would vanish where the parent fits its content (a flex row, a
   * dialog, a table cell). Two words far apart ask for a width, and need none where there is less room.
   */
  :host::before {
    content: '. .';
    display: block;
    block-size: 0;
    overflow: hidden;
    visibility: hidden;
    font-size: 1px;
    word-spacing: 640px;
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

  /* Clipped content is neither visible nor clickable. */
  .skip:not(:focus) {
    clip-path: inset(50%);
  }

  /* At rest: the title, a drawing, one control and a sentence. Whatever layout a part has otherwise. */
  .at-rest .rest {
    display: none !important;
  }

  .title-row {
    display: flex;
    align-items: flex-start;
    justify-content: space-between;
    gap: var(--t-space-2);
    margin: 0 0 var(--t-space-2);
  }

  .title-row > .button {
    flex: none;
    margin-block-start: calc((1.25 * var(--t-size-title) - 44px) / 2);
  }

  /* A group of controls is part of the row around it. */
  .controls > .rest:not(.row, .settings),
  .controls > .own-prompt,
  .state > div {
    display: contents;
  }

  .title {
    margin: 0;
    font-size: var(--t-size-title);
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.008em;
    text-wrap: balance;
  }

  .controls {
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
    /* Reserves space, so nothing below moves during playback or when numbers arrive. */
    min-block-size: var(--read-out, 2lh);
  }

  @container (max-width: 480px) {
    .read-out {
      min-block-size: var(--read-out-narrow, 4lh);
    }
  }

  .read-out strong {
    font-weight: 650;
  }

  .at-rest > .read-out:has(.rest) {
    min-block-size: 2lh;
  }

  /* In a wide figure the caption is beside the read-out. Margins do not collapse in a grid. */
  @container (min-width: 860px) {
    figure {
      display: grid;
      grid-template-columns: minmax(0, 64ch) minmax(0, 1fr);
      column-gap: var(--t-space-5);
    }

    figure > * {
      grid-column: 1 / -1;
      min-inline-size: 0;
    }

    figure > .drawing {
      margin-block: 0;
    }

    figure > .read-out {
      grid-column: 1;
    }

    figure > .read-out ~ figcaption {
      grid-column: 2;
      margin-block-start: var(--t-space-3);
    }
  }

  figcaption {
    margin: var(--t-space-2) 0 0;
    max-inline-size: 68ch;
    color: var(--t-muted);
    text-wrap: pretty;
  }

  .footer {
    gap: 0 var(--t-space-1);
    margin-block-start: var(--t-space-2);
    margin-inline-start: calc(-1 * var(--t-space-2));
    font-size: var(--t-size-small);
  }

  .footer .note {
    padding-inline: var(--t-space-2);
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
    white-space: pre-wrap;
    overflow-wrap: anywhere;
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

  .data :is(th, td) {
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

  /* In a narrow figure, long names of rows and columns must leave space for the numbers. */
  @container (max-width: 480px) {
    .data thead th {
      white-space: normal;
    }

    .data th > span {
      display: block;
      inline-size: max-content;
      max-inline-size: 8.5em;
      white-space: normal;
    }
  }

  .message {
    padding: var(--t-space-3);
    border: 1px solid var(--t-rule);
    border-radius: var(--t-radius);
  }

  .message strong {
    display: block;
  }

  /* Before the first answer. */
  .waiting {
    min-block-size: 420px;
    margin: 0;
    color: var(--t-muted);
  }

  :where(ul, ol)[class] {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  :is(.chart-title, .part-title, .aside, .minor, .note) {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .chart-title {
    margin: 0;
  }

  .part-title {
    margin: 0 0 var(--t-space-2);
    line-height: 24px;
  }

  .aside {
    margin: var(--t-space-2) 0 0;
    text-wrap: pretty;
  }

  .charts {
    display: grid;
    gap: var(--t-space-4) var(--t-space-5);
  }

  .charts > *,
  .bench > * {
    min-inline-size: 0;
  }

  /* shared/columns.ts computes the width of such a column. */
  @container (min-width: 800px) {
    .charts.halves {
      grid-template-columns: 1fr 1fr;
    }
  }

  svg[data-picture] {
    display: block;
    /* Charts run from left to right in every language. */
    direction: ltr;
    overflow: visible;
  }

  ${looks({
    text: { fill: 'ink', 'font-size': '14px' },
    'text.number': { 'font-weight': 650 },
    '.track': { fill: 'none', stroke: 'control' },
    '.faint': { fill: 'muted' },
    '.grid': { stroke: 'rule' },
    // The marks of a plot, by model.
    '.tied': { '--line': 'tied', '--words': 'tiedText' },
    '.untied': { '--line': 'untied', '--words': 'untiedText' },
    '.mark': { fill: 'var(--line)', stroke: 'paper' },
  })}

  /* Tables of numbers within a figure. */
  .numbers {
    border-collapse: collapse;
  }

  .numbers :is(th, td) {
    padding: 3px 0 3px 12px;
    border-block-end: 1px solid var(--t-rule);
    font-weight: 400;
    text-align: end;
  }

  .numbers thead th {
    color: var(--t-muted);
  }

  .numbers tr > :first-child {
    padding-inline-start: 0;
    text-align: start;
  }

  ${words}

  @media print {
    .controls,
    .title-row > .button,
    .footer {
      display: none;
    }
  }
`;
