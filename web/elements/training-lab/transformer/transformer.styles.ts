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

  .sample-head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--t-space-3);
    margin-block-end: var(--t-space-1);
  }

  /* On a line of their own, so that longer numbers never move what is below. */
  .arm-numbers {
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    gap: 0 12px;
    margin: 0;
    font-size: var(--t-size-small);
  }

  .arm-numbers > div {
    display: inline-flex;
    flex-direction: row-reverse;
    gap: 0.35em;
    white-space: nowrap;
  }

  .arm-numbers dt {
    color: var(--t-muted);
  }

  .arm-numbers dd {
    margin: 0;
    font-weight: 600;
  }

  .samples {
    display: grid;
    gap: var(--t-space-2);
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
    font-weight: 650;
  }

  /* Room for what comes, so that nothing below moves while it is written. */
  .sample-text {
    margin: 0;
    min-block-size: 7.1em;
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
