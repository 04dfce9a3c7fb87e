import { css } from 'lit';

export const rowsTableStyles = css`
  .models {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: var(--t-size-small);
    line-height: 1.3;
  }

  .models :is(th, td) {
    padding: 0 6px;
    border-block-end: 1px solid var(--t-rule);
    text-align: end;
    font-weight: 400;
    vertical-align: middle;
  }

  .models td {
    white-space: nowrap;
  }

  .models tbody th {
    inline-size: 19%;
    min-inline-size: 150px;
  }

  .models th.words,
  .models td.words,
  .models tbody th {
    text-align: start;
  }

  .models tr > :first-child {
    padding-inline-start: 0;
  }

  .models tr > :last-child {
    padding-inline-end: 0;
  }

  .models thead th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    padding-block: 0;
    border-block-end-color: var(--t-control);
    background: var(--t-paper);
    vertical-align: bottom;
  }

  .sort {
    display: inline-flex;
    align-items: end;
    gap: 3px;
    min-block-size: var(--t-target);
    padding: 6px 0;
    border: 0;
    background: none;
    color: var(--t-muted);
    text-align: inherit;
    line-height: 1.2;
    cursor: pointer;
  }

  th:not(.words) > .sort {
    flex-direction: row-reverse;
  }

  .models thead th:first-child > .sort {
    flex-direction: row;
  }

  .sort:hover,
  th:not([aria-sort='none']) .sort {
    color: var(--t-ink);
  }

  th:not([aria-sort='none']) .sort {
    font-weight: 650;
  }

  .order {
    flex: none;
    inline-size: 9px;
    block-size: 11px;
    margin-block-end: 2px;
    fill: currentColor;
  }

  .order.none {
    display: none;
  }

  .card-year,
  .models .label {
    display: none;
  }

  td.sorted {
    font-weight: 600;
  }

  .toggle {
    display: grid;
    grid-template-columns: 16px auto;
    align-items: center;
    inline-size: 100%;
    min-block-size: max(var(--t-target), 40px);
    padding: 3px 0;
    border: 0;
    background: none;
    text-align: start;
    cursor: pointer;
  }

  .model-name {
    font-size: var(--t-size);
    color: var(--t-ink);
  }

  .toggle:hover .model-name {
    text-decoration: underline;
    text-underline-offset: 3px;
  }

  .open .model-name {
    font-weight: 650;
  }

  .maker {
    grid-column: 2;
    color: var(--t-muted);
    font-size: 0.75rem;
  }

  .chevron {
    inline-size: 12px;
    block-size: 12px;
    fill: none;
    stroke: var(--t-muted);
    stroke-width: 1.5;
    transition: transform var(--t-quick);
  }

  .open .chevron {
    transform: rotate(90deg);
  }

  .tying-mark {
    inline-size: 14px;
    block-size: 14px;
    margin-inline-end: 4px;
    vertical-align: -2px;
    overflow: visible;
  }

  .tying-mark.is-tied .shape {
    stroke: none;
  }

  tr.open > * {
    border-block-end-color: transparent;
  }

  .models td.actions {
    inline-size: 1%;
  }

  .open-model {
    min-inline-size: var(--t-target);
    padding: 0 6px;
    border-color: transparent;
    color: var(--t-accent);
    text-decoration: none;
  }

  .open-model svg {
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .models td.nothing {
    padding-block: var(--t-space-4);
    text-align: start;
    color: var(--t-muted);
  }

  .models .details-row td {
    padding: 0 0 var(--t-space-3) 16px;
    text-align: start;
    white-space: normal;
  }

  .details {
    display: grid;
    gap: 4px;
    margin: 0;
    max-inline-size: 76ch;
    line-height: 1.45;
  }

  .details div {
    display: grid;
    grid-template-columns: 8.5em 1fr;
    gap: 0 var(--t-space-2);
  }

  .details dt {
    color: var(--t-muted);
  }

  .details dd {
    margin: 0;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .details a {
    color: var(--t-accent);
  }
`;
