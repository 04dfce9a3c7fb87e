import { css } from 'lit';

export const parameterCalculatorStyles = css`
  @container (min-width: 640px) {
    .charts {
      grid-template-columns: 1fr 1fr;
    }
  }

  .chart-title {
    margin-block-end: var(--t-space-1);
  }

  /* Reserves the usual height, so that nothing below moves when the numbers arrive. */
  .read-out {
    min-block-size: 3lh;
  }

  @container (max-width: 480px) {
    .read-out {
      min-block-size: 6lh;
    }
  }

  .comparison {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--t-space-1) var(--t-space-3);
    margin-block: var(--t-space-4) var(--t-space-2);
  }

  .aside {
    margin: var(--t-space-2) 0 0;
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  text.tick {
    font-size: 13px;
    fill: var(--t-muted);
  }

  text.chosen {
    font-weight: 650;
  }

  text.share {
    font-size: 13px;
  }

  .index {
    font-size: 9px;
  }

  .tick-line {
    stroke: var(--t-control);
  }

  .bar-saved,
  .bar-of-tied,
  .bar-shared-table {
    fill: var(--t-tied);
  }

  .bar-of-untied {
    fill: var(--t-untied);
  }

  .bar-input-table,
  .bar-encoder-table {
    fill: var(--t-input);
  }

  .bar-decoder-table {
    fill: var(--t-input);
    fill-opacity: 0.6;
  }

  .bar-output-table {
    fill: var(--t-output);
  }

  .bar-attention {
    fill: var(--t-ink);
    fill-opacity: 0.16;
  }

  .bar-feed-forward {
    fill: var(--t-ink);
    fill-opacity: 0.32;
  }

  .bar-norms {
    fill: var(--t-ink);
  }

  .bar-positions {
    fill: url('#dots');
  }

  .bar-head {
    fill: url('#hatch');
  }

  .pattern-paper {
    fill: var(--t-paper);
  }

  .pattern-ink {
    fill: var(--t-ink);
  }

  .other {
    fill-opacity: 0.5;
  }

  .bar.cut {
    fill: var(--t-error);
  }

  text.in-bar {
    font-size: 13px;
    pointer-events: none;
  }

  /* Over dots and hatching, a name needs a paper background. */
  text.on-positions,
  text.on-head {
    stroke: var(--t-paper);
    stroke-width: 4px;
    stroke-linejoin: round;
    paint-order: stroke;
  }

  text.on-norms {
    fill: var(--t-paper);
  }

  text.on-shared-table {
    font-style: italic;
    fill: var(--t-paper);
  }

  /* Black reads on these two, light or dark; paper does not. */
  text.on-input-table,
  text.on-output-table,
  text.on-encoder-table,
  text.on-decoder-table {
    font-style: italic;
    fill: #000;
  }

  .key {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(240px, 100%), 1fr));
    gap: 2px var(--t-space-4);
    /* Two lines, so that nothing below moves when the numbers arrive. */
    min-block-size: calc(2 * 1.6em);
    margin: var(--t-space-2) 0 0;
    padding: 0;
    list-style: none;
    font-size: var(--t-size-small);
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
    /* A key shows the colours that it explains, even if the system forces its own. */
    forced-color-adjust: none;
    flex: none;
  }
`;
