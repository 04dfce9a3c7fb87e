import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  'svg text': { 'font-size': '13px' },
  '.faint': { fill: 'muted' },
  '.value': { fill: 'ink', halo: 3 },
  '.model-name': { fill: 'var(--words)', 'font-weight': 650 },
  '.grid': { stroke: 'rule' },
  '.by-chance': { stroke: 'floor', 'stroke-dasharray': '4 3' },
  '.reference': { stroke: 'floor', 'stroke-width': 2 },
  '.tied': { '--line': 'tied', '--words': 'tiedText' },
  '.untied': { '--line': 'untied', '--words': 'untiedText' },
  '.line': { fill: 'none', 'stroke-width': 2 },
  '.mark': { stroke: 'paper' },
  '.embeddings .line': { stroke: 'var(--line)' },
  '.embeddings .mark': { fill: 'var(--line)' },
  '.finalNorm .line': { stroke: 'var(--line)', 'stroke-dasharray': '5 3' },
  '.finalNorm .mark': { fill: 'paper', stroke: 'var(--line)', 'stroke-width': 2 },
  '.mlp0 .line': { stroke: 'through' },
  '.mlp0 .mark': { fill: 'through' },
  '.model .line': { stroke: 'ink', 'stroke-dasharray': '2 2' },
  '.model .mark': { fill: 'ink' },
  '.chosen': { fill: 'ink', 'fill-opacity': 0.1 },
});

export const directPathStyles = css`
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
