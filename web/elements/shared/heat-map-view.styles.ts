import { css } from 'lit';

export const heatMapViewStyles = css`
  :host {
    min-inline-size: 0;
  }

  .stage {
    position: relative;
    touch-action: manipulation;
  }

  .stage:focus-visible {
    outline-offset: 4px;
  }

  canvas,
  svg {
    display: block;
    position: absolute;
    inset-block-start: 0;
    inset-inline-start: 0;
    inline-size: 100%;
    block-size: 100%;
    pointer-events: none;
  }

  svg {
    overflow: visible;
  }

  text {
    font-family: var(--t-font-ui);
    fill: var(--t-muted);
  }

  text.pointed {
    fill: var(--t-ink);
    font-weight: 650;
  }

  .axis-title {
    font-size: 12px;
  }

  text.number {
    fill: var(--t-ink);
    font-variant-numeric: tabular-nums;
  }

  .diagonal {
    stroke: var(--t-muted);
    stroke-width: 1;
    stroke-dasharray: 2 3;
    fill: none;
  }

  .frame {
    fill: none;
    stroke: var(--t-rule);
  }

  .cell {
    fill: none;
    stroke: var(--t-ink);
    stroke-width: 2.5;
  }

  .mirror {
    fill: none;
    stroke: var(--t-ink);
    stroke-width: 2.5;
    stroke-dasharray: 5 3;
  }

  .legend {
    display: flex;
    align-items: center;
    gap: var(--t-space-2);
    margin-block-start: var(--t-space-2);
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .legend canvas {
    position: static;
    inline-size: 120px;
    block-size: 10px;
    border: 1px solid var(--t-rule);
  }
`;
