import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  'text.faint': { 'font-size': '13px' },
  'text.chosen': { 'font-weight': 650 },
  'text.share': { 'font-size': '13px' },
  '.index': { 'font-size': '11px' },
  '.tick': { stroke: 'control' },
  '.bar-saved, .bar-of-tied, .bar-shared-table': { fill: 'tied' },
  '.bar-of-untied': { fill: 'untied' },
  '.bar-input-table, .bar-encoder-table': { fill: 'input' },
  '.bar-decoder-table, .bar-additional-tables': { fill: 'input', 'fill-opacity': 0.6 },
  '.bar-output-table': { fill: 'output' },
  '.bar-attention': { fill: 'ink', 'fill-opacity': 0.16 },
  '.bar-feed-forward': { fill: 'ink', 'fill-opacity': 0.32 },
  '.bar-norms': { fill: 'ink' },
  '.bar-positions, .bar-head': { fill: 'paper' },
  '.marks-positions': { fill: 'none', stroke: 'ink', 'stroke-width': 2.2, 'stroke-linecap': 'round' },
  '.marks-head': { fill: 'none', stroke: 'ink', 'stroke-width': 2 },
  '.other': { 'fill-opacity': 0.5 },
  '.bar.cut': { fill: 'error' },
  'text.in-bar': { 'font-size': '13px' },
  // Over dots and hatching, a name needs a paper background.
  'text.on-positions, text.on-head': { halo: 4 },
  'text.on-norms': { fill: 'paper' },
  'text.on-shared-table': { fill: 'paper', 'font-style': 'italic' },
  'text.on-additional-tables': { fill: '#000' },
  // Black is readable on these colors, in light and dark themes; the paper color is not.
  'text:is(.on-input-table, .on-output-table, .on-encoder-table, .on-decoder-table)': {
    fill: '#000',
    'font-style': 'italic',
  },
});

export const parameterCalculatorStyles = css`
  @container (min-width: 640px) {
    .charts {
      grid-template-columns: 1fr 1fr;
    }
  }

  .chart-title {
    margin-block-end: var(--t-space-1);
  }

  .read-out {
    --read-out: 3lh;
    --read-out-narrow: 6lh;
  }

  .comparison {
    gap: var(--t-space-1) var(--t-space-3);
    margin-block: var(--t-space-4) var(--t-space-2);
  }

  ${drawings}

  .in-bar {
    pointer-events: none;
  }

  .key {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(240px, 100%), 1fr));
    gap: 2px var(--t-space-4);
    /* Two lines, so nothing below moves when the numbers arrive. */
    min-block-size: calc(2 * 1.6em);
    margin-block-start: var(--t-space-2);
    font-size: var(--t-size-small);
  }

  @container (min-width: 860px) {
    .at-rest > .read-out:is(:has(.rest), .read-out) {
      grid-column: 1 / -1;
      max-inline-size: none;
      min-block-size: 1lh;
    }

    .at-rest .key {
      min-block-size: 1.6em;
    }
  }

  .at-rest .key {
    display: flex;
    flex-wrap: wrap;
    gap: 2px var(--t-space-3);
  }

  .at-rest .part-number {
    display: none;
  }

  .at-rest .part-share {
    min-inline-size: 0;
    margin-inline-start: calc(-1 * var(--t-space-1));
  }

  .key li {
    display: flex;
    align-items: center;
    gap: var(--t-space-2);
  }

  .part {
    color: var(--t-muted);
  }

  .part-number {
    margin-inline-start: auto;
  }

  .part-share {
    min-inline-size: 4.2em;
    text-align: end;
  }

  .swatch {
    /* A key shows the colors that it explains, even if the system forces its own. */
    forced-color-adjust: none;
    flex: none;
  }
`;
