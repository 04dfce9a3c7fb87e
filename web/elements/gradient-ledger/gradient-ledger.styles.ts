import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  'svg text': { 'font-size': '13px' },
  '.value': { fill: 'ink', halo: 3 },
  'text.small': { 'font-size': '12px' },
  '.level': { stroke: 'floor', 'stroke-dasharray': '4 3' },
  '.level-name': { fill: 'floorText', halo: 3 },
  '.line': { fill: 'none', stroke: 'var(--line)', 'stroke-width': 2 },
  '.between': { stroke: 'muted', 'stroke-width': 2 },
  '.chosen': { fill: 'ink', 'fill-opacity': 0.1 },
  '.bar': { fill: 'var(--line)' },
  // The colors of the two roles, as in all figures; the title names the model.
  '.input': { fill: 'input' },
  '.pull': { fill: 'output' },
  '.push': { fill: 'output', 'fill-opacity': 0.4 },
});

export const gradientLedgerStyles = css`
  .bench {
    display: grid;
    gap: var(--t-space-4);
  }

  /* The bars are the tallest drawing; the others fit beside them, unless there are plots over the steps. */
  @container (min-width: 800px) {
    .bench {
      grid-template: 'shares bands' auto 'losses bands' 1fr / 1fr 1fr;
      column-gap: var(--t-space-5);
    }

    .bench:has(> .shares > .row) {
      grid-template: 'shares bands' auto 'shares losses' 1fr / 1fr 1fr;
    }

    .shares {
      grid-area: shares;
    }

    .bands {
      grid-area: bands;
    }

    .losses {
      grid-area: losses;
    }
  }

  .bench svg ~ .rest > .part-title {
    margin-block-start: var(--t-space-3);
  }

  ${drawings}
`;
