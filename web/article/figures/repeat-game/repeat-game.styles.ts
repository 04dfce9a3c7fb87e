import { css } from 'lit';
import { looks } from '../../../elements/shared/looks.js';

const drawing = looks({
  '.rail': { stroke: 'rule' },
  '.middle': { stroke: 'control' },
  '.bar': { fill: 'var(--line)' },
  '.bench': { '--line': 'tied' },
  '.bench.mapped': { '--line': 'through' },
  '.goal': { stroke: 'ink', 'stroke-width': 2.5 },
  '.goal.met': { stroke: 'through' },
  '.column': { stroke: 'var(--line)', 'stroke-width': 6 },
  '.column.met': { stroke: 'through' },
  '.columns text': { fill: 'muted', 'font-size': '12px' },
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
    align-items: center;
    min-block-size: 44px;
    padding: 4px 12px;
    border: 1px solid var(--t-rule);
    border-radius: var(--t-radius);
    line-height: 1.3;
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

  /* In the border, so that it takes no line. */
  .mark {
    display: flex;
    gap: 6px;
    position: absolute;
    inset-block-start: -0.65em;
    inset-inline-end: 8px;
    padding-inline: 4px;
    background: var(--t-paper);
    color: var(--t-muted);
    font-size: var(--t-size-small);
    line-height: 1.15;
    pointer-events: none;
  }

  .mark:empty {
    display: none;
  }

  /*
   * Narrow: one below the other, and only the bars that the task is about. What is said has one place for all its faces, as high as
   * the highest of them; the proof, which ends the task, also takes that of the bars.
   */
  .bench {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0 var(--t-space-4);
    margin-block: var(--t-space-2) 0;
  }

  .plane {
    justify-self: center;
    inline-size: 100%;
    max-inline-size: 236px;
  }

  .bars,
  .writes,
  .face {
    grid-column: 1;
  }

  .bars {
    grid-row: 2;
  }

  .writes {
    grid-row: 3;
    margin-block: 4px;
  }

  .face {
    grid-row: 4;
  }

  .face.proof {
    grid-row: 2 / 5;
  }

  @container (max-width: 699px) {
    .plane > .part-title,
    .writes > .part-title,
    .how,
    .map .detail,
    .bench:not(.task-3) .wall-bars,
    .task-3 .following {
      display: none;
    }

    .shows-proof :is(.bars, .writes) {
      visibility: hidden;
    }

    /* As high as the highest of the tasks'. */
    .bars {
      min-block-size: 8.65rem;
    }
  }

  @container (min-width: 700px) {
    .wall-bars .part-title {
      margin-block-start: 8px;
    }

    .tasks {
      grid-template-columns: repeat(3, 1fr);
    }

    .bench {
      grid-template-rows: auto auto 1fr auto;
      grid-template-columns: minmax(0, 250px) minmax(0, 1fr);
    }

    .plane {
      grid-row: 1 / 4;
      max-inline-size: none;
    }

    .bars,
    .writes {
      grid-column: 2;
    }

    .following {
      grid-row: 1;
    }

    .writes {
      margin-block-start: 8px;
    }

    .face,
    .face.proof {
      grid-row: 4;
      grid-column: 1 / -1;
      grid-template-columns: minmax(0, 250px) minmax(0, 1fr);
    }
  }

  @container (min-width: 900px) {
    .bench {
      grid-template-rows: auto 1fr auto;
      grid-template-columns: 250px minmax(0, 1fr) minmax(0, 330px);
    }

    .plane {
      grid-row: 1 / 3;
    }

    .wall-bars {
      grid-row: 2 / 4;
    }

    .writes {
      grid-area: 3 / 1 / auto / 3;
      margin-block: 0;
    }

    .writes > .part-title {
      margin: 0;
    }

    .face,
    .face.proof {
      grid-area: 1 / 3 / 4 / 4;
      grid-template-columns: minmax(0, 1fr);
    }
  }

  .bench > * {
    min-inline-size: 0;
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
    gap: 3px;
  }

  .bars .part-title {
    margin-block-end: 2px;
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

  @container (max-width: 330px) {
    .sides {
      gap: 4px;
      font-size: var(--t-size-small);
    }

    .side b {
      min-inline-size: 3.3em;
    }
  }

  @container (max-width: 270px) {
    .pair {
      display: block;
    }
  }

  .side.met {
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

  .over {
    position: relative;
  }

  .over svg + svg {
    position: absolute;
    inset: 0;
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

  .face {
    display: grid;
    align-content: start;
    gap: 4px var(--t-space-4);
    outline: none;
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

  .acts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--t-space-2);
  }

  .face .aside {
    margin: 3px 0 0;
  }

  .of-task {
    display: grid;
  }

  .of-task > * {
    grid-area: 1 / 1;
  }

  ol.lines {
    margin: 0;
    padding-inline-start: 1.2em;
    font-size: 0.9375rem;
    line-height: 1.4;
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

  @media print {
    .face :is(button, .segmented, .turn) {
      display: none;
    }
  }
`;
