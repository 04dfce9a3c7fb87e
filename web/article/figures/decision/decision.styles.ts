import { css } from 'lit';
import { looks } from '../../../elements/shared/looks.js';

export const decisionStyles = css`
  .drawing {
    margin-block: var(--t-space-2);
  }

  .drawing svg {
    display: block;
    overflow: visible;
  }

  .ask {
    flex: 1 1 11em;
    margin: 0;
    font-size: var(--t-size-large);
    line-height: 1.4;
    text-wrap: pretty;
  }

  /* As tall before and after the guess. */
  .controls {
    min-block-size: max(52px, var(--t-target));
    margin-block-end: 0;
  }

  .range {
    display: grid;
    grid-template-columns: auto auto;
    justify-content: space-between;
    flex: 1 1 14em;
    max-inline-size: 26em;
  }

  .range input {
    grid-column: 1 / -1;
    min-block-size: 32px;
  }

  .range output {
    font-weight: 650;
  }

  .read-out {
    max-inline-size: none;
    min-block-size: 2lh;
    margin-block-start: var(--t-space-2);
  }

  .footer {
    min-block-size: var(--t-target);
  }

  @container (max-width: 560px) {
    .controls {
      min-block-size: 84px;
    }

    .read-out {
      min-block-size: 4lh;
    }
  }

  .handle {
    cursor: ns-resize;
    touch-action: none;
    outline: none;
  }

  .handle:focus-visible .knob {
    stroke: var(--t-focus);
    stroke-width: 4;
  }

  .position-slider:focus-visible {
    outline: none;
  }

  .position-slider:focus-visible .grip {
    stroke: var(--t-focus);
    stroke-width: 4;
  }

  .position-slider {
    cursor: ew-resize;
  }

  /* From narrow to wide, so that the eye can follow the trend. */
  @media (prefers-reduced-motion: no-preference) {
    .runs {
      animation: appear 260ms both;
    }

    .w1 {
      animation-delay: 160ms;
    }

    .w2 {
      animation-delay: 320ms;
    }

    .w3 {
      animation-delay: 480ms;
    }

    .w4 {
      animation-delay: 640ms;
    }
  }

  @keyframes appear {
    from {
      opacity: 0;
      translate: 0 -8px;
    }
  }

  ${looks({
    '.panel': { 'font-weight': 650, 'font-size': '15px' },
    '.unit': { fill: 'muted', 'font-weight': 400 },
    '.zero': { stroke: 'control' },
    '.unmeasured': { fill: 'raised' },
    '.run': { fill: 'tied', stroke: 'paper', 'stroke-width': 1 },
    '.interval': { fill: 'tied', 'fill-opacity': 0.2 },
    '.mean': { stroke: 'ink', 'stroke-width': 2 },
    '.line.saving': { fill: 'none', stroke: 'tied', 'stroke-width': 2 },
    '.saving-area': { fill: 'tied', 'fill-opacity': 0.12 },
    '.cross': { stroke: 'ink', 'stroke-dasharray': '3 3' },
    '.saved': { fill: 'tied', stroke: 'paper', 'stroke-width': 2 },
    '.grip': { fill: 'accent', stroke: 'paper', 'stroke-width': 2 },
    '.halo': { halo: 4 },
    '.guess': { fill: 'none', stroke: 'muted', 'stroke-width': 3, 'stroke-dasharray': '5 3' },
    '.guess-name': { fill: 'muted', halo: 4 },
    '.guess-line': { fill: 'none', stroke: 'muted', 'stroke-dasharray': '4 4' },
    '.rail': { stroke: 'control', 'stroke-opacity': 0.6 },
    '.reach': { fill: 'transparent' },
    '.knob': { fill: 'accent', stroke: 'paper', 'stroke-width': 2 },
    '.arrows': { fill: 'none', stroke: 'paper', 'stroke-width': 1.5 },
    '.own': { fill: 'none', stroke: 'through', 'stroke-width': 3 },
  })}
`;
