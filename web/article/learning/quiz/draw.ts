/** The small drawings of the quiz. Numbers are text; lines and dots are only for the eyes. */

import { make, makeSvg } from '../dom.js';

/** Colors have the meaning that they have on the page. */
export type Kind = 'tied' | 'untied' | 'through' | 'plain' | 'floor' | 'input' | 'output';

function drawing(
  height: number,
  ...shapes: readonly [string, Readonly<Record<string, string | number>>][]
): SVGElement {
  const svg = makeSvg('svg', { width: '100%', height, 'aria-hidden': 'true' });
  svg.append(...shapes.map(([name, attributes]) => makeSvg(name, attributes)));
  return svg;
}

export interface Row {
  readonly label: string;
  readonly kind: Kind;
  /** One for a bar, several for dots. */
  readonly values: readonly number[];
  readonly text: string;
}

export interface Drawing {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly domain: readonly [number, number];
  readonly as: 'bars' | 'dots';
}

/** A table whose middle column is drawn. */
export function rowsOf({ title, rows, domain: [low, high], as }: Drawing): HTMLElement {
  const share = (value: number): string =>
    `${(100 * Math.min(1, Math.max(0, (value - low) / (high - low)))).toFixed(2)}%`;
  const line = (row: Row): SVGElement =>
    as === 'bars'
      ? drawing(
          14,
          ['rect', { class: 'track', x: 0, y: 3, width: '100%', height: 8 }],
          ['rect', { class: row.kind, x: 0, y: 3, width: share(row.values[0] ?? low), height: 8 }],
        )
      : drawing(
          14,
          ['rect', { class: 'track', x: 0, y: 6.5, width: '100%', height: 1 }],
          ...row.values.map((value): [string, Record<string, string | number>] => [
            'circle',
            { class: row.kind, cx: share(value), cy: 7, r: 4.5 },
          ]),
        );
  const body = make('tbody');
  for (const row of rows) {
    const head = make('th', { scope: 'row', className: row.kind }, row.label);
    body.append(make('tr', {}, head, make('td', { className: 'line' }, line(row)), make('td', {}, row.text)));
  }
  return make('table', { className: 'quiz-rows' }, make('caption', {}, title), body);
}

export const percent = (share: number): string =>
  share !== 0 && share < 0.001 ? '< 0.1%' : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`;

/** Tiny losses are not rounded away; floors below 0 are rounding errors. */
export function nats(value: number): string {
  if (value <= 0) return '0 nats';
  if (value < 0.0005) return '< 0.001 nats';
  return `${value.toFixed(value < 0.0995 ? 3 : 2)} nats`;
}

export const count = (value: number): string => value.toLocaleString('en-US');

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
