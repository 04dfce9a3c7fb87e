import { css } from 'lit';

export const transformerStyles = css`
  .gpt {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-3);
  }

  .gpt .panel-name {
    margin: 0;
  }

  .gpt-charts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-4);
  }

  .gpt-charts .note {
    margin-block-start: var(--t-space-1);
  }

  @container (min-width: 860px) {
    .gpt-charts {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  .gpt:focus-visible {
    outline-offset: 6px;
  }

  .gpt:focus-visible .keys {
    display: block;
  }

  .arm-table {
    border-collapse: collapse;
    font-size: var(--t-size-small);
  }

  .arm-table th,
  .arm-table td {
    padding: 2px 0 2px var(--t-space-3);
    text-align: end;
    font-weight: 400;
  }

  .arm-table thead th {
    color: var(--t-muted);
  }

  .arm-table tbody th,
  .arm-table tr > :first-child {
    padding-inline-start: 0;
    text-align: start;
    font-weight: 650;
  }

  .arm-table td {
    min-inline-size: 6.5em;
    font-size: var(--t-size);
    white-space: nowrap;
  }

  .samples {
    display: grid;
    gap: var(--t-space-2);
    padding-block-start: var(--t-space-3);
    border-block-start: 1px solid var(--t-rule);
  }

  .sample-controls tied-number-field {
    --tied-number-width: 3em;
  }

  .field.prompt {
    flex: 1 1 200px;
    max-inline-size: 360px;
  }

  .field.prompt input {
    flex: 1;
    min-inline-size: 0;
  }

  .sample-columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-3) var(--t-space-4);
  }

  @container (min-width: 620px) {
    .sample-columns {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  .sample-name {
    margin-block-end: 4px;
    font-size: var(--t-size-small);
    font-weight: 650;
  }

  /* Room for what comes, so that nothing below moves while it is written. */
  .sample-text {
    margin: 0;
    min-block-size: 8.4em;
    font-family: var(--t-font-text);
    font-size: 1rem;
    line-height: 1.4;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .sample-text b {
    font-weight: 650;
  }

  .sample-text.is-empty {
    color: var(--t-muted);
  }

  @media (prefers-reduced-motion: no-preference) {
    .sample-text.is-live::after {
      content: '▍';
      color: var(--t-muted);
    }
  }
`;
