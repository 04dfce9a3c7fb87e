// @vitest-environment happy-dom
import { render, svg } from 'lit';
import { describe, expect, it } from 'vitest';
import { circle, diamond } from '../../../web/charts/drawing.js';
import { placeParts } from '../../../web/charts/marks.js';
import { makeScale } from '../../../web/charts/scale.js';
import { plot, type Plot, type PlotOptions } from '../../../web/charts/plot.js';

interface Row {
  readonly name: string;
  readonly loss: number | null;
  readonly chance: number;
}
const rows: readonly Row[] = [
  { name: 'rare', loss: 6, chance: 9 },
  { name: 'unknown', loss: null, chance: 9 },
  { name: 'frequent', loss: 3, chance: 4 },
];

/** What a plot puts into a page. */
function shown({ drawing, key }: Plot) {
  const place = document.createElement('div');
  render([drawing, key], place);
  const numbers = (selector: string, ...names: string[]): number[][] =>
    [...place.querySelectorAll(`svg[data-picture] ${selector}`)].map((one) =>
      names.map((name) => Number(one.getAttribute(name))),
    );
  const texts = (selector: string): string[] =>
    [...place.querySelectorAll(selector)].map((one) => one.textContent.replace(/\s+/g, ' ').trim());
  return { picture: place.querySelector('svg[data-picture]')!, numbers, texts };
}

/** Rows below each other; an axis from 0 to 10 is 100 to 300 pixels from the left. */
const below = (more: Partial<PlotOptions<Row>>): PlotOptions<Row> => ({
  rows,
  width: 320,
  margin: { left: 100, right: 20, top: 10 },
  x: { domain: [0, 10], ticks: [0, 10] },
  y: { each: 40, name: ({ name }) => name },
  marks: () => [],
  ...more,
});

/** Rows beside each other; an axis from 0 to 1 is 120 to 20 pixels from the top. */
const beside = (more: Partial<PlotOptions<Row>>): PlotOptions<Row> => ({
  rows,
  width: 320,
  plotHeight: 100,
  margin: { left: 10, right: 10, top: 20 },
  x: { each: 'fit', name: ({ name }) => name },
  y: { domain: [0, 1], ticks: [0, 1], format: (tick) => `${String(tick * 100)}%` },
  marks: () => [],
  ...more,
});

