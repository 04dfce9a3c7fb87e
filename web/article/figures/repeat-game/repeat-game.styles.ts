import { css } from 'lit';
import { looks } from '../../../elements/shared/looks.js';

const drawing = looks({
  '.rail': { stroke: 'rule' },
  '.middle': { stroke: 'control' },
  '.bar': { fill: 'var(--line)' },
  '.bars': { '--line': 'tied' },
  '.bars.mapped': { '--line': 'through' },
  '.goal': { stroke: 'ink', 'stroke-width': 2.5 },
  '.goal.met': { stroke: 'through' },
  '.block': { fill: 'rule' },
  '.wall': { stroke: 'ink', 'stroke-width': 4 },
  '.thud .wall': { stroke: 'error', 'stroke-width': 6 },
  '.broken .wall': { 'stroke-dasharray': '4 4' },
});

export const repeatGameStyles = css`
  ${drawing}

  .tasks {
    display: grid;
    gap: var(--t-space-2);
  }

  .card {
    position: relative;
    display: grid;
    grid-template-columns: 28px 1fr;
    gap: 0 var(--t-space-2);
    padding: var(--t-space-2) 12px;
    border: 1px solid var(--t-rule);
    border-radius: var(--t-radius);
    line-height: 1.35;
    cursor: pointer;
  }

  .card:hover {
    background: var(--t-raised);
  }

  .card:has(input:checked) {
    border-color: var(--t-ink);
    box-shadow: inset 0 0 0 1px var(--t-ink);
  }

  @media (forced-colors: active) {
    .card:has(input:checked) {
      outline: 2px solid Highlight;
    }
  }

  .card:has(input:focus-visible) {
    outline: 2px solid var(--t-focus);
    outline-offset: 2px;
  }

  .card input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }

  .number {
    display: grid;
    place-items: center;
    inline-size: 28px;
    block-size: 28px;
    border: 1px solid var(--t-control);
    border-radius: 50%;
    font-weight: 650;
  }

  .done .number,
  .shown .number {
    border-color: var(--t-through);
    color: var(--t-through-text);
  }

  .done .number {
    background: var(--t-through-text);
    color: var(--t-paper);
  }

  .impossible .number {
    border-color: var(--t-error);
    background: var(--t-error);
    color: var(--t-paper);
  }

  /* Its line is kept for later. */
  .mark {
    display: flex;
    justify-content: space-between;
    grid-column: 2;
    min-block-size: 1lh;
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  .mark span:only-child {
    margin-inline-start: auto;
  }

  @container (min-width: 700px) {
    .tasks {
      grid-template-columns: repeat(3, 1fr);
    }

    .card {
      grid-template-rows: 1fr auto;
    }
  }

  .bench {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--t-space-3) var(--t-space-5);
    margin-block: var(--t-space-3);
  }

  .bench > * {
    min-inline-size: 0;
  }

  @container (min-width: 700px) {
    .bench {
      grid-template-columns: minmax(0, 340px) minmax(0, 1fr);
    }
  }

  .turn {
    display: flex;
    align-items: center;
    gap: var(--t-space-2);
    max-inline-size: 340px;
    white-space: nowrap;
  }

  .turn output {
    min-inline-size: 2.6em;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  .away {
    visibility: hidden;
  }

  .facing,
  .walls {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
  }

  .bars .part-title {
    margin-block-end: 2px;
  }

  .bars .part-title:not(:first-child) {
    margin-block-start: 12px;
  }

  .sides {
    display: flex;
    justify-content: space-between;
    gap: var(--t-space-2);
    line-height: 1.3;
  }

  .side:last-child {
    text-align: end;
  }

  /* As wide as the widest, so that nothing moves when numbers change. */
  .side b {
    display: inline-block;
    min-inline-size: 3.9em;
    font-variant-numeric: tabular-nums;
    font-weight: 650;
  }

  .side {
    white-space: nowrap;
  }

  .wish {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  /* There the mark on the bar and the task's text are enough. */
  @container (max-width: 440px) or (700px <= width < 860px) {
    .wish {
      display: none;
    }
  }

  @container (max-width: 330px) {
    .sides {
      font-size: var(--t-size-small);
    }
  }

  .met,
  .met .wish {
    color: var(--t-through-text);
  }

  .sound {
    margin-inline-end: var(--t-space-2);
    color: var(--t-error);
    font-weight: 700;
  }

  .bars svg {
    display: block;
  }

  @media (prefers-reduced-motion: no-preference) {
    .thud svg {
      animation: thud 160ms ease-out;
    }
  }

  @keyframes thud {
    30% {
      transform: translateX(-3px);
    }

    65% {
      transform: translateX(2px);
    }
  }

  .text {
    margin: 0;
    overflow: hidden;
    font-family: var(--t-font-text);
    font-size: var(--t-size-large);
    white-space: nowrap;
    mask-image: linear-gradient(to right, black 85%, transparent);
  }

  .text b {
    color: var(--t-tied-text);
    font-weight: 400;
    text-decoration: underline;
    text-underline-offset: 3px;
  }

  .mapped .text b {
    color: var(--t-through-text);
  }

  /* All faces lie in one place, which is as high as the highest of them: nothing below moves. */
  .faces {
    display: grid;
    margin-block-end: var(--t-space-2);
  }

  .face {
    display: grid;
    align-content: start;
    grid-area: 1 / 1;
    gap: 0 var(--t-space-5);
    outline: none;
  }

  @container (min-width: 700px) {
    .face {
      grid-template-columns: minmax(0, 340px) minmax(0, 1fr);
    }
  }

  .says {
    margin: 0 0 var(--t-space-2);
    font-size: 1.0625rem;
    line-height: 1.4;
    text-wrap: pretty;
    /* Of the longest: the words change with every move. */
    min-block-size: 2lh;
  }

  @container (max-width: 330px) {
    .says {
      min-block-size: 3lh;
    }
  }

  .face .aside {
    margin: 3px 0 0;
  }

  @container (max-width: 699px) {
    .detail {
      margin-block-start: var(--t-space-2);
    }
  }

  ol.lines {
    margin: 0;
    padding-inline-start: 1.4em;
    line-height: 1.5;
    list-style: decimal;
  }

  .lines li + li {
    margin-block-start: 4px;
  }

  .formula {
    font-family: var(--t-font-text);
    white-space: nowrap;
  }

  var {
    font-family: var(--t-font-text);
    line-height: 0;
  }

  sub,
  sup {
    font-size: max(0.75em, 11px);
    font-style: italic;
    line-height: 0;
  }

  sup {
    font-style: normal;
  }

  .back {
    display: inline-flex;
    align-items: center;
    min-block-size: var(--t-target);
    margin-inline-start: var(--t-space-3);
    color: var(--t-accent);
  }

  @media print {
    .face :is(button, a, .segmented, .turn) {
      display: none;
    }
  }
`;
