import { css } from 'lit';

export const vectorPlaneViewStyles = css`
  svg {
    display: block;
    overflow: visible;
    touch-action: pan-y;
  }

  text {
    font-family: var(--t-font-ui);
    font-size: 14px;
    fill: var(--t-ink);
    paint-order: stroke;
    stroke: var(--t-paper);
    stroke-width: 4;
    stroke-linejoin: round;
  }

  text.tick {
    font-size: 11px;
    fill: var(--t-muted);
    stroke-width: 3;
  }

  .grid {
    stroke: var(--t-rule);
    stroke-width: 1;
  }

  .axis {
    stroke: var(--t-control);
    stroke-width: 1;
  }

  .shaft {
    fill: none;
    stroke: var(--line);
    stroke-width: 2.5;
  }

  .head {
    fill: var(--line);
    stroke: var(--line);
    stroke-width: 1.5;
    stroke-linejoin: round;
  }

  .tied {
    --line: var(--t-tied);
  }

  .input {
    --line: var(--t-input);
  }

  /* Writing is dashed and has an open head: never told apart by hue alone. */
  .output {
    --line: var(--t-output);
  }

  .output .shaft {
    stroke-dasharray: 6 4;
  }

  .output .head {
    fill: var(--t-paper);
  }

  .label {
    font-weight: 500;
  }

  .output .label {
    font-style: italic;
  }

  .dimmed {
    opacity: 0.35;
  }

  .pointed .shaft {
    stroke-width: 4;
  }

  .pointed .label {
    font-weight: 700;
  }

  .hit {
    fill: transparent;
  }

  .grip {
    cursor: grab;
    touch-action: none;
  }

  .grip:active {
    cursor: grabbing;
  }

  .grip:focus-visible {
    outline: none;
  }

  .ring {
    fill: none;
    stroke: none;
    stroke-width: 2;
  }

  .grip:hover .ring {
    stroke: var(--t-control);
  }

  .grip:focus-visible .ring {
    stroke: var(--t-focus);
  }
`;