describe('marks over rows', () => {
  it('are at the middle of their row, and at its number; nothing is drawn where there is none', () => {
    const { numbers } = shown(
      plot(below({ marks: ({ dots }) => [dots({ x: ({ loss }) => loss, look: 'loss', dy: 5 })] })),
    );
    expect(numbers('.loss', 'cx', 'cy')).toEqual([
      [220, 35],
      [160, 115],
    ]);
  });

  it('are drawn for every number of a row, and lines connect the first, the second and so on, past gaps', () => {
    const { numbers, picture } = shown(
      plot(
        beside({
          marks: ({ line }) => [
            line({
              y: ({ loss }, at) => [loss === null ? Number.NaN : loss / 10, at / 2],
              look: 'seed',
              sign: circle(3),
            }),
          ],
        }),
      ),
    );
    expect(numbers('.mark.seed', 'cx', 'cy')).toHaveLength(5);
    // The second number of a row belongs to the second line, also where the first one is missing.
    expect([...picture.querySelectorAll('.line.seed')].map((path) => path.getAttribute('d'))).toEqual([
      'M60,60L260,90',
      'M60,120L160,70L260,20',
    ]);
  });

  it('bars begin at 0, or lie between two numbers, and are never too narrow to see', () => {
    const { numbers } = shown(
      plot(
        below({
          marks: ({ bars }) => [
            bars({ x: ({ loss }) => loss, look: 'from-zero', height: 10 }),
            bars({ x: ({ chance }) => [chance + 0.01, chance - 0.01], look: 'around', least: 3 }),
          ],
        }),
      ),
    );
    expect(numbers('.from-zero', 'x', 'width', 'y', 'height')).toEqual([
      [100, 120, 25, 10],
      [100, 60, 105, 10],
    ]);
    expect(numbers('.around', 'x', 'width')).toEqual([
      [278.5, 3],
      [278.5, 3],
      [178.5, 3],
    ]);
  });

  it('parts of a bar lie one after another; twice the number is twice the length, and what exceeds the axis is cut', () => {
    const parts = ({ loss, chance }: Row) => [
      { look: 'loss', value: loss ?? 0, title: 'its loss' },
      {
        look: 'chance',
        value: chance,
        over: ({ x }: { x: number }, middle: number) => svg`<circle cx=${x} cy=${middle}></circle>`,
      },
    ];
    const { numbers, picture, texts } = shown(
      plot(
        below({
          marks: ({ stack }) => [stack({ parts, height: 10, track: true, key: [['loss', 'loss of a row']] })],
        }),
      ),
    );
    // Two pixels between the parts: 222 to 300 where the scale ends at 10.
    expect(numbers('.loss', 'x', 'width', 'y', 'height')).toEqual([
      [100, 120, 25, 10],
      [100, 0, 65, 10],
      [100, 60, 105, 10],
    ]);
    expect(numbers('.chance', 'x', 'width')).toEqual([
      [222, 78],
      [102, 178],
      [162, 78],
    ]);
    expect(picture.querySelectorAll('.chance.cut')).toHaveLength(1);
    expect(numbers('.track', 'x', 'width')[0]).toEqual([99.5, 201]);
    expect(numbers('circle', 'cx', 'cy')[0]).toEqual([222, 30]);
    expect(texts('title')).toContain('its loss');
    expect(texts('.row.note .field')).toEqual(['loss of a row']);
    // Without a domain, the axis is as long as the longest bar.
    const fitted = plot(below({ x: { ticks: [] }, marks: ({ stack }) => [stack({ parts, least: 1 })] }));
    const ends = shown(fitted).numbers('.chance', 'x', 'width');
    expect(ends[0]![0]! + ends[0]![1]!).toBe(300);
    expect(shown(fitted).numbers('.loss', 'width')[1]).toEqual([0]);
  });

  it('a thin part keeps half of the width that the seam would cover', () => {
    const [, sliver] = placeParts([99, 1], makeScale('linear', [0, 100], [0, 100]));
    expect(sliver).toEqual({ x: 99.5, width: 0.5, cut: false });
  });

  it('are drawn from back to front, the first one in front', () => {
    const { picture } = shown(
      plot(
        below({
          marks: ({ dots, rules, ticks, words }) => [
            dots({ x: ({ loss }) => loss, look: 'dot', sign: diamond(5) }),
            rules({ x: ({ loss, chance }) => (loss === null ? null : [loss, chance]), look: 'rule' }),
            ticks({ x: ({ chance }) => chance, look: 'tick' }),
            words({ x: () => 10, dx: 5, look: 'word', text: ({ name }, at) => `${name} ${String(at)}` }),
            false,
            null,
          ],
        }),
      ),
    );
    const looks = [...picture.querySelectorAll('.dot, .rule, .tick, .word')].map((one) => one.getAttribute('class'));
    expect(looks).toEqual(['word', 'word', 'word', 'tick', 'tick', 'tick', 'rule', 'rule', 'dot', 'dot']);
    expect([...picture.querySelectorAll('.word')].map((one) => [one.textContent, one.getAttribute('x')])[2]).toEqual([
      'frequent 2',
      '305',
    ]);
  });

  it('across the drawing are at their number, and the chosen column at its row', () => {
    const { numbers, texts } = shown(
      plot(
        beside({
          marks: ({ level, band, column }) => [
            level({ y: 0.5, look: 'half', name: 'equal', below: 17 }),
            band({ y: [0.2, 0.4], look: 'by-chance' }),
            column({ look: 'chosen', at: 1 }),
          ],
        }),
      ),
    );
    expect(numbers('.half', 'x1', 'x2', 'y1', 'y2')).toEqual([[10, 310, 70, 70]]);
    expect(numbers('.half-name', 'x', 'y')).toEqual([[18, 87]]);
    expect(texts('.half-name')).toEqual(['equal']);
    expect(numbers('.by-chance', 'x', 'width', 'y', 'height')).toEqual([[10, 300, 80, 20]]);
    expect(numbers('.chosen', 'x', 'width', 'y', 'height')).toEqual([[110, 100, 20, 100]]);
  });

  it('name a vertical level below it, inside the drawing', () => {
    for (const [x, anchor] of [
      [0, 'start'],
      [5, 'middle'],
      [10, 'end'],
    ] as const) {
      const { picture } = shown(plot(below({ marks: ({ level }) => [level({ x, look: 'half', name: 'equal' })] })));
      expect(picture.querySelector('.half-name')!.getAttribute('text-anchor')).toBe(anchor);
    }
  });
});

