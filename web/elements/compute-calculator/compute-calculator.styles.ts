import { css } from 'lit';
import { looks } from '../shared/looks.js';

/** One hue per bar; tints are also distinguished by position, name and the table below. */
const drawings = looks({
  'text.under': { fill: 'muted', 'font-size': '12px' },
  '.of-ink': { '--hue': 'ink' },
  '.of-tied': { '--hue': 'tied' },
  '.of-untied': { '--hue': 'untied' },
  '.part-projections': { '--tint': 0.3 },
  '.part-scores': { '--tint': 0.62 },
  '.part-feed-forward': { '--tint': 0.16 },
  '.part-head': { '--hue': 'output', '--tint': 1 },
  '.part-weights': { '--tint': 1 },
  '.part-gradients': { '--tint': 0.72 },
  '.part-optimizer': { '--tint': 0.48 },
  '.part-activations': { '--tint': 0.28 },
  '.part-logits': { '--tint': 0.12 },
  '.segment': {
    fill: 'var(--hue)',
    'fill-opacity': 'var(--tint, 0)',
    stroke: 'var(--hue)',
    'stroke-width': 0.75,
    'stroke-opacity': 0.8,
  },
  '.head-bar': { fill: 'output' },
  '.head-bar.inexact': { 'fill-opacity': 0.45, stroke: 'output' },
  '.key thead .words-tied': { color: 'tiedText' },
  '.key thead .words-untied': { color: 'untiedText' },
});

export const computeCalculatorStyles = css`
  .batch {
    display: grid;
    gap: var(--t-space-2) var(--t-space-5);
    inline-size: 100%;
  }

  .batch tied-number-field {
    --tied-number-width: 8em;
  }

  .choices tied-number-field {
    --tied-number-width: 4.5em;
  }

  .choices .field {
    flex-wrap: wrap;
    gap: 0 var(--t-space-2);
  }

  .waiting {
    min-block-size: 480px;
  }

  @container (min-width: 640px) {
    .batch {
      grid-template-columns: 1fr 1fr;
    }
  }

  @container (min-width: 720px) {
    .charts {
      grid-template-columns: 1fr 1fr;
    }
  }

  /* No space for labels above the first bar. */
  .bars svg {
    margin-block-start: -14px;
  }

  ${drawings}

  .swatch {
    /* A key shows the colors that it explains, even if the system forces its own. */
    forced-color-adjust: none;
    display: inline-block;
    position: relative;
    inline-size: 12px;
    block-size: 12px;
    margin-inline-end: 4px;
    border: 1px solid var(--hue);
    vertical-align: -1px;
  }

  .swatch::before {
    content: '';
    position: absolute;
    inset: 0;
    background: var(--hue);
    opacity: var(--tint, 0);
  }

  .swatch:last-of-type {
    margin-inline-end: 8px;
  }

  .key {
    inline-size: 100%;
    font-size: var(--t-size-small);
    white-space: nowrap;
  }

  .key .head > *,
  .key .saved > * {
    font-weight: 650;
  }

  .key .saved > * {
    border-block-end: 0;
  }

  .drawing > .read-out {
    max-inline-size: 72ch;
    --read-out: 3lh;
    --read-out-narrow: 8lh;
  }

  .heads {
    margin-block-start: var(--t-space-4);
    padding-block-start: var(--t-space-3);
    border-block-start: 1px solid var(--t-rule);
  }

  .heads .fields {
    display: flex;
    flex-wrap: wrap;
    gap: var(--t-space-1) var(--t-space-4);
    margin-block: var(--t-space-1) var(--t-space-2);
  }

  .heads tied-number-field {
    --tied-number-width: 6em;
  }

  @container (max-width: 480px) {
    .key tbody th {
      white-space: normal;
    }

    .key :is(th, td) {
      padding-inline-start: 6px;
    }

    .charts svg text.number {
      font-size: 13px;
    }

    .heads .fields {
      display: grid;
    }

    .heads tied-number-field {
      display: block;
    }

    .heads tied-number-field::part(line) {
      justify-content: space-between;
    }
  }
`;
