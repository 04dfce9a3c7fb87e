import { css } from 'lit';
import { looks } from './looks.js';

const drawing = looks({
  text: { fill: 'ink', 'font-size': '14px', halo: 4 },
  'text.tick': { fill: 'muted', 'font-size': '11px', 'stroke-width': 3 },
  '.grid': { stroke: 'rule' },
  '.axis': { stroke: 'control' },
  '.shaft': { fill: 'none', stroke: 'var(--line)', 'stroke-width': 2.5 },
  '.head': { fill: 'var(--line)', stroke: 'var(--line)', 'stroke-width': 1.5, 'stroke-linejoin': 'round' },
  '.tied': { '--line': 'tied' },
  '.input': { '--line': 'input' },
  // Output vectors are dashed and have an open head, so hue is never the only distinction.
  '.output': { '--line': 'output' },
  '.output .shaft': { 'stroke-dasharray': '6 4' },
  '.output .head': { fill: 'paper' },
  '.label': { 'font-weight': 500 },
  '.output .label': { 'font-style': 'italic' },
  'text.bare': { fill: 'var(--line)', 'font-size': '12px', 'font-weight': 600, halo: 2 },
  '.dimmed': { opacity: 0.35 },
  '.pointed .shaft': { 'stroke-width': 4 },
  '.pointed .label': { 'font-weight': 700 },
});

export const vectorPlaneViewStyles = css`
  .stage {
    position: relative;
    max-inline-size: 100%;
  }

  svg {
    display: block;
    overflow: visible;
  }

  ${drawing}

  .grip {
    position: absolute;
    inset-block-start: 0;
    left: 0;
    inline-size: 44px;
    block-size: 44px;
    margin: -22px 0 0 -22px;
    border-radius: 50%;
    cursor: grab;
    /* A finger on a tip moves it in any direction; elsewhere it scrolls the page. */
    touch-action: none;
  }

  .grip:active {
    cursor: grabbing;
  }

  .ring {
    position: absolute;
    inset: 13px;
    border: 2px solid transparent;
    border-radius: 50%;
  }

  .grip:hover .ring {
    border-color: var(--t-control);
  }

  .grip:has(:focus-visible) .ring {
    border-color: var(--t-focus);
  }

  .axis-slider {
    position: absolute;
    inset: 10px;
    outline: none;
  }

  .axis-slider:focus-visible {
    outline: none;
  }

  /* With forced colors, a transparent border becomes visible. */
  @media (forced-colors: active) {
    .grip:not(:hover, :has(:focus-visible)) .ring {
      display: none;
    }
  }
`;