describe('axes', () => {
  it('have lines and names of ticks, names of rows and titles, in a drawing that is high enough for them', () => {
    const { picture, numbers, texts } = shown(plot(below({ x: { domain: [0, 10], ticks: [0, 10], title: 'nats' } })));
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['320', String(10 + 3 * 40 + 40)]);
    expect(numbers('.grid', 'x1', 'y1', 'y2')).toEqual([
      [100, 10, 130],
      [300, 10, 130],
    ]);
    expect(texts('.faint')).toEqual(['0', '10', 'nats']);
    expect(texts('.name')).toEqual(['rare', 'unknown', 'frequent']);
    expect(numbers('.name', 'x', 'y')[2]).toEqual([92, 110]);
    expect(shown(plot(below({}))).picture.getAttribute('height')).toBe(String(10 + 3 * 40 + 24));
    const unnamed = below({ x: { domain: [0, 10], ticks: [0], format: () => '' } });
    expect(shown(plot(unnamed)).picture.getAttribute('height')).toBe(String(10 + 3 * 40));
  });

  it('have short ticks below the drawing on request, and no name that leaves it', () => {
    const options = below({ x: { domain: [0, 1000], ticks: [0, 500, 1000], lines: 'below' } });
    const { numbers, picture } = shown(plot({ ...options, margin: { left: 1, right: 1, top: 0 } }));
    expect(numbers('.tick', 'x1', 'y1', 'y2')).toEqual([
      [1, 120, 126],
      [160, 120, 126],
      [319, 120, 126],
    ]);
    const anchors = [...picture.querySelectorAll('.faint')].map((name) => name.getAttribute('text-anchor'));
    expect(anchors).toEqual(['start', 'middle', 'end']);
  });

  it('have names above their rows on request, and words at their ends', () => {
    const { numbers, texts } = shown(
      plot(
        below({
          y: {
            ...{ each: 40, above: 16 },
            name: ({ name }) => name,
            end: ({ loss }) => loss ?? '–',
            endLook: ({ name }) => `number ${name}`,
          },
          marks: ({ dots }) => [dots({ x: ({ chance }) => chance, look: 'chance' })],
        }),
      ),
    );
    expect(numbers('.name:not(.end)', 'x', 'y')[0]).toEqual([0, 10 + 16]);
    expect(numbers('.end', 'x', 'y')[0]).toEqual([320, 10 + 16]);
    expect(texts('.end')).toEqual(['6', '–', '3']);
    expect(texts('.number.frequent')).toEqual(['3']);
    expect(numbers('.chance', 'cy')).toEqual([[10 + 16 + 12], [10 + 40 + 16 + 12], [10 + 80 + 16 + 12]]);
  });

  it('contain everything that is drawn, if no domain is given', () => {
    const drawn = (x: PlotOptions<Row>['x'], values: (number | null)[]) =>
      shown(
        plot(
          below({
            rows: values.map((loss) => ({ name: '', loss, chance: 0 })),
            x,
            marks: ({ dots }) => [dots({ x: ({ loss }) => loss, look: 'dot' })],
          }),
        ),
      ).numbers('.dot', 'cx');
    expect(drawn({}, [5, null, 7])).toEqual([[100], [300]]);
    expect(drawn({ include: [0] }, [5, 10])).toEqual([[200], [300]]);
    expect(drawn({ include: [0], nice: true }, [6, 9.7])).toEqual([[220], [294]]);
    expect(drawn({ kind: 'log' }, [1, 0, 10, 100])).toEqual([[100], [200], [300]]);
    expect(drawn({}, [5])).toEqual([[100]]);
    expect(drawn({}, [null])).toEqual([]);
  });

  it('is named by its caption as long as there are no rows to describe', () => {
    const options = below({ rows: [], describe: ({ name }) => name, caption: 'Losses' });
    expect(shown(plot(options)).picture.getAttribute('aria-label')).toBe('Losses');
  });

  it('of rows find the row at a place', () => {
    const { rowAt } = plot(beside({}));
    expect([10, 109, 111, 160, 309].map(rowAt)).toEqual([0, 0, 1, 1, 2]);
    const down = plot(below({}));
    expect([11, 49, 51, 129].map(down.rowAt)).toEqual([0, 0, 1, 2]);
  });
});

