import { css } from 'lit';

export const symmetryExplorerStyles = css`
  .bench {
    display: grid;
    gap: var(--t-space-3) clamp(12px, 3cqi, var(--t-space-5));
    align-items: start;
  }

  tied-vector-plane,
  tied-heat-map {
    max-inline-size: 230px;
  }

  .bench .part-title {
    margin-block-end: var(--t-space-1);
    line-height: 1.35;
  }

  /* For the longest sentence that a choice or a press brings. */
  .read-out {
    --read-out-narrow: 5lh;
  }

  /* Side by side; beside its names, a map of three tokens has cells of 44 px for fingers. */
  @container (min-width: 313px) {
    .bench {
      grid-template-columns: minmax(0, 1fr) minmax(198px, 1fr);
    }

    .bench > .tables {
      grid-column: 1 / -1;
    }

    .read-out {
      --read-out-narrow: 4lh;
    }

    .plane .part-title {
      min-block-size: 2lh;
    }
  }

  @container (min-width: 600px) {
    .bench {
      grid-template-columns: 280px 280px;
    }

    tied-vector-plane,
    tied-heat-map {
      max-inline-size: none;
    }

    .plane .part-title {
      min-block-size: 0;
    }
  }

  @container (min-width: 800px) {
    figure:not(.at-rest) .bench {
      grid-template-columns: minmax(230px, 280px) minmax(230px, 280px) minmax(250px, 320px);
    }

    figure:not(.at-rest) .bench > .tables {
      grid-column: auto;
    }
  }

  /* At rest, the control and the sentence are beside the drawing. */
  @container (min-width: 860px) {
    .at-rest {
      grid-template: auto auto auto 1fr / 33rem minmax(0, 1fr);
    }

    .at-rest > .drawing {
      grid-area: 2 / 1 / 5 / 2;
    }

    .at-rest .bench {
      grid-template-columns: 1fr 1fr;
    }

    .at-rest > :is(.controls, [role='alert'], .read-out) {
      grid-column: 2;
      margin-block: 0 var(--t-space-3);
    }
  }

  caption.part-title {
    padding: 0;
    text-align: start;
  }

  /* Letters of matrices, set as in formulas. */
  var {
    font-family: var(--t-font-text);
    font-size: var(--t-size);
    /* The different font must not change the height of the line. */
    line-height: 0;
    color: var(--t-ink);
  }

  :is(sub, sup) {
    font-family: var(--t-font-text);
    font-size: max(0.75em, 11px);
    line-height: 0;
    color: var(--t-ink);
  }

  sub {
    font-style: italic;
  }

  .matrix {
    inline-size: 100%;
    max-inline-size: 340px;
    border-collapse: collapse;
    margin-block-end: var(--t-space-2);
    --tied-number-width: 5.25em;
  }

  .matrix.unembedding {
    margin-block-start: var(--t-space-3);
  }

  .matrix :is(th, td) {
    padding: 0;
    font-weight: 400;
    text-align: start;
  }

  .matrix thead th {
    color: var(--t-muted);
    font-size: var(--t-size-small);
    padding: 0 var(--t-space-2);
  }

  .matrix thead th:first-child {
    padding-inline-start: 0;
  }

  .matrix .number {
    text-align: end;
  }

  .matrix td {
    padding-inline-start: var(--t-space-2);
  }

  .matrix tr.pointed > * {
    background: var(--t-raised);
  }

  .matrix tr.pointed :is(.name, .fixed-name) {
    font-weight: 650;
  }

  .matrix tbody th {
    inline-size: 100%;
  }

  .name {
    inline-size: 100%;
    min-inline-size: 4em;
    min-block-size: var(--t-target);
    padding: 0;
    border: 0;
    border-block-end: 1px dashed var(--t-control);
    border-radius: 0;
    background: none;
    text-overflow: ellipsis;
  }

  .name:hover {
    background: var(--t-raised);
  }

  .name[aria-invalid='true'] {
    border-color: var(--t-error);
    border-block-end-style: solid;
  }

  :is(.fixed, .fixed-name) {
    display: inline-flex;
    align-items: center;
    min-block-size: var(--t-target);
  }

  .fixed {
    inline-size: 5.25em;
    padding-inline: var(--t-space-2);
    justify-content: end;
  }

  .remove .button svg {
    inline-size: 14px;
    block-size: 14px;
  }

  .tables > .button {
    margin-inline-start: calc(-1 * var(--t-space-2));
  }

  .checks {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 13.5rem), 1fr));
    gap: 0 var(--t-space-4);
  }

  .bench + .part-title {
    margin-block-start: var(--t-space-4);
  }

  .checks li {
    display: grid;
    grid-template-columns: minmax(0, max-content) auto minmax(0, max-content);
    justify-content: start;
    align-items: end;
    gap: 0 var(--t-space-2);
    padding-block: 6px;
    border-block-start: 1px solid var(--t-rule);
  }

  .checks .side {
    display: flex;
    flex-direction: column;
  }

  .checks .pair {
    overflow-wrap: anywhere;
  }

  .checks b {
    font-weight: 500;
  }

  .checks .sign {
    font-weight: 700;
  }

  .checks li.pointed .pair {
    color: var(--t-ink);
    font-weight: 650;
  }
`;
