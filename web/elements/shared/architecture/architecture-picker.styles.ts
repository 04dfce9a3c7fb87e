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
    grid-template-columns: minmax(0, 1fr);
    align-items: end;
    gap: var(--t-space-2) var(--t-space-5);
  }

  tied-number-field {
    --tied-number-width: 6.5em;
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

  .config p,
  .config ul {
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
    .sizes,
    .fields {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  @container (min-width: 880px) {
    .sizes:not(.two),
    .fields {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }

    .sizes:not(.two) {
      gap: var(--t-space-2) var(--t-space-4);
    }
  }
`;