describe('besides the drawing, a plot has', () => {
  const described = plot(
    below({
      marks: ({ dots, bars, ticks }) => [
        ticks({ x: ({ chance }) => chance, look: 'level', key: 'by chance' }),
        dots({ x: ({ loss }) => loss, look: 'loss', key: 'measured' }),
        bars({ x: ({ loss }) => loss, look: 'bar', key: 'the same' }),
        dots({ x: ({ loss }) => loss, look: 'unnamed' }),
      ],
      describe: ({ name, loss }, at) => `${String(at + 1)}. ${name}: ${String(loss)}.`,
      label: (words) => `Losses. ${words}`,
      caption: 'Losses',
      head: ['Token', 'Loss'],
      cells: ({ name, loss }) => [name, String(loss)],
    }),
  );

  it('a key: the marks in their order, then what they are compared with', () => {
    expect(shown(described).texts('.row .field')).toEqual(['measured', 'the same', 'by chance']);
  });

  it('words for screen readers, from which a drawing without words is hidden', () => {
    const words = 'Losses. 1. rare: 6. 2. unknown: null. 3. frequent: 3.';
    expect(described.label).toBe(words);
    const { picture } = shown(described);
    expect([picture.getAttribute('role'), picture.getAttribute('aria-label')]).toEqual(['img', words]);
    expect(picture.hasAttribute('aria-hidden')).toBe(false);
    const silent = shown(plot(below({}))).picture;
    expect([
      silent.getAttribute('aria-hidden'),
      silent.hasAttribute('role'),
      silent.hasAttribute('aria-label'),
    ]).toEqual(['true', false, false]);
  });

  it('its rows as a table, without columns that are not wanted and rows that have no cells', () => {
    const { table } = plot(
      below({
        head: ['Token', 'Loss', 'By chance'],
        cells: ({ name, loss, chance }) => (loss === null ? [] : [name, String(loss), String(chance)]),
        without: [1],
      }),
    );
    expect([table.head, table.rows]).toEqual([
      ['Token', 'By chance'],
      [
        ['rare', '9'],
        ['frequent', '4'],
      ],
    ]);
  });

  it('its rows as a table', () => {
    expect(described.table).toEqual({
      caption: 'Losses',
      head: ['Token', 'Loss'],
      rows: [
        ['rare', '6'],
        ['unknown', 'null'],
        ['frequent', '3'],
      ],
    });
  });
});
