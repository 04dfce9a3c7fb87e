import { css } from 'lit';
import { looks } from '../shared/looks.js';

const balance = looks({
  'svg text.side': { 'font-weight': 650 },
  'svg text.votes': { fill: 'muted', 'font-size': '13px' },
  'svg text.in-tied': { fill: 'paper', 'font-weight': 600 },
  // Black is readable on this orange, in light and dark themes; the paper color is not.
  'svg text.in-untied': { fill: '#000', 'font-weight': 600 },
  '.beam': { stroke: 'control' },
  '.weight-tied': { fill: 'tied' },
  '.weight-untied': { fill: 'untied' },
  '.ring': { fill: 'paper', stroke: 'control', 'stroke-width': 1.5 },
});

export const advisorStyles = css`
  .context {
    gap: var(--t-space-1) var(--t-space-4);
    inline-size: 100%;
  }

  .context .field {
    max-inline-size: 100%;
    flex-wrap: wrap;
    gap: 0 var(--t-space-2);
  }

  .optional {
    gap: 0 var(--t-space-3);
  }

  .optional tied-number-field {
    --tied-number-width: 9em;
  }

  .context .note {
    flex-basis: 100%;
  }

  .verdict {
    max-inline-size: 40ch;
    min-block-size: 2lh;
    margin: var(--t-space-4) 0 var(--t-space-3);
    font-size: 1.375rem;
    line-height: 1.3;
    text-wrap: pretty;
  }

  .verdict strong {
    font-weight: 650;
  }

  /* ---------------------------------------------------------- the balance */

  .balance {
    max-inline-size: 640px;
  }

  ${balance}

  /* ---------------------------------------------------------- reasons */

  .side-title {
    margin: var(--t-space-3) 0 0;
    padding-block-end: var(--t-space-1);
    border-block-end: 2px solid var(--t-control);
    font-size: var(--t-size-large);
    font-weight: 650;
  }

  ${looks({
    '.side-tied .side-title': { color: 'tiedText', 'border-color': 'tied' },
    '.side-untied .side-title': { color: 'untiedText', 'border-color': 'untied' },
  })}

  .reasons {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
    gap: 0 var(--t-space-5);
  }

  .reason {
    padding-block: var(--t-space-2);
  }

  .reason-title {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--t-space-2);
    font-weight: 650;
  }

  .weighs {
    font-weight: 400;
  }

  .sentence {
    margin: var(--t-space-1) 0 0;
    max-inline-size: 62ch;
    font-family: var(--t-font-text);
    font-size: 1rem;
    line-height: 1.5;
    text-wrap: pretty;
  }

  .values {
    display: grid;
    max-inline-size: 24rem;
    margin: 0 0 var(--t-space-2);
    font-size: var(--t-size-small);
  }

  .number {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0 var(--t-space-2);
    align-items: baseline;
    padding-block: 2px;
  }

  .number dt {
    color: var(--t-muted);
  }

  .number dd {
    margin: 0;
    text-align: end;
  }

  .share {
    grid-column: 1 / -1;
    inline-size: 100%;
    block-size: 5px;
    margin-block: 2px 3px;
  }

  ${looks({ '.share .track': { fill: 'rule' }, '.share .part': { fill: 'tied' } })}

  .nearest {
    margin-block: 0 var(--t-space-2);
    font-size: var(--t-size-small);
  }

  .nearest :is(th, td) {
    padding-inline-start: var(--t-space-3);
  }

  /* ---------------------------------------------------------- the rule of thumb */

  .rule {
    margin: var(--t-space-2) 0 0;
    max-inline-size: 68ch;
    text-wrap: pretty;
  }

  .practice .waiting {
    min-block-size: var(--t-target);
  }

  .confusions {
    display: grid;
    gap: var(--t-space-3) var(--t-space-5);
    margin-block-start: var(--t-space-3);
  }

  .confusion table {
    inline-size: 100%;
  }

  .confusion :is(th, td) {
    padding: 4px 0 4px var(--t-space-3);
    vertical-align: bottom;
  }

  .confusion thead th {
    block-size: 3.2em;
    inline-size: 32%;
    font-size: var(--t-size-small);
    line-height: 1.25;
  }

  .confusion thead tr > :first-child {
    inline-size: auto;
    font-weight: 650;
    font-size: var(--t-size);
  }

  .confusion .agrees {
    font-weight: 650;
  }

  .confusion .open {
    color: var(--t-muted);
  }

  .confusion .differs {
    color: var(--t-error);
    font-weight: 650;
    text-decoration: underline dotted;
    text-underline-offset: 3px;
  }

  @container (min-width: 640px) {
    .confusions {
      grid-template-columns: 1fr 1fr;
    }
  }
`;
