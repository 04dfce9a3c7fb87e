import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  '.tables text': { 'font-size': '13px' },
  '.tables .faint': { fill: 'muted' },
  '.tables .share': { 'font-weight': 650, halo: 4 },
  '.encoder': { '--hue': 'color-mix(in srgb, var(--t-input) 45%, var(--t-paper))' },
  '.input': { '--hue': 'input' },
  '.output': { '--hue': 'output' },
  '.arm': { fill: 'none', stroke: 'var(--hue)' },
  '.band': { fill: 'var(--hue)', stroke: 'paper' },
  '.tables .grid': { stroke: 'paper', 'stroke-opacity': 0.55 },
  '.table': { fill: 'none', 'stroke-width': 2 },
  '.table.shared': { stroke: 'tied' },
  '.table.own': { stroke: 'untied', 'stroke-dasharray': '5 3' },
});

export const seq2seqStyles = css`
  .bench {
    position: relative;
    display: grid;
    gap: var(--t-space-4) var(--t-space-5);
  }

  .tables > * {
    min-inline-size: 0;
  }

  .tables {
    display: grid;
    gap: var(--t-space-3) var(--t-space-5);
    margin-block-start: var(--t-space-3);
  }

  .tables p {
    margin: 0 0 var(--t-space-2);
  }

  .model-name {
    font-weight: 650;
  }

  .model-name small {
    font-weight: 400;
    color: var(--t-muted);
  }

  @container (min-width: 640px) {
    .tables {
      grid-template-columns: repeat(auto-fit, minmax(180px, 1fr));
    }
  }

  @container (min-width: 700px) {
    .bench {
      grid-template-columns: 1fr 1fr;
    }

    .bench > .across {
      grid-column: 1 / -1;
    }
  }

  ${drawings}

  .examples > li {
    padding-block: var(--t-space-2);
    border-block-end: 1px solid var(--t-rule);
  }

  .examples button {
    font-weight: 600;
  }

  .examples button[aria-pressed='true'] {
    box-shadow: inset 3px 0 var(--t-accent);
  }

  .examples ol {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(78px, 1fr));
    gap: var(--t-space-1) var(--t-space-2);
    margin: 0;
    padding: 0 var(--t-space-2);
    list-style: none;
  }

  .examples ol li {
    overflow-wrap: anywhere;
  }

  .examples small {
    display: block;
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .examples .now small {
    color: var(--t-ink);
    font-weight: 650;
  }

  .written {
    font-family: var(--t-font-mono);
    font-size: 0.87em;
  }

  .written u {
    text-decoration: underline wavy var(--t-error) 1px;
    text-underline-offset: 3px;
  }

  .right {
    color: var(--t-through-text);
  }

  .wrong {
    color: var(--t-error);
  }
`;
