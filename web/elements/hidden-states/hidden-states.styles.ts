import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawings = looks({
  'svg text': { 'font-size': '13px' },
  '.name': { 'font-weight': 650 },
  '.letter': { halo: 3 },
  '.symbol': { 'font-style': 'italic' },
  '.sub': { 'font-size': '11px' },
  '.writing, .reading': { '--line': 'untied', '--words': 'untiedText' },
  '.random': { '--line': 'floor', '--words': 'floorText' },
  '.triangle .name, .triangle .letter, .writing .name, .tied .name': { fill: 'var(--words)' },
  '.tint': { fill: 'var(--line)', 'fill-opacity': 0.12 },
  '.state': { stroke: 'var(--line)', 'stroke-width': 3 },
  '.along': { stroke: 'var(--line)', 'stroke-width': 4 },
  '.across': { stroke: 'var(--line)', 'stroke-width': 2, 'stroke-dasharray': '4 3' },
  '.random .state': { 'stroke-dasharray': '6 4' },
  '.base, .corner': { fill: 'none', stroke: 'muted' },
  '.tip.state': { fill: 'var(--line)', stroke: 'none' },
  '.tip.base': { fill: 'muted', stroke: 'none' },
  '.mark.reading': { fill: 'paper', stroke: 'untied', 'stroke-width': 1.5 },
  '.by-chance': { fill: 'floor', 'fill-opacity': 0.16 },
  '.baseline': { stroke: 'floor', 'stroke-dasharray': '4 3' },
  '.chosen': { fill: 'ink', 'fill-opacity': 0.1 },
});

const [wide, gap, plotShare] = [900, 40, 0.63];

/** In a wide figure, a table is beside the plot. */
export const plotWidth = (width: number): number => (width < wide ? width : Math.floor((width - gap) * plotShare));

export const hiddenStatesStyles = css`
  @container (min-width: ${wide}px) {
    .bench {
      grid-template-columns: ${plotShare}fr ${1 - plotShare}fr;
    }

    .bench > .all-columns {
      grid-column: 1 / -1;
    }
  }

  .numbers th {
    vertical-align: bottom;
  }

  @container (max-width: 280px) {
    .numbers {
      font-size: var(--t-size-small);
    }

    .numbers :is(th, td) {
      padding-inline-start: 6px;
    }
  }

  sub {
    font-size: max(0.75em, 11px);
    line-height: 0;
  }

  ${drawings}
`;
