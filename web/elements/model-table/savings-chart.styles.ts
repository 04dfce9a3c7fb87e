import { css } from 'lit';
import { looks } from '../shared/looks.js';

const drawing = looks({
  ':where(svg.chart) text': { fill: 'muted', 'font-size': '13px' },
  '.leader, .tick': { stroke: 'control' },
  '.reference': { stroke: 'floor', 'stroke-width': 1.25, 'stroke-dasharray': '5 4' },
  'text.reference-name': { fill: 'floorText', 'font-size': '12px', halo: 4 },
  'text.name': { fill: 'ink', 'font-size': '12px', halo: 3 },
  '.point .hit': { fill: 'transparent', stroke: 'none' },
  '.point .shape': { 'stroke-width': 1.75 },
  '.point.is-tied .shape': { fill: 'tied', stroke: 'paper' },
  '.point.is-untied .shape': { fill: 'paper', stroke: 'untied' },
  '.point .otherwise': { fill: 'none', stroke: 'ink', 'stroke-width': 1, 'stroke-dasharray': '2 2' },
  '.point.faded': { opacity: 0.18 },
  '.point.opened .shape, .point.pointed .shape': { stroke: 'ink', 'stroke-width': 2.25 },
  '.point:focus-visible .shape': { stroke: 'focus', 'stroke-width': 3 },
  '.pointed-words rect': { fill: 'paper', stroke: 'control' },
  'text.pointed-name': { fill: 'ink', 'font-weight': 650 },
});

export const savingsChartStyles = css`
  .chart-place {
    min-inline-size: 0;
  }

  svg.chart {
    touch-action: pan-y;
  }

  svg.chart.pointing {
    cursor: pointer;
  }

  ${drawing}

  .point {
    outline: none;
  }

  .pointed-words {
    pointer-events: none;
  }
`;
