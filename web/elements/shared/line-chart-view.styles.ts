import { css } from 'lit';

export const lineChartViewStyles = css`
  .stage {
    position: relative;
  }

  svg.chart {
    display: block;
    overflow: visible;
    touch-action: pan-y;
  }

  text {
    font-family: var(--t-font-ui);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    fill: var(--t-muted);
  }

  .grid line {
    stroke: var(--t-rule);
    stroke-width: 1;
  }

  .axis {
    stroke: var(--t-control);
    stroke-width: 1;
  }

  .line,
  .key {
    fill: none;
    stroke: var(--line);
    stroke-width: 2.25;
    stroke-linejoin: round;
    stroke-linecap: round;
  }

  .raw {
    fill: none;
    stroke: var(--line);
    stroke-width: 2;
    stroke-linecap: round;
    opacity: 0.28;
  }

  .reference {
    stroke: var(--t-floor);
    stroke-width: 1.25;
    stroke-dasharray: 2 4;
  }

  .leader {
    fill: none;
    stroke: var(--t-rule);
  }

  .label {
    fill: var(--words);
    font-weight: 600;
  }

  .label.is-reference {
    fill: var(--t-floor-text);
    font-weight: 400;
  }

  .label.inside {
    font-size: 12px;
    paint-order: stroke;
    stroke: var(--t-paper);
    stroke-width: 4;
    stroke-linejoin: round;
  }

  .cursor {
    stroke: var(--t-muted);
    stroke-width: 1;
  }

  .pointer {
    stroke: var(--t-muted);
    stroke-width: 1;
    stroke-dasharray: 2 3;
  }

  .values {
    position: absolute;
    padding: 4px 8px;
    border: 1px solid var(--t-rule);
    border-radius: 4px;
    background: var(--t-paper);
    color: var(--t-ink);
    font-family: var(--t-font-ui);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    pointer-events: none;
  }

  .values div {
    display: flex;
    gap: 12px;
    justify-content: space-between;
    color: var(--words);
  }

  .dot {
    fill: var(--line);
    stroke: var(--t-paper);
    stroke-width: 1.5;
  }

  .mark {
    fill: var(--t-paper);
    stroke: var(--line);
    stroke-width: 1.75;
  }

  .area {
    fill: color-mix(in srgb, var(--line) 16%, var(--t-paper));
    stroke: none;
  }

  /* Each role by hue and by dash. */
  .role-tied {
    --line: var(--t-tied);
    --words: var(--t-tied-text);
  }

  .role-untied {
    --line: var(--t-untied);
    --words: var(--t-untied-text);
    stroke-dasharray: 7 3;
  }

  .role-tied-linear {
    --line: var(--t-through);
    --words: var(--t-through-text);
    stroke-dasharray: 1 5;
  }

  .role-tied-mlp {
    --line: var(--t-through);
    --words: var(--t-through-text);
    stroke-dasharray: 9 3 2 3;
  }

  .role-tied-low-rank {
    --line: var(--t-through);
    --words: var(--t-through-text);
    stroke-dasharray: 12 3;
  }

  .role-untied-later {
    --line: var(--t-untied);
    --words: var(--t-untied-text);
    stroke-dasharray: 9 3 2 3;
  }

  .role-input {
    --line: var(--t-input);
    --words: var(--t-input-text);
  }

  .role-output {
    --line: var(--t-output);
    --words: var(--t-output-text);
    stroke-dasharray: 7 3;
  }

  .role-ink {
    --line: var(--t-ink);
    --words: var(--t-ink);
  }

  text[class*='role-'],
  .raw[class*='role-'],
  .dot[class*='role-'],
  .mark[class*='role-'],
  .area[class*='role-'] {
    stroke-dasharray: none;
  }

  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px var(--t-space-3);
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: var(--t-size-small);
  }

  .legend li {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    color: var(--words);
    font-weight: 600;
  }

  .legend .is-reference {
    color: var(--t-floor-text);
    font-weight: 400;
  }

  .legend svg {
    inline-size: 28px;
    block-size: 8px;
    flex: none;
  }
`;
