import { css } from 'lit';

export const trainingLabStyles = css`
  .controls {
    flex-flow: column nowrap;
    align-items: stretch;
  }

  .transport .run-to {
    display: inline-flex;
    align-items: center;
  }

  .transport .run-to tied-number-field {
    --tied-number-width: 4.5em;
  }

  /* "Play", "Pause" and "Cancel" have the same width. */
  .transport > .button:first-child {
    min-inline-size: 6.2em;
  }

  .step-count {
    margin-inline-start: auto;
    color: var(--t-muted);
    white-space: nowrap;
  }

  .settings {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-2);
    padding-block: var(--t-space-2);
    border-block-start: 1px solid var(--t-rule);
  }

  .settings tied-number-field {
    --tied-number-width: 4.5em;
  }

  .settings tied-number-field[data-setting='learningRate'] {
    --tied-number-width: 5em;
  }

  .settings tied-number-field[data-setting='storyLength'] {
    --tied-number-width: 6.5em;
  }

  .settings .legend {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .batch-size {
    margin-inline-start: calc(-1 * var(--t-space-2));
  }

  .lab {
    position: relative;
  }

  .note {
    margin: 0;
    color: var(--t-muted);
    font-size: var(--t-size-small);
    line-height: 1.4;
  }

  .facts {
    min-block-size: 1.4em;
    margin-block-end: var(--t-space-2);
  }

  .pair-missing {
    min-block-size: 1.4em;
  }

  .run-state {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--t-space-2);
    min-block-size: var(--t-target);
    margin-block: 0 var(--t-space-2);
    font-size: var(--t-size-small);
  }

  .badge {
    padding: 1px 8px;
    border: 1px solid var(--t-control);
    border-radius: 99px;
    color: var(--t-ink);
    font-weight: 650;
    white-space: nowrap;
  }

  .badge.is-finished {
    border-color: var(--t-ink);
    background: var(--t-ink);
    color: var(--t-paper);
    /* Forced colours would replace the background alone, and the words would vanish. */
    forced-color-adjust: none;
  }

  .not-kept {
    margin-block-start: var(--t-space-2);
  }

  /* Reserves the space of the drawings, so that nothing jumps when they arrive. */
  .placeholder {
    min-block-size: 720px;
  }

  .curves:focus-visible {
    outline-offset: 6px;
  }

  .history {
    margin-block-start: var(--t-space-1);
  }

  .scrubber {
    display: flex;
    flex: 1 1 260px;
    align-items: center;
    gap: var(--t-space-2);
    max-inline-size: 460px;
  }

  .scrubber input {
    flex: 1;
    min-inline-size: 80px;
  }

  .scrubber .legend {
    color: var(--t-muted);
    font-size: var(--t-size-small);
    white-space: nowrap;
  }

  .scrubber .value {
    min-inline-size: 5.5em;
    font-size: var(--t-size-small);
  }

  .keys {
    display: none;
  }

  .curves:focus-visible .keys {
    display: block;
  }

  .maps-controls {
    margin-block: var(--t-space-4) var(--t-space-3);
  }

  .maps {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-3);
  }

  .map-switch {
    margin-block-end: var(--t-space-2);
  }

  .map-switch .segments label {
    padding-inline: 9px;
  }

  .columns-2 {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  .columns-3 {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }

  .top {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-4);
  }

  .curves,
  .probe,
  .field,
  .field select {
    min-inline-size: 0;
    max-inline-size: 100%;
  }

  @container (min-width: 860px) {
    .top {
      grid-template-columns: minmax(0, 1.9fr) minmax(280px, 1fr);
    }
  }

  .panel {
    min-inline-size: 0;
  }

  .panel-name {
    margin-block-end: var(--t-space-2);
    font-weight: 650;
  }

  .panel-name.indented {
    padding-inline-start: var(--row-names);
  }

  .maps-controls .panel-name {
    margin: 0;
  }

  .button.quiet:disabled {
    border-color: transparent;
  }

  .formula {
    color: var(--t-muted);
    font-family: var(--t-font-text);
    font-style: italic;
    font-weight: 400;
  }

  .scale-row {
    display: inline-flex;
    align-items: center;
    gap: var(--t-space-1);
  }

  .scale {
    margin-block-start: var(--t-space-2);
  }

  .scale-row .legend {
    color: var(--t-muted);
    font-size: var(--t-size-small);
    line-height: 12px;
  }

  .scale text {
    fill: var(--t-muted);
    font-size: 11.5px;
  }

  .token-field {
    inline-size: 5.2em;
  }

  .probe > .row {
    gap: 6px;
    margin-block-end: var(--t-space-2);
  }

  .probe .field {
    gap: var(--t-space-1);
  }

  .pair-bars text {
    fill: var(--t-ink);
    font-size: 13px;
  }

  .pair-bars .bar-title {
    font-weight: 600;
  }

  .pair-bars .bar-number {
    fill: var(--t-muted);
  }

  .bar-track {
    stroke: var(--t-rule);
    stroke-width: 1;
  }

  .bar {
    fill: var(--t-ink);
  }

  .bar.is-tied {
    fill: var(--t-tied);
  }

  .bar.is-untied {
    fill: var(--t-untied);
  }

  .bar.is-through {
    fill: var(--t-through);
  }

  .bar-name.is-tied {
    fill: var(--t-tied-text);
  }

  .bar-name.is-untied {
    fill: var(--t-untied-text);
  }

  .bar-name.is-through {
    fill: var(--t-through-text);
  }

  .read-out {
    min-block-size: 4.4em;
  }

  /* No message during a run moves what is below it. */
  @container (max-width: 620px) {
    .transport .step-count {
      flex: 1 0 100%;
      min-block-size: 1.45em;
    }

    .run-state {
      align-content: start;
      min-block-size: 3.4em;
    }
  }
`;
