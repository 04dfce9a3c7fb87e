import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  '.axis text': { 'font-size': '13px' },
  '.axis .name': { halo: 4 },
  '.axis .chance': { fill: 'paper', stroke: 'floor', 'stroke-width': 2 },
  '.axis .held-out': { fill: 'paper', stroke: 'tied', 'stroke-width': 2 },
  '.axis .fit': { fill: 'tied' },
  '.axis .fit.own': { fill: 'untied' },
  '.axis .held-out.own': { stroke: 'untied' },
});

export const alignmentStyles = css`
  .axis svg {
    max-inline-size: 100%;
  }

  ${drawings}

  .words {
    margin-block-start: var(--t-space-3);
  }

  .lists {
    display: grid;
    /* Narrow, so that each cosine is close to its own word and away from the next list. */
    grid-template-columns: repeat(3, minmax(0, 15rem));
    gap: 0 clamp(var(--t-space-2), 4cqi, var(--t-space-5));
    margin-block-start: var(--t-space-2);
  }

  .lists.unseen {
    visibility: hidden;
  }

  /* The lists start at the same height, however long their headings are. */
  .lists > div {
    display: grid;
    grid-row: span 2;
    grid-template-rows: subgrid;
  }

  .lists ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .lists p {
    align-self: end;
    margin: 0;
    font-weight: 650;
  }

  .lists button {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 var(--t-space-1);
    padding-inline: var(--t-space-1);
  }

  .lists .cosine {
    color: var(--t-muted);
    font-size: var(--t-size-small);
    white-space: nowrap;
  }

  .others > p {
    margin: 0 0 var(--t-space-2);
  }

  .others .charts {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr));
    align-items: start;
  }

  .others .numbers {
    font-size: var(--t-size-small);
  }

  .others caption {
    color: var(--t-muted);
    text-align: start;
  }

  .others .by-chance {
    display: block;
    color: var(--t-floor-text);
  }
`;
