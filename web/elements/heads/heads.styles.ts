import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  '.bench svg text': { 'font-size': '13px' },
  '.axis, .tick': { stroke: 'control' },
  '.guide': { stroke: 'rule', 'stroke-dasharray': '2 3' },
  '.head-name': { fill: 'ink', 'font-weight': 600, halo: 4 },
  '.mark.partial': { fill: 'paper', stroke: 'var(--line)', 'stroke-width': 2 },
  '.trail': { stroke: 'var(--line)', 'stroke-width': 1.5, 'stroke-opacity': 0.55 },
  '.to-loss': { stroke: 'control' },
  '.before': { fill: 'var(--line)', 'fill-opacity': 0.35, stroke: 'var(--line)', 'stroke-opacity': 0.55 },
  '.loss': { fill: 'var(--words)', halo: 4 },
  '.layers': { fill: 'muted', 'fill-opacity': 0.35 },
  '.head-bar': { fill: 'output' },
});

export const headsStyles = css`
  .bench {
    position: relative;
    display: grid;
    gap: var(--t-space-4);
  }

  .fields tied-number-field {
    --tied-number-width: 6em;
  }

  .fields {
    display: grid;
    gap: var(--t-space-2) var(--t-space-5);
    inline-size: 100%;
  }

  .transport {
    inline-size: 100%;
  }

  .transport progress {
    flex: 1 1 8em;
    max-inline-size: 20em;
  }

  .notes {
    line-height: 1.5;
  }

  .comparison {
    margin-block-end: var(--t-space-3);
  }

  .bench svg[data-picture] {
    margin-block-start: var(--t-space-2);
  }

  @container (min-width: 880px) {
    .bench {
      grid-template-columns: 56fr 44fr;
      gap: 40px;
      align-items: start;
    }
  }

  @container (min-width: 640px) {
    .fields {
      grid-template-columns: 1fr 1fr auto;
    }
  }

  ${drawings}
`;
