import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  'svg text': { 'font-size': '13px' },
  '.value': { fill: 'ink', halo: 3 },
  '.model-name': { fill: 'var(--words)', 'font-weight': 650 },
  '.by-chance': { stroke: 'floor', 'stroke-dasharray': '4 3' },
  '.reference': { stroke: 'floor', 'stroke-width': 2 },
  '.line': { fill: 'none', 'stroke-width': 2 },
  '.line.embeddings': { stroke: 'var(--line)' },
  '.mark.embeddings': { fill: 'var(--line)' },
  '.line.finalNorm': { stroke: 'var(--line)', 'stroke-dasharray': '5 3' },
  '.mark.finalNorm': { fill: 'paper', stroke: 'var(--line)', 'stroke-width': 2 },
  '.line.mlp0': { stroke: 'through' },
  '.mark.mlp0': { fill: 'through' },
  '.line.model': { stroke: 'ink', 'stroke-dasharray': '2 2' },
  '.mark.model': { fill: 'ink' },
  '.chosen': { fill: 'ink', 'fill-opacity': 0.1 },
});

/** Between two panels that are side by side. */
export const panelGap = 20;

export const directPathStyles = css`
  .panels.beside {
    display: grid;
    grid-template-columns: 1fr 1fr;
    column-gap: ${panelGap}px;
  }

  /* Its longest option is wider than a phone. */
  .controls select {
    inline-size: 100%;
    min-inline-size: 0;
  }

  .controls .field {
    min-inline-size: 0;
  }

  ${drawings}
`;
