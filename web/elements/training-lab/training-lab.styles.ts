import { css } from 'lit';
import { looks } from '../shared/looks.js';

/** Bars of a pair, and the legend of the maps. */
const drawing = looks({
  '.scale text': { fill: 'muted', 'font-size': '11.5px' },
  '.pair-bars text': { 'font-size': '13px' },
  '.pair-bars .bar-title': { 'font-weight': 600 },
  '.pair-bars .bar-number': { fill: 'muted' },
  '.bar-track': { stroke: 'rule' },
  '.bar': { fill: 'ink' },
  '.bar.is-tied': { fill: 'tied' },
  '.bar.is-untied': { fill: 'untied' },
  '.bar.is-through': { fill: 'through' },
  '.bar-name.is-tied': { fill: 'tiedText' },
  '.bar-name.is-untied': { fill: 'untiedText' },
  '.bar-name.is-through': { fill: 'throughText' },
});

export const trainingLabStyles = css`
  .pair-bars {
    display: flex;
    flex-wrap: wrap;
    row-gap: 10px;
  }

  .controls {
    flex-flow: column nowrap;
    align-items: stretch;
  }

  .transport .run-to {
    display: inline-flex;
    align-items: center;
  }

  .run-to tied-number-field,
  .settings tied-number-field {
    --tied-number-width: 4.5em;
  }

  .settings tied-number-field[data-setting='learningRate'] {
    --tied-number-width: 5em;
  }

  .settings tied-number-field[data-setting='storyLength'] {
    --tied-number-width: 6.5em;
  }

  .sample-controls tied-number-field {
    --tied-number-width: 3em;
  }

  /* "Play", "Pause" and "Cancel" have the same width. */
  .transport > .button:first-child {
    min-inline-size: 6.2em;
  }

  .button.quiet[aria-disabled='true'] {
    border-color: transparent;
  }

  .step-count {
    margin-inline-start: auto;
    color: var(--t-muted);
    white-space: nowrap;
  }

  :is(.settings, .gpt, .gpt-charts, .samples, .asked, .sample-columns, .maps) {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-3);
  }

  :is(.settings, .samples, .asked) {
    gap: var(--t-space-2);
  }

  .gpt-charts {
    gap: var(--t-space-4);
  }

  .bench {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-2) var(--t-space-4);
  }

  .settings {
    padding-block: var(--t-space-2);
    border-block-start: 1px solid var(--t-rule);
  }

  .batch-size {
    margin-inline-start: calc(-1 * var(--t-space-2));
  }

  /* Nothing that is moved up into the row of buttons moves the box over them. */
  .lab {
    display: flow-root;
    position: relative;
    /* The line that stands beside the buttons would take the whole lab with it, over them. */
    display: flow-root;
  }

  .note {
    margin: 0;
    line-height: 1.4;
  }

  .facts,
  .pair-missing,
  .samples > .note {
    min-block-size: 1.4em;
  }

  .facts {
    margin-block-end: var(--t-space-2);
  }

  .run-state {
    gap: 0 var(--t-space-2);
    min-block-size: var(--t-target);
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
    /* Forced colors would replace only the background, and the words would vanish. */
    forced-color-adjust: none;
  }

  .not-kept {
    margin-block-start: var(--t-space-2);
  }

  /* Reserves the space of the drawings, so nothing jumps when they arrive. */
  .placeholder {
    align-content: start;
    min-block-size: 420px;
  }

  .curves,
  .probe,
  .panel,
  .field,
  .field select {
    min-inline-size: 0;
    max-inline-size: 100%;
  }

  .history,
  .gpt-charts .note {
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
    white-space: nowrap;
  }

  .scrubber .value {
    min-inline-size: 5.5em;
    font-size: var(--t-size-small);
  }

  .keys {
    display: none;
  }

  .curves:focus-visible,
  .gpt:focus-visible {
    outline-offset: 6px;
  }

  :focus-visible > .keys {
    display: block;
  }

  .panel-name,
  .sample-name,
  .sample-text b {
    font-weight: 650;
  }

  .panel-name {
    margin-block-end: var(--t-space-2);
    white-space: nowrap;
  }

  .maps-controls .panel-name,
  .gpt .panel-name {
    margin: 0;
  }

  .gpt-charts .panel-name {
    white-space: normal;
  }

  /* So that names with a formula are as high as those without. */
  .formula :is(sub, sup) {
    line-height: 0;
  }

  .panel-name.indented {
    padding-inline-start: var(--row-names);
  }

  .maps-controls {
    margin-block: var(--t-space-2);
  }

  .map-switch {
    margin-block-end: var(--t-space-2);
  }

  .map-switch .segments label {
    padding-inline: 9px;
  }

  .formula {
    white-space: nowrap;
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

  .scale-row .legend {
    line-height: 12px;
  }

  .scale {
    margin-block-start: var(--t-space-2);
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

  ${drawing}

  .sample-head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--t-space-3);
    margin-block-end: var(--t-space-1);
  }

  /* Always two rows, so longer numbers and the later speed never move what is below. */
  .arm-numbers {
    display: grid;
    flex: 1 0 100%;
    grid-template-rows: repeat(2, 1.45em);
    grid-template-columns: repeat(2, max-content);
    gap: 0 16px;
    margin: 0;
    font-size: var(--t-size-small);
  }

  /* The two losses are side by side; the speed joins the parameters above them. */
  .arm-numbers > :nth-child(n + 2) {
    grid-row: 2;
  }

  .arm-numbers > :nth-child(4) {
    grid-area: 1 / 2;
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

  .field.prompt {
    flex: 1 1 200px;
    max-inline-size: 360px;
  }

  .field.prompt input {
    flex: 1;
    min-inline-size: 0;
  }

  .sample-columns {
    column-gap: var(--t-space-4);
  }

  /* A fixed height, so nothing below moves while text arrives; longer text scrolls. */
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

  .sample-text.is-empty {
    color: var(--t-muted);
  }

  @media (prefers-reduced-motion: no-preference) {
    .sample-text.is-live::after {
      content: '▍';
      color: var(--t-muted);
    }
  }

  .read-out {
    min-block-size: 4.4em;
  }

  /* As high with any of its sentences, so that nothing moves; stronger than the rule for all figures at rest. */
  figure:has(.bench) > .read-out.read-out {
    min-block-size: 2lh;
    margin-block-start: 12px;
    text-wrap: wrap;
  }

  /* Whose run it is can take two lines. */
  @container (max-width: 480px) {
    .run-state {
      min-block-size: 46px;
    }
  }

  @container (max-width: 620px) {
    .read-out br {
      display: none;
    }
  }

  @container (max-width: 480px) {
    figure:has(.bench) > .read-out.read-out {
      min-block-size: 3lh;
    }
  }

  @container (max-width: 330px) {
    figure:has(.bench) > .read-out.read-out {
      min-block-size: 4lh;
    }
  }

  @container (min-width: 620px) {
    .sample-columns {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  @container (min-width: 860px) {
    .bench {
      grid-template-rows: auto 1fr;
      grid-template-columns: minmax(0, 1fr) 260px;
    }

    .probe {
      grid-area: 1 / 2 / 3 / 3;
    }

    /* Beside the read-out, whose first line ends with the first model, where the caption is not yet. */
    .at-rest:has(.bench) > .read-out {
      grid-column: 1 / -1;
      max-inline-size: 68ch;
    }

    /* Where the longest line of the read-out leaves it room, in the page's font: 68ch of its size, in that of the frame. */
    @container (min-width: calc(82ch + 260px)) {
      .at-rest .scale-row {
        position: absolute;
        inset-block-start: calc(100% + var(--t-space-2));
        inset-inline-end: 0;
      }
    }

    /* Beside the buttons, which need little room at rest. */
    .at-rest .run-state {
      margin-block: calc(-1 * var(--t-target) - var(--t-space-3)) var(--t-space-3);
      margin-inline: 15.5rem 8rem;
    }

    figure:not(.at-rest) .gpt-charts {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }

  @container (max-width: 330px) {
    .transport .step-count {
      flex: 1 0 100%;
    }
  }

  /* Messages during a run never move what is below them. */
  @container (max-width: 620px) {
    .transport.timed .step-count {
      flex: 1 0 100%;
      min-block-size: 1.45em;
    }

    .at-rest .scale-row {
      display: none;
    }

    .sample-text {
      block-size: 9.8em;
    }

    .at-rest :is(.gpt, .sample-columns) {
      row-gap: var(--t-space-2);
    }

    .at-rest .sample-text {
      block-size: 4.2em;
    }

    .samples > .note {
      min-block-size: 4.2em;
    }
  }
`;
