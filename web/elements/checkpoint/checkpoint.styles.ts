import { css } from 'lit';
import { looks } from '../shared/looks.js';
import { cardStyles } from './card/card.styles.js';
import { tensorStyles } from './tensor/tensor.styles.js';

export const checkpointStyles = css`
  ${cardStyles}
  ${tensorStyles}

  .drop {
    display: grid;
    justify-items: start;
    gap: var(--t-space-2);
    inline-size: 100%;
    box-sizing: border-box;
    padding: var(--t-space-3);
    border: 1px dashed var(--t-control);
    border-radius: var(--t-radius);
    color: var(--t-muted);
  }

  .drop.done {
    padding: 0;
    border: 0;
  }

  .drop.hovering {
    border-style: solid;
    border-color: var(--t-accent);
    color: var(--t-ink);
  }

  .drop p {
    margin: 0;
    max-inline-size: 62ch;
  }

  .drop a {
    color: var(--t-ink);
  }

  .sources {
    align-items: end;
  }

  .url {
    align-items: end;
    flex: 1 1 260px;
    min-inline-size: 0;
  }

  .url .field {
    flex: 1 1 160px;
    min-inline-size: 0;
  }

  .url .legend {
    flex: none;
  }

  .url input {
    inline-size: 100%;
    box-sizing: border-box;
  }

  .tables-choice {
    align-items: end;
    inline-size: 100%;
  }

  .tables-choice .field {
    max-inline-size: 100%;
  }

  .tables-choice select {
    max-inline-size: 100%;
  }

  .drawing .read-out {
    margin: 0 0 var(--t-space-3);
    overflow-wrap: anywhere;
    --read-out: 3lh;
  }

  /* The read-out of the model that stays open, below a message about another one. */
  [role='alert']:not(:empty) + .drawing .read-out {
    margin-block-start: var(--t-space-3);
  }

  .notes {
    margin: 0 0 var(--t-space-3);
    padding-inline-start: 1.2em;
    max-inline-size: 68ch;
    color: var(--t-muted);
    overflow-wrap: anywhere;
  }

  .remark {
    margin: 0 0 var(--t-space-3);
    max-inline-size: 68ch;
    overflow-wrap: anywhere;
  }

  .sources {
    inline-size: 100%;
  }

  .show-inside .button {
    padding-block: var(--t-space-1);
    text-align: start;
    white-space: normal;
  }

  .of-folder {
    display: contents;
  }

  .notes .conflict {
    color: var(--t-ink);
  }

  .facts {
    overflow-x: auto;
    margin-block-end: var(--t-space-3);
  }

  .facts table {
    font-variant-numeric: tabular-nums;
  }

  :is(.facts, .neighbors) table {
    inline-size: 100%;
    border-collapse: collapse;
  }

  :is(.facts, .neighbors) caption {
    padding-block-end: var(--t-space-1);
    color: var(--t-muted);
    font-size: var(--t-size-small);
    text-align: start;
  }

  :is(.facts, .neighbors) :is(th, td) {
    padding: 6px 12px 6px 0;
    border-block-end: 1px solid var(--t-rule);
    font-weight: 400;
    text-align: start;
    vertical-align: baseline;
  }

  .neighbors :is(th, td) {
    padding-block: 5px;
  }

  .facts thead th {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .facts th[class] {
    font-weight: 650;
  }

  .facts.wide :is(th, td) {
    white-space: nowrap;
  }

  .facts td:last-child,
  .facts th:last-child {
    padding-inline-end: 0;
    text-align: end;
    white-space: nowrap;
  }

  @container (max-width: 480px) {
    /* The label says how much it reads, and may take two lines. */
    .card-actions .primary {
      padding-block: var(--t-space-1);
      white-space: normal;
    }

    /* A row of the table takes two lines; the header stays for screen readers. */
    .facts:not(.wide, .turned) thead {
      position: absolute;
      clip-path: inset(50%);
    }

    .facts:not(.wide, .turned) tbody tr {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
      border-block-end: 1px solid var(--t-rule);
    }

    .facts:not(.wide, .turned) tbody :is(th, td) {
      border: 0;
    }

    .facts:not(.wide, .turned) tbody th {
      flex-basis: 100%;
      padding-block-end: 0;
    }
  }

  code {
    font-family: var(--t-font-mono);
    font-size: 0.92em;
    overflow-wrap: anywhere;
  }

  .aside {
    margin: var(--t-space-3) 0;
    max-inline-size: 68ch;
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .token-sample {
    line-height: 2;
  }

  .token-sample code {
    padding: 2px 5px;
    border: 1px solid var(--t-rule);
    border-radius: var(--t-radius);
    color: var(--t-ink);
    white-space: pre-wrap;
  }

  .part-title {
    margin: var(--t-space-4) 0 var(--t-space-2);
    font-weight: 650;
  }

  .technical {
    inline-size: 100%;
  }

  .line {
    align-items: end;
    inline-size: 100%;
  }

  tied-number-field {
    --tied-number-width: 4.5em;
  }

  .story {
    margin: var(--t-space-3) 0;
    padding-inline-start: var(--t-space-3);
    border-inline-start: 3px solid var(--t-untied);
    min-block-size: 6lh;
    max-inline-size: 66ch;
    font-family: var(--t-font-text);
    font-size: var(--t-size-large);
    line-height: 1.55;
    overflow-wrap: anywhere;
  }

  .story.tied {
    border-color: var(--t-tied);
  }

  .story :is(.given, .written) {
    white-space: pre-wrap;
  }

  .story :is(.given, .nothing) {
    color: var(--t-muted);
  }

  ${looks({
    '.bar-table': { fill: 'tied' },
    '.bar-table.untied': { fill: 'untied' },
    '.bar-second': { fill: 'untied', opacity: 0.6 },
    '.bar-rest': { fill: 'control' },
  })}
`;
