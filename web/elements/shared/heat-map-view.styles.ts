import { css } from 'lit';
import { looks } from './looks.js';

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

  :is(canvas, svg) {
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

  ${looks({
    text: { fill: 'muted' },
    'text.pointed': { fill: 'ink', 'font-weight': 650 },
    '.axis-title': { 'font-size': '12px' },
    'text.number': { fill: 'ink' },
    '.diagonal': { fill: 'none', stroke: 'muted', 'stroke-dasharray': '2 3' },
    '.frame': { fill: 'none', stroke: 'rule' },
    '.cell': { fill: 'none', stroke: 'ink', 'stroke-width': 2.5 },
    '.mirror': { fill: 'none', stroke: 'ink', 'stroke-width': 2.5, 'stroke-dasharray': '5 3' },
  })}

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
