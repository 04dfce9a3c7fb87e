import { css, unsafeCSS } from 'lit';

/** Tints of cells by `data-level`, never so strong that the number on them could not be read. */
const tints = unsafeCSS(
  Array.from({ length: 10 }, (_, i) => {
    const tint = (hue: string): string => `color-mix(in srgb, var(${hue}) ${String((i + 1) * 4.5)}%, transparent)`;
    const [positive, negative] = [String(i + 1), String(-i - 1)];
    return `[data-level='${positive}'] { --tint: ${tint('--above')}; }
[data-level='${negative}'] { --tint: ${tint('--below')}; }
:is([data-other='${positive}'], [data-other='${negative}']) { --other: ${tint('--t-input')}; }`;
  }).join('\n'),
);

/** In a narrow figure, the columns of the step only. */
const columnsOfSteps = unsafeCSS(
  [
    '.s3, .s4, .s5, .s6',
    '.s1, .s3, .s4, .s5, .s6',
    '.s1, .s4, .s5, .s6',
    '.s1, .se, .s5, .s6',
    '.s1, .se, .s3, .s4, .s6',
    '.s1, .se, .s3, .s4, .s5',
  ]
    .map((others, i) => `.work[data-step='${String(i + 1)}'] :is(${others}):not(.s${String(i + 1)}) { display: none; }`)
    .join('\n'),
);

/** The names of the columns that a step adds. */
const currentNames = unsafeCSS(
  Array.from({ length: 6 }, (_, i) => `.work[data-step='${String(i + 1)}'] .n${String(i + 1)}`).join(', '),
);

