import { css } from 'lit';
import { looks } from '../shared/looks.js';

export const parameterMapStyles = [
  looks({
    'svg text': { 'font-size': '13px' },
    '.part.readsAndWrites': { fill: 'tied' },
    '.part.reads': { fill: 'input' },
    '.part.writes': { fill: 'output' },
    '.part.computes': { fill: 'rule' },
    '.place .hit': { fill: 'transparent' },
    '.place .ring': { fill: 'none', 'stroke-width': 2 },
    '.place.pointed .ring': { stroke: 'control' },
    '.place.chosen .ring': { stroke: 'ink' },
    '.place:focus-visible .ring': { stroke: 'focus' },
    'svg .in-part': { 'font-size': '12px', fill: 'ink' },
    'svg .in-part.on-readsAndWrites': { fill: 'paper' },
    // Both are light colors, by day and by night.
    'svg .in-part:is(.on-reads, .on-writes)': { fill: '#161616' },
  }),
  css`
    .place {
      outline: none;
    }

    svg.bars {
      cursor: pointer;
      touch-action: pan-y;
    }

    /* The system's gray may be as dark as the words on it. */
    @media (forced-colors: active) {
      .part.computes {
        fill: Canvas;
        stroke: CanvasText;
      }
    }

    svg .own {
      font-weight: 600;
    }

    .config {
      display: grid;
      gap: var(--t-space-2);
    }

    .config p {
      margin: 0;
    }

    .config textarea {
      inline-size: 100%;
      box-sizing: border-box;
    }
  `,
];
