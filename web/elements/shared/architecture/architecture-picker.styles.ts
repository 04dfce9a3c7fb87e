import { css } from 'lit';

export const architecturePickerStyles = css`
  :host {
    inline-size: 100%;
    container-type: inline-size;
  }

  .picker {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-2);
  }

  /* As in the figure around it (decision 0100): the model, and its sizes on request. */
  :host([at-rest]) :is(.rest, .sizes) {
    display: none;
  }

  .waiting {
    visibility: hidden;
  }

  .preset {
    flex-wrap: wrap;
    gap: 0 var(--t-space-2);
    max-inline-size: 100%;
  }

  .preset select {
    font-weight: 600;
  }

  .sizes {
    display: grid;
    grid-template-columns: 1.5fr 1fr 1fr;
    align-items: end;
    gap: var(--t-space-2) var(--t-space-3);
  }

  .sizes.two {
    grid-template-columns: 1fr 1fr;
  }

  tied-number-field {
    --tied-number-width: 6.5em;
  }

  /* The name above the number. */
  @container (max-width: 559px) {
    .sizes tied-number-field {
      --tied-number-label: 100%;
      --tied-number-line: 1 1 100%;
      --tied-number-width: 100%;
      --tied-number-align: start;
    }

    /* What resets the model has its place beside the list, so that nothing moves. */
    :host([at-rest]) .picker > .row {
      flex-wrap: nowrap;
      justify-content: space-between;
    }

    :host([at-rest]) :is(.preset, select) {
      min-inline-size: 0;
    }

    :host([at-rest]) .preset > .legend {
      position: absolute;
      clip-path: inset(50%);
    }
  }

  .two tied-number-field {
    --tied-number-width: 8em;
  }

  .fields {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-1) var(--t-space-5);
    padding-block-end: var(--t-space-2);
  }

  .fields > .field,
  .fields > tied-number-field::part(line) {
    justify-content: space-between;
  }

  .fields tied-number-field {
    display: block;
  }

  .fields select {
    flex: 0 1 auto;
    min-inline-size: 0;
  }

  .fields .legend {
    flex: 0 0 auto;
  }

  .config {
    display: grid;
    gap: var(--t-space-2);
    justify-items: start;
    padding: var(--t-space-3);
    border: 1px dashed var(--t-control);
    border-radius: var(--t-radius);
    font-size: var(--t-size-small);
  }

  .config.hovering {
    border-color: var(--t-accent);
    background: var(--t-raised);
  }

  .config :is(p, ul) {
    margin: 0;
    max-inline-size: 68ch;
  }

  .config ul {
    padding-inline-start: 1.2em;
  }

  .config label {
    inline-size: 100%;
  }

  .config textarea {
    font-family: var(--t-font-mono);
    resize: vertical;
  }

  @container (min-width: 560px) {
    .fields {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  /* The model beside its sizes. What resets it has its place above the list, so that nothing moves. */
  @container (min-width: 880px) {
    .fields {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }

    .picker {
      grid-template-columns: minmax(0, 13rem) minmax(0, 1fr);
      column-gap: var(--t-space-4);
      align-items: end;
    }

    .picker > :is(.config, details) {
      grid-column: 1 / -1;
    }

    .picker > .row {
      display: grid;
      grid-template-columns: 1fr auto;
    }

    .preset {
      display: grid;
      grid-area: 1 / 1 / 2 / 3;
      gap: 2px;
      padding-block-start: var(--t-space-1);
    }

    .reset {
      grid-area: 1 / 2;
      align-self: start;
    }

    .reset > .button {
      min-block-size: 24px;
    }

    .preset > select {
      inline-size: 100%;
    }

    .row > .rest {
      grid-column: 1 / -1;
    }

    .sizes:not(.two) {
      grid-template-columns: minmax(0, 1.2fr) repeat(2, minmax(0, 1fr));
    }

    .sizes tied-number-field {
      --tied-number-width: 5.5em;
    }
  }
`;