export const workedPositionStyles = css`
  .controls {
    margin-block-end: var(--t-space-1);
  }

  .steps {
    flex: none;
    flex-wrap: nowrap;
  }

  .steps .button.primary {
    min-inline-size: 9em;
  }

  .steps .place {
    min-inline-size: 11em;
    line-height: 1.25;
  }

  table {
    --above: var(--t-positive);
    --below: var(--t-negative);
    border-collapse: separate;
    border-spacing: 0;
  }

  .work {
    --row: 26px;
    inline-size: 100%;
  }

  @media (pointer: coarse) {
    .work {
      --row: 46px;
    }
  }

  .work :is(th, td) {
    position: relative;
    block-size: var(--row);
    padding: 0 4px;
    border: 1px solid transparent;
    background-clip: padding-box;
    font-weight: 400;
    text-align: end;
    white-space: nowrap;
  }

  .work :is(.first, .c0) {
    border-inline-start-width: 10px;
  }

  .work thead :is(th, td) {
    block-size: 22px;
    padding: 2px;
    color: var(--t-muted);
    font-size: var(--t-size-small);
    line-height: 1.2;
    text-align: end;
    vertical-align: bottom;
    white-space: normal;
  }

  .work thead [rowspan] {
    block-size: 44px;
  }

  .work thead [colspan] {
    border-inline-start-width: 10px;
    text-align: center;
  }

  var,
  .work i {
    font-family: var(--t-font-text);
    font-style: italic;
  }

  .work tbody th {
    padding-inline: 8px 4px;
    text-align: start;
  }

  .work tbody:first-of-type th {
    font-family: var(--t-font-text);
    font-style: italic;
  }

  .work .pointed th {
    background: var(--t-raised);
    box-shadow: inset 3px 0 var(--t-control);
  }

  .work .s1 {
    color: var(--t-muted);
    text-align: center;
  }

  td {
    --tint: transparent;
    --other: transparent;
  }

  ${tints}

  td[data-level] {
    background-color: var(--tint);
    transition: background-color var(--t-quick);
  }

  /* A form with empty fields for the steps to come. */
  .work tbody td.later:not(.label) {
    background-color: var(--t-raised);
  }

  /* Reading is sky, writing is purple. */
  .write,
  .both {
    --above: var(--t-output);
    --below: var(--t-output);
  }

  .read-part {
    --above: var(--t-input);
    --below: var(--t-input);
  }

  td.both[data-level] {
    background: linear-gradient(110deg, var(--tint) 50%, var(--other) 50%) padding-box;
  }

  .read .s1:not(.later) {
    background-color: var(--t-input);
    color: #1d1f22;
    font-weight: 650;
  }

  /* A vector is one strip. */
  .work .se {
    border-inline-end-width: 0;
    box-shadow:
      inset 0 var(--edge) var(--edge-color),
      inset 0 calc(-1 * var(--edge)) var(--edge-color);
    --edge: 0px;
    --edge-color: transparent;
  }

  .work thead .se {
    box-shadow: none;
  }

  /* The row that is read, and its copy below. */
  .work :is(.read .se, .copied:not(.later)) {
    --edge: 2px;
    --edge-color: var(--t-input);
  }

  /* What is compared. */
  .work .hidden-state .element:not(.later),
  .work[data-step='3'] .pointed .se {
    --edge: 2px;
    --edge-color: var(--t-ink);
  }

  .work .times th:not(.later) {
    box-shadow:
      inset 0 2px var(--t-ink),
      inset 0 -2px var(--t-ink);
    color: var(--t-ink);
    text-align: end;
  }

  .sums th,
  .sums .label {
    color: var(--t-muted);
  }

  .work .sums tr:first-child > * {
    block-size: calc(var(--row) + 6px);
    border-block-start: 6px solid transparent;
  }

  .sums .sum {
    font-weight: 650;
  }

  .hidden-state .both {
    font-weight: 650;
  }

  /* Headers of rows always have a name. */
  span.later {
    clip-path: inset(50%);
  }

  .work .target .s5:not(.later, .s4) {
    font-weight: 650;
  }

  tied-number-field {
    --tied-number-width: 100%;
    display: block;
  }

  tied-number-field::part(line) {
    display: block;
  }

  tied-number-field::part(box) {
    display: block;
    block-size: calc(var(--row) - 2px);
    min-block-size: 0;
    min-inline-size: 2.4em;
    padding: 0 2px;
  }

  .work td.element {
    padding: 0;
  }

  .work td svg {
    position: absolute;
    inset: auto 3px 0;
    inline-size: calc(100% - 6px);
    block-size: 3px;
  }

  .work td path {
    stroke: var(--t-muted);
    stroke-width: 4;
    vector-effect: non-scaling-stroke;
  }

  ${currentNames} {
    color: var(--t-ink);
    font-weight: 650;
    box-shadow: 0 2px var(--t-accent);
  }

  .sentence {
    flex: 1 1 0;
    min-block-size: 2lh;
    margin: 0;
    font-size: 1rem;
    line-height: 1.35;
    text-wrap: pretty;
  }

  .sentence i,
  .read-out i {
    font-family: var(--t-font-text);
    line-height: 0;
  }

  .read-out {
    --read-out: 1lh;
    --read-out-narrow: 3lh;
    margin-block-start: var(--t-space-2);
    font-size: var(--t-size);
  }

  .drawing {
    margin-block: 0;
  }

  .data .similar {
    --row: 30px;
    margin-block: var(--t-space-2);
  }

  .data .similar :is(th, td) {
    block-size: var(--row);
    padding: 2px 6px;
    border: 1px solid transparent;
    background-clip: padding-box;
    color: var(--t-ink);
    text-align: end;
  }

  .data .similar .diagonal {
    font-weight: 650;
  }

  .data .similar th {
    font-family: var(--t-font-text);
    font-style: italic;
  }

  /* The row and the column of h, apart from those of the table. */
  .data .similar :is(td, th).of-h {
    border-inline: 2px solid var(--t-ink);
  }

  .data .similar tr.of-h > :is(td, th) {
    border-block: 2px solid var(--t-ink);
  }

  .embed-code {
    white-space: pre;
    overflow: auto;
  }

  @container (min-width: 900px) {
    .work {
      table-layout: fixed;
    }

    .work .s1 {
      inline-size: 52px;
    }

    .work thead .s3 {
      inline-size: 68px;
    }

    .work thead :is(.s4, .n5) {
      inline-size: 76px;
    }

    .work thead .n5.first {
      inline-size: 60px;
    }

    .work thead td {
      inline-size: 92px;
    }
  }

  @container (max-width: 899.98px) {
    ${columnsOfSteps}

    .sentence {
      flex-basis: 100%;
      min-block-size: 3lh;
    }

    .steps {
      flex: 1 1 100%;
    }

    /* In two lines, if need be, beside the buttons. */
    .steps .place {
      min-inline-size: 0;
      min-block-size: 2.5em;
      align-content: center;
    }

    .steps .button.primary {
      min-inline-size: 8.2em;
      padding-inline: var(--t-space-2);
    }

    /* What they name is not shown. */
    .work:is([data-step='4'], [data-step='5'], [data-step='6']) .of-vector span {
      clip-path: inset(50%);
    }
  }

  @container (max-width: 340px) {
    .work {
      font-size: 0.8125rem;
    }

    .work :is(th, td) {
      padding: 0 2px;
    }

    .work :is(.first, .c0),
    .work thead [colspan] {
      border-inline-start-width: 5px;
    }

    .sentence {
      min-block-size: 4lh;
    }

    .steps {
      flex-wrap: wrap;
    }

    .steps .place {
      flex-basis: 100%;
      min-block-size: 0;
    }
  }

  @container (max-width: 480px) {
    .data .similar {
      --row: 28px;
      font-size: 0.75rem;
    }

    .data .similar :is(th, td) {
      padding: 0 1px;
    }
  }

  /* Borders that only keep cells apart have a color there, too. */
  @media (forced-colors: active) {
    .work :is(th, td),
    .work .sums tr:first-child > *,
    .data .similar :is(th, td):not(.of-h, tr.of-h > *) {
      border-color: Canvas;
    }

    .read .s1:not(.later) {
      outline: 2px solid CanvasText;
    }
  }
`;
