import { css } from 'lit';

export const modelTableStyles = css`
  .controls input[type='search'] {
    inline-size: 13em;
  }

  ::placeholder {
    color: var(--t-muted);
    opacity: 1;
  }

  .drawing > .read-out {
    margin-block: var(--t-space-3);
    max-inline-size: 72ch;
    --read-out: 3lh;
    --read-out-narrow: 5lh;
  }

  .more {
    margin: var(--t-space-2) 0 0;
  }

  .axis-choice {
    display: flex;
    margin-block-end: var(--t-space-2);
  }

  .sort-controls {
    display: none;
  }
`;
