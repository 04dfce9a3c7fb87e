import { css } from 'lit';
import { looks } from '../shared/looks.js';

export const checkpointStyles = css`
  .drop {
    display: grid;
    justify-items: start;
    gap: var(--t-space-2);
    inline-size: 100%;
    box-sizing: border-box;
    padding: var(--t-space-3);
    border: 1px dashed var(--t-control);
    border-radius: var(--t-radius);
    color: var(--t-muted);
  }

  .drop.done {
    padding: 0;
    border: 0;
  }

  .drop.hovering {
    border-style: solid;
    border-color: var(--t-accent);
    color: var(--t-ink);
  }

  .drop p {
    margin: 0;
    max-inline-size: 62ch;
  }

  .drop a {
    color: var(--t-ink);
  }

  .technical {
    inline-size: 100%;
  }

  .technical code {
    font-family: var(--t-font-mono);
    overflow-wrap: anywhere;
  }

  .line {
    align-items: end;
    inline-size: 100%;
  }

  tied-number-field {
    --tied-number-width: 4.5em;
  }

  .story {
    margin: var(--t-space-3) 0;
    padding-inline-start: var(--t-space-3);
    border-inline-start: 3px solid var(--t-untied);
    min-block-size: 6lh;
    max-inline-size: 66ch;
    font-family: var(--t-font-text);
    font-size: var(--t-size-large);
    line-height: 1.55;
    overflow-wrap: anywhere;
  }

  .story.tied {
    border-color: var(--t-tied);
  }

  .story .given,
  .story .written {
    white-space: pre-wrap;
  }

  .story .given,
  .story .nothing {
    color: var(--t-muted);
  }

  ${looks({
    '.bar-table': { fill: 'tied' },
    '.bar-table.untied': { fill: 'untied' },
    '.bar-second': { fill: 'untied', opacity: 0.6 },
    '.bar-rest': { fill: 'control' },
  })}
`;
