import { css } from 'lit';

/** A more compact table, with rows as cards if the columns do not fit. */
export const rowsCardsStyles = css`
  @container (max-width: 899px) {
    .models {
      font-size: 0.75rem;
    }

    .models :is(th, td) {
      padding-inline: 4px;
    }

    .models tbody th {
      min-inline-size: 130px;
    }
  }

  @container (max-width: 799px) {
    .sort-controls {
      display: flex;
      flex-wrap: wrap;
      gap: var(--t-space-2);
      margin-block-end: var(--t-space-2);
    }

    .models {
      font-size: var(--t-size-small);
    }

    .models thead {
      display: none;
    }

    .models,
    .models tbody,
    .models th {
      display: block;
    }

    .models tr {
      display: grid;
      grid-template-columns: repeat(3, minmax(0, 1fr));
      gap: 6px 4px;
      padding-block: var(--t-space-2) var(--t-space-1);
      border-block-end: 1px solid var(--t-rule);
    }

    .models tbody th {
      inline-size: auto;
      grid-column: 1 / -2;
    }

    /* The buttons, beside the name. */
    .models td.actions {
      inline-size: auto;
      grid-area: 1 / -2;
      justify-content: center;
      align-items: end;
    }

    .models td.nothing,
    .models .details-row td {
      grid-column: 1 / -1;
    }

    .models :is(th, td) {
      padding: 0;
      border: 0;
      text-align: start;
    }

    .models td {
      display: flex;
      flex-direction: column;
    }

    .card-year {
      display: inline;
    }

    .models td[data-key='year'] {
      display: none;
    }

    .models .label {
      display: block;
      color: var(--t-muted);
      font-size: 0.6875rem;
      font-weight: 400;
      white-space: normal;
    }

    .models tr.open {
      border-block-end: 0;
      padding-block-end: 0;
    }

    .models .details-row td {
      display: block;
      padding: 0;
    }

    .open-model {
      margin-inline-end: -6px;
    }

    .details div {
      grid-template-columns: 1fr;
    }
  }

  @container (min-width: 480px) and (max-width: 799px) {
    .models tr {
      grid-template-columns: repeat(5, minmax(0, 1fr));
    }
  }
`;
