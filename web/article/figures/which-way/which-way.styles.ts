import { css } from 'lit';
import { looks } from '../../../elements/shared/looks.js';

export const whichWayStyles = css`
  /* What the page shows without scripts is what it prints. */
  slot {
    display: none;
  }

  @media print {
    slot {
      display: block;
    }

    .live {
      display: none;
    }
  }

  .live {
    container-type: inline-size;
  }

  .play {
    min-block-size: 15rem;
    padding: var(--t-space-3) var(--t-space-4) var(--t-space-2);
    border-radius: var(--t-radius);
    background: var(--t-raised);
    text-align: center;
  }

  p {
    margin: 0;
  }

  .which {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .line {
    display: grid;
    place-content: center;
    min-block-size: 4.2rem;
    margin-block: var(--t-space-2);
    font-family: var(--t-font-text);
    font-size: 1.5rem;
    line-height: 1.35;
    text-wrap: balance;
  }

  .line.score {
    font-family: var(--t-font-ui);
    font-size: 1.1875rem;
    font-weight: 600;
  }

  .row {
    display: flex;
    justify-content: center;
    gap: var(--t-space-2);
  }

  .button {
    flex: 1 1 0;
    max-inline-size: 12rem;
    min-block-size: 44px;
    background: var(--t-paper);
  }

  .button.next {
    flex: none;
    max-inline-size: none;
    background: var(--t-accent);
  }

  .verdict {
    min-block-size: 2lh;
    margin-block-start: var(--t-space-3);
    text-wrap: balance;
  }

  .scores {
    display: grid;
    grid-template-columns: max-content minmax(8rem, 15rem) max-content;
    column-gap: var(--t-space-3);
    margin-block-start: var(--t-space-3);
  }

  .scored {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    align-items: center;
    min-block-size: var(--t-target);
    padding-inline: var(--t-space-2);
    border-radius: var(--t-radius);
    cursor: pointer;
  }

  .scored:hover {
    background: var(--t-raised);
  }

  .name {
    grid-row: 1;
    grid-column: 1;
    padding-inline-start: 1.6rem;
  }

  input[type='radio'] {
    grid-row: 1;
    grid-column: 1;
    inline-size: 1rem;
    block-size: 1rem;
    margin: 0;
    accent-color: var(--t-accent);
  }

  .scored:has(input:checked) .name {
    font-weight: 650;
  }

  .scored svg {
    inline-size: 100%;
  }

  .result,
  .half {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .half {
    grid-column: 2;
    text-align: center;
  }

  @container (max-width: 520px) {
    .play {
      min-block-size: 16.75rem;
      padding-inline: var(--t-space-2);
    }

    .line {
      min-block-size: 3.7rem;
      font-size: 1.3125rem;
    }

    .verdict {
      min-block-size: 3lh;
    }

    .scores {
      grid-template-columns: minmax(0, 1fr) minmax(6.5rem, 9rem) max-content;
      column-gap: var(--t-space-2);
    }

    .name,
    .result {
      font-size: var(--t-size-small);
      line-height: 1.25;
    }
  }

  @container (max-width: 340px) {
    .play {
      min-block-size: 18.5rem;
    }

    .line {
      min-block-size: 5.5rem;
    }

    .scores {
      grid-template-columns: minmax(0, 1fr) max-content;
    }

    .scored {
      padding-block: var(--t-space-1);
    }

    .scored svg {
      grid-row: 2;
      grid-column: 1 / -1;
      max-inline-size: 14rem;
      margin-inline-start: 1.6rem;
    }

    .half {
      display: none;
    }
  }

  ${looks({
    '.right': { fill: 'ink' },
    '.open': { fill: 'none', stroke: 'rule', 'stroke-width': 1.5 },
    '.wrong': { fill: 'none', stroke: 'muted', 'stroke-width': 2 },
    '.coin': { stroke: 'accent', 'stroke-width': 1.5 },
  })}
`;
