import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  'svg text': { 'font-size': '13px' },
  '.name': { 'font-weight': 650, fill: 'var(--words)' },
  '.value': { fill: 'var(--words)' },
  '.bar, .cell': { fill: 'var(--line)' },
  '.chance': { stroke: 'floor', 'stroke-width': 2, 'stroke-dasharray': '3 2' },
  '.same': { 'font-weight': 650 },
  '.cut': { stroke: 'muted', 'stroke-dasharray': '2 3' },
  '.chosen': { fill: 'none', stroke: 'ink', 'stroke-width': 1.5 },
});

export const lensStyles = css`
  .position-slider .part-title ~ .part-title {
    margin-block-start: var(--t-space-3);
  }

  ${drawings}
`;
