import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  '.axis text': { 'font-size': '13px' },
  '.axis line': { stroke: 'rule' },
  '.axis .null': { fill: 'floor' },
  '.axis .chosen': { 'font-weight': 650 },
  '.axis .excess': { stroke: 'positive', 'stroke-width': 2 },
  '.axis .js, .pairs .there': { fill: 'positive' },
  '.pairs .back': { fill: 'negative' },
});

export const bigramsStyles = css`
  .bench {
    position: relative;
    column-gap: clamp(var(--t-space-3), 4cqi, var(--t-space-5));
    align-items: start;
  }

  @container (min-width: 720px) {
    .bench {
      grid-template: auto 1fr / minmax(360px, 5fr) minmax(280px, 4fr);
    }

    .map {
      grid-area: 1 / 1 / 3 / 2;
    }
  }

  .bench > [inert] {
    filter: grayscale(1);
    opacity: 0.35;
  }

  ${drawings}

  .pairs button {
    display: grid;
    grid-template-columns: minmax(5.5em, auto) 1fr;
    align-items: center;
    gap: 0 var(--t-space-2);
  }

  .pairs ~ .rest > .part-title {
    margin-block-start: var(--t-space-3);
  }

  .cycles li {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--t-space-2);
    padding: 2px var(--t-space-2);
  }

  .cycles b {
    flex: 0 0 8em;
  }

  .times {
    font-size: var(--t-size-small);
  }

  /* Wide enough for the rarest cycle: either all lines wrap or none. */
  .cycles .times {
    flex: 1 0 15em;
  }

  .pairs svg {
    grid-column: 1 / -1;
    inline-size: 100%;
    block-size: 4px;
  }
`;
