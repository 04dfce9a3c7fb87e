import { css } from 'lit';

export const parameterCalculatorStyles = css`
  .sizes {
    display: grid;
    gap: var(--t-space-2) var(--t-space-5);
    inline-size: 100%;
  }

  tied-number-field {
    --tied-number-width: 8em;
  }

  .charts {
    display: grid;
    gap: var(--t-space-4) var(--t-space-5);
  }

  .charts > * {
    min-inline-size: 0;
  }

  .chart-title {
    margin: 0 0 var(--t-space-1);
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  @container (min-width: 640px) {
    .sizes,
    .charts {
      grid-template-columns: 1fr 1fr;
    }
  }

  .bars svg {
    display: block;
    overflow: visible;
  }

  text {
    font-family: var(--t-font-ui);
    font-size: 14px;
    font-variant-numeric: tabular-nums;
    fill: var(--t-ink);
  }

  text.tick {
    font-size: 13px;
    fill: var(--t-muted);
  }

  text.number {
    font-weight: 650;
  }

  .index {
    font-size: 9px;
  }

  .tick-line {
    stroke: var(--t-control);
  }

  .track {
    fill: none;
    stroke: var(--t-control);
  }

  .bar {
    fill: var(--t-tied);
  }

  .bar-untied-in,
  .bar-untied-out {
    fill: var(--t-untied);
  }

  .words-tied {
    fill: var(--t-tied-text);
  }

  .words-untied {
    fill: var(--t-untied-text);
  }

  .bar.cut {
    fill: var(--t-error);
  }

  text.in-bar {
    font-size: 13px;
    font-style: italic;
    /* Black reads on this orange, light or dark; paper does not. */
    fill: #000;
  }
`;
