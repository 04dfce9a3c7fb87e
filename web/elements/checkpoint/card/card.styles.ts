import { css } from 'lit';
import { looks } from '../../shared/looks.js';

export const cardStyles = css`
  .card {
    margin-block: var(--t-space-4);
    padding-block-start: var(--t-space-3);
    border-block-start: 1px solid var(--t-rule);
  }

  .section-title {
    margin: 0 0 var(--t-space-2);
    font-size: var(--t-size-large);
    font-weight: 650;
  }

  .card .line {
    max-inline-size: 68ch;
  }

  .card .line + .line {
    margin-block-start: var(--t-space-2);
  }

  .card-actions {
    align-items: center;
    margin-block: var(--t-space-2) var(--t-space-3);
  }

  .card-actions progress {
    flex: 0 1 160px;
    accent-color: var(--t-accent);
  }

  .card-words {
    margin: 0 0 var(--t-space-3);
    max-inline-size: 68ch;
    overflow-wrap: anywhere;
  }

  .card .drawings {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr));
    gap: var(--t-space-4) var(--t-space-5);
    align-items: start;
  }

  .card .drawings > * {
    min-inline-size: 0;
  }

  .card svg {
    max-inline-size: 100%;
  }

  .compared {
    gap: var(--t-space-1) var(--t-space-3);
    margin-block-end: var(--t-space-2);
  }

  .compared li {
    display: inline-flex;
    align-items: center;
    overflow-wrap: anywhere;
  }

  .facts .faint {
    color: var(--t-floor-text);
  }

  .neighbors {
    margin-block: var(--t-space-3);
  }

  .neighbors thead {
    position: absolute;
    clip-path: inset(50%);
  }

  /* Byte tokens such as <0x0A> stay on one line. */
  .neighbors tbody th {
    min-inline-size: 7ch;
  }

  .neighbors th code {
    font-weight: 650;
  }

  .neighbors code {
    white-space: pre-wrap;
  }

  .near {
    display: inline-block;
    margin-inline-end: var(--t-space-2);
  }

  .near .cosine {
    color: var(--t-muted);
    font-size: var(--t-size-small);
  }

  ${looks({
    '.card svg text': { 'font-size': '13px' },
    '.card svg tspan.faint': { fill: 'muted', 'font-weight': 400 },
    '.card svg .track': { stroke: 'rule', 'stroke-width': 1 },
    '.chance': { fill: 'paper', stroke: 'floor', 'stroke-width': 2 },
    '.level': { '--hue': 'untied' },
    '.tied .level': { '--hue': 'tied' },
    '.level.input': { '--hue': 'input' },
    '.level.output': { '--hue': 'output' },
    '.value': { fill: 'var(--hue, var(--t-muted))' },
    '.forward': { fill: 'untied' },
    '.turned': { fill: 'paper', stroke: 'untied', 'stroke-width': 2 },
    '.gap': { stroke: 'var(--hue, var(--t-untied))', 'stroke-width': 3, opacity: 0.4 },
  })}
`;
