import { css } from 'lit';
import { looks } from '../../shared/looks.js';

export const tensorStyles = css`
  .finder {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr));
    gap: var(--t-space-2) var(--t-space-3);
    align-items: end;
    margin-block-end: var(--t-space-2);
  }

  .finder .field {
    display: grid;
    align-items: end;
  }

  .finder :is(.field, input, select) {
    inline-size: 100%;
    min-inline-size: 0;
    box-sizing: border-box;
  }

  .finder .aside {
    grid-column: 1 / -1;
    margin: 0;
  }

  /* The words of a cell come and go: their place stays. */
  .cell-words {
    min-block-size: 2lh;
    margin: var(--t-space-2) 0;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }

  .tensor .part-title {
    margin-block-start: 0;
    overflow-wrap: anywhere;
  }

  .statistics td {
    white-space: normal !important;
  }

  ${looks({
    '.bin': { fill: 'muted' },
  })}
`;
