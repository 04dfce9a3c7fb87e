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

  /* Always two rows, so that longer numbers and the later speed never move what is below. */
  .arm-numbers {
    display: grid;
    flex: 1 0 100%;
    grid-template-rows: repeat(2, 1.45em);
    grid-template-columns: repeat(2, max-content);
    gap: 0 16px;
    margin: 0;
    font-size: var(--t-size-small);
  }

  .arm-numbers > div {
    display: inline-flex;
    flex-direction: row-reverse;
    justify-content: flex-end;
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

  /* A fixed height, so that nothing below moves while text arrives; longer text scrolls. */
  .sample-text {
    block-size: 8.4em;
    margin: 0;
    overflow-y: auto;
    font-family: var(--t-font-text);
    font-size: 1rem;
    line-height: 1.4;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .samples > .note {
    min-block-size: 1.4em;
  }

  @container (max-width: 620px) {
    .sample-text {
      block-size: 9.8em;
    }

    .samples > .note {
      min-block-size: 2.8em;
    }
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
