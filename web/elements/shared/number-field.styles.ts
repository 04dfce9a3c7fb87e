import { css } from 'lit';

export const numberFieldStyles = css`
  :host {
    display: inline-block;
    min-inline-size: 0;
  }

  :host([slider]) {
    display: block;
  }

  .line {
    display: flex;
    align-items: center;
    gap: var(--t-space-2);
  }

  :host([slider]) .line {
    flex-wrap: wrap;
    gap: 0 var(--t-space-3);
  }

  :host([slider]) label {
    flex: 1 1 var(--tied-number-label, 0);
  }

  :host([slider]) span:has(> .box) {
    flex: var(--tied-number-line, 0 1 auto);
  }

  label {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .box {
    inline-size: var(--tied-number-width, 6.5em);
    min-block-size: var(--t-target);
    padding: 0 var(--t-space-2);
    border: 1px solid transparent;
    border-block-end: 1px dashed var(--t-control);
    border-radius: 0;
    background: none;
    text-align: var(--tied-number-align, end);
    cursor: ew-resize;
    touch-action: pan-y;
    font-variant-numeric: tabular-nums;
    transition: background-color var(--t-quick);
  }

  .box:hover {
    background: var(--t-raised);
  }

  .box:focus {
    border: 1px solid var(--t-control);
    border-radius: var(--t-radius);
    background: var(--t-paper);
    cursor: text;
  }

  .box.refused,
  .box[aria-invalid='true'] {
    border-color: var(--t-error);
    border-block-end-style: solid;
  }

  .unit {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  :host([slider]) input[type='range'] {
    flex: 1 1 100%;
  }
`;
