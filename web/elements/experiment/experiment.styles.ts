import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  '.claim text': { 'font-size': '13px' },
  '.claim .faint': { fill: 'muted', halo: 4 },
  '.claim .zero': { stroke: 'muted', 'stroke-dasharray': '4 3' },
  '.claim .seed': { fill: 'none', stroke: 'control', 'stroke-opacity': 0.7 },
  '.claim .chance': { fill: 'paper', stroke: 'floor', 'stroke-width': 1.5 },
  '.claim .interval': { stroke: 'ink', 'stroke-width': 2 },
  '.claim .mean': { stroke: 'ink', 'stroke-width': 3 },
  '.claim .difference': { fill: 'muted', stroke: 'paper' },
  '.claim .dot': { fill: 'var(--line)', stroke: 'paper' },
  '.claim .end': { halo: 4 },
  '.claim .name.end': { fill: 'muted' },
  '.claim text.name:not(.end)': { fill: 'var(--words)', 'font-weight': 600, halo: 4 },
  '.role-tied': { '--line': 'tied', '--words': 'tiedText' },
  '.role-untied': { '--line': 'untied', '--words': 'untiedText' },
  '.role-through': { '--line': 'through', '--words': 'throughText' },
  '.role-input': { '--line': 'input', '--words': 'inputText' },
  '.role-output': { '--line': 'output', '--words': 'outputText' },
  '.role-ink': { '--line': 'ink', '--words': 'ink' },
});

export const experimentStyles = css`
  .plan {
    display: grid;
    grid-template-columns: minmax(7em, max-content) 1fr;
    gap: var(--t-space-2) var(--t-space-3);
    margin: 0;
    max-inline-size: 76ch;
  }

  .plan dt {
    color: var(--t-muted);
    font-size: var(--t-size-small);
    line-height: 1.6;
  }

  .plan dd {
    margin: 0;
    text-wrap: pretty;
  }

  .plan p {
    margin: 0 0 var(--t-space-1);
  }

  .plan .words {
    display: block;
    font-weight: 600;
  }

  @container (max-width: 560px) {
    .plan {
      grid-template-columns: 1fr;
      gap: 0;
    }

    .plan dd {
      margin-block-end: var(--t-space-2);
    }
  }

  code {
    font-family: var(--t-font-mono);
    font-size: 0.85em;
    overflow-wrap: anywhere;
    color: var(--t-muted);
  }

  .state {
    gap: var(--t-space-1) var(--t-space-3);
    margin-block: var(--t-space-4) var(--t-space-2);
    font-variant-numeric: tabular-nums;
  }

  progress {
    inline-size: 100%;
    block-size: 8px;
    accent-color: var(--t-accent);
  }

  .state progress {
    max-inline-size: 320px;
  }

  .jobs {
    inline-size: 100%;
    max-inline-size: 560px;
    font-size: var(--t-size-small);
    font-variant-numeric: tabular-nums;
    table-layout: fixed;
  }

  .jobs :is(th, td) {
    text-align: start;
  }

  .jobs progress {
    display: block;
  }

  .results {
    display: grid;
    gap: var(--t-space-4);
    margin-block-start: var(--t-space-4);
  }

  @container (min-width: 860px) {
    .results {
      grid-template-columns: 1fr 1fr;
      column-gap: var(--t-space-5);
    }
  }

  .chooser {
    grid-column: 1 / -1;
    margin: 0;
  }

  .results > * {
    min-inline-size: 0;
  }

  ${drawings}

  .exports {
    gap: var(--t-space-2) var(--t-space-4);
    margin-block-start: var(--t-space-3);
    color: var(--t-ink);
    font-size: var(--t-size-small);
  }

  .exports .part-title {
    flex-basis: 100%;
    margin: 0;
  }

  .exports span {
    display: inline-flex;
    align-items: center;
    gap: var(--t-space-1);
  }
`;
