import { css } from 'lit';
import { looks } from './looks.js';

const drawing = looks({
  ':where(svg.chart) text': { fill: 'muted', 'font-size': '13px' },
  '.grid line': { stroke: 'rule' },
  '.axis': { stroke: 'control' },
  '.line, .key': {
    fill: 'none',
    stroke: 'var(--line)',
    'stroke-width': 2.25,
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
  },
  '.raw': { fill: 'none', stroke: 'var(--line)', 'stroke-width': 2, 'stroke-linecap': 'round', opacity: 0.28 },
  '.run': { fill: 'none', stroke: 'var(--line)', 'stroke-width': 1, 'stroke-linejoin': 'round', opacity: 0.55 },
  '.reference': { stroke: 'floor', 'stroke-width': 1.25, 'stroke-dasharray': '2 4' },
  '.leader': { fill: 'none', stroke: 'rule' },
  '.label': { fill: 'var(--words)', 'font-weight': 600 },
  '.label.is-reference': { fill: 'floorText', 'font-weight': 400 },
  '.label.inside': { 'font-size': '12px', halo: 4 },
  '.cursor': { stroke: 'muted' },
  '.pointer': { stroke: 'muted', 'stroke-dasharray': '2 3' },
  '.dot': { fill: 'var(--line)', stroke: 'paper', 'stroke-width': 1.5 },
  '.mark': { fill: 'paper', stroke: 'var(--line)', 'stroke-width': 1.75 },
  '.area': { fill: 'color-mix(in srgb, var(--line) 16%, var(--t-paper))', stroke: 'none' },
  // Each role by hue and by dash.
  '.role-tied': { '--line': 'tied', '--words': 'tiedText' },
  '.role-untied': { '--line': 'untied', '--words': 'untiedText', 'stroke-dasharray': '7 3' },
  '.role-tied-linear': { '--line': 'through', '--words': 'throughText', 'stroke-dasharray': '1 5' },
  '.role-tied-mlp': { '--line': 'through', '--words': 'throughText', 'stroke-dasharray': '9 3 2 3' },
  '.role-tied-low-rank': { '--line': 'through', '--words': 'throughText', 'stroke-dasharray': '12 3' },
  '.role-untied-later': { '--line': 'untied', '--words': 'untiedText', 'stroke-dasharray': '9 3 2 3' },
  '.role-untied-between': { '--line': 'untied', '--words': 'untiedText', 'stroke-dasharray': '7 3 2 3 7 3 12 3' },
  '.role-untied-by-share': { '--line': 'untied', '--words': 'untiedText', 'stroke-dasharray': '9 3 2 3 2 3' },
  '.role-encoder-input': { '--line': 'input', '--words': 'inputText', 'stroke-dasharray': '1 5' },
  '.role-input': { '--line': 'input', '--words': 'inputText' },
  '.role-output': { '--line': 'output', '--words': 'outputText', 'stroke-dasharray': '7 3' },
  '.role-chance': { '--line': 'floor', '--words': 'floorText', 'stroke-dasharray': '2 4' },
  '.role-ink': { '--line': 'ink', '--words': 'ink' },
  ':is(text, .raw, .run, .dot, .mark, .area)[class*="role-"]': { 'stroke-dasharray': 'none' },
});

export const lineChartViewStyles = css`
  .stage {
    position: relative;
  }

  svg.chart {
    display: block;
    overflow: visible;
    touch-action: pan-y;
  }

  ${drawing}

  .values {
    position: absolute;
    padding: 4px 8px;
    border: 1px solid var(--t-rule);
    border-radius: 4px;
    background: var(--t-paper);
    color: var(--t-ink);
    font-family: var(--t-font-ui);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    pointer-events: none;
  }

  .values div {
    display: flex;
    gap: 12px;
    justify-content: space-between;
    color: var(--words);
  }

  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px var(--t-space-3);
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: var(--t-size-small);
  }

  .legend li {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    color: var(--words);
    font-weight: 600;
  }

  .legend .is-reference {
    color: var(--t-floor-text);
    font-weight: 400;
  }

  .legend svg {
    inline-size: 28px;
    block-size: 8px;
    flex: none;
  }
`;
