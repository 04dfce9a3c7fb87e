import { css } from 'lit';

export const savingsChartStyles = css`
  .chart-place {
    min-inline-size: 0;
  }

  svg.chart {
    display: block;
    overflow: visible;
    touch-action: pan-y;
  }

  svg.chart.pointing {
    cursor: pointer;
  }

  svg.chart text {
    font-family: var(--t-font-ui);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    fill: var(--t-muted);
  }

  .grid line {
    stroke: var(--t-rule);
  }

  .axis {
    stroke: var(--t-control);
  }

  .reference {
    stroke: var(--t-floor);
    stroke-width: 1.25;
    stroke-dasharray: 5 4;
  }

  svg.chart text.reference-name,
  svg.chart text.name {
    font-size: 12px;
    fill: var(--t-floor-text);
    paint-order: stroke;
    stroke: var(--t-paper);
    stroke-width: 4;
    stroke-linejoin: round;
  }

  svg.chart text.name {
    fill: var(--t-ink);
    stroke-width: 3;
  }

  .point {
    outline: none;
  }

  .point .hit {
    fill: transparent;
    stroke: none;
  }

  .leader {
    stroke: var(--t-control);
  }

  .point .shape {
    stroke-width: 1.75;
  }

  .point.is-tied .shape {
    fill: var(--t-tied);
    stroke: var(--t-paper);
  }

  .point.is-untied .shape {
    fill: var(--t-paper);
    stroke: var(--t-untied);
  }

  .point .otherwise {
    fill: none;
    stroke: var(--t-ink);
    stroke-width: 1;
    stroke-dasharray: 2 2;
  }

  .point.faded {
    opacity: 0.18;
  }

  .point.opened .shape,
  .point.pointed .shape {
    stroke: var(--t-ink);
    stroke-width: 2.25;
  }

  .point:focus-visible .shape {
    stroke: var(--t-focus);
    stroke-width: 3;
  }

  .pointed-words rect {
    fill: var(--t-paper);
    stroke: var(--t-control);
  }

  .pointed-words {
    pointer-events: none;
  }

  svg.chart text.pointed-name {
    font-weight: 650;
    fill: var(--t-ink);
  }

  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--t-space-3);
    margin: var(--t-space-1) 0 0;
    padding: 0;
    list-style: none;
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .controls .legend {
    margin: 0;
  }

  ul.legend li {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
`;
