import { svg, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { drawing } from '../../charts/drawing.js';
import { wholePercent } from '../shared/in-words.js';
import { pullAt, roles, tablesOf, type History, type ModelHistory, type Role } from './history.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';

const [height, placeY, armTop, tableTop, tableHeight] = [178, 14, 40, 96, 56];
/** The number of cells in the drawing of a table. */
const [columns, rows] = [9, 5];

export const percent = (share: number): string => `${wholePercent(share)}%`;

/** Where a table is drawn, and which part of it each of its roles pulls on. */
export interface PlacedTable {
  readonly x: number;
  readonly width: number;
  readonly bands: readonly { readonly role: Role; readonly from: number; readonly to: number }[];
}

/**
 * The tables of a model, all of one size. Each table has a band per role, as wide as the role's share of the pulls on
 * that table.
 */
export function placeTables(
  tying: ModelHistory['tying'],
  pull: Readonly<Record<Role, number>> | null,
  width: number,
): PlacedTable[] {
  const place = (role: Role): number => ((roles.indexOf(role) + 0.5) * width) / roles.length;
  const tableWidth = Math.min(96, width / roles.length - 10);
  return tablesOf[tying].map((sharing) => {
    const x = sharing.reduce((sum, role) => sum + place(role) / sharing.length, 0) - tableWidth / 2;
    const all = sharing.reduce((sum, role) => sum + (pull?.[role] ?? 1), 0);
    let from = x;
    const bands = sharing.map((role) => {
      const to = from + (tableWidth * (pull?.[role] ?? 1)) / all;
      const band = { role, from, to };
      from = to;
      return band;
    });
    return { x, width: tableWidth, bands };
  });
}

/** A model's three roles, its tables, and how strongly each role pulls on its table. */
export function tablesDrawing(
  texts: Seq2seqStrings,
  { vocabSize, dModel }: Pick<History, 'vocabSize' | 'dModel'>,
  { tying, tableParameters, norms }: ModelHistory,
  step: number,
  width: number,
): TemplateResult {
  const pull = pullAt({ norms }, step);
  const tables = placeTables(tying, pull, width);
  const shareOf = (role: Role): string => (pull === null ? '' : percent(pull[role]));
  const places = roles.map((role) => texts.placeWords(texts.roles[role], shareOf(role))).join(' ');
  const said = `${texts.models[tying]}: ${texts.inTables(formatWhole(tableParameters))} ${places}`;
  return drawing(
    { label: said, width, height },
    svg`
      ${tables.map(({ x, width: tableWidth, bands }) => {
        const line = (at: number, along: 'x' | 'y'): unknown =>
          along === 'x'
            ? svg`<line class="grid" x1=${x + (at * tableWidth) / columns} x2=${x + (at * tableWidth) / columns} y1=${tableTop} y2=${tableTop + tableHeight}></line>`
            : svg`<line class="grid" x1=${x} x2=${x + tableWidth} y1=${tableTop + (at * tableHeight) / rows} y2=${tableTop + (at * tableHeight) / rows}></line>`;
        return svg`
          ${bands.map(
            ({ role, from, to }) =>
              svg`<rect class="band ${role}" x=${from} y=${tableTop} width=${to - from} height=${tableHeight}></rect>`,
          )}
          ${Array.from({ length: columns - 1 }, (_, at) => line(at + 1, 'x'))}
          ${Array.from({ length: rows - 1 }, (_, at) => line(at + 1, 'y'))}
          <rect class="table ${bands.length > 1 ? 'shared' : 'own'}" x=${x} y=${tableTop} width=${tableWidth} height=${tableHeight}></rect>
          <text class="faint" x=${x + tableWidth / 2} y=${height - 6} text-anchor="middle">${formatWhole(vocabSize)} × ${formatWhole(dModel)}</text>`;
      })}
      ${roles.map((role, at) => {
        const x = ((at + 0.5) * width) / roles.length;
        const band = tables.flatMap(({ bands }) => bands).find((one) => one.role === role)!;
        const to = (band.from + band.to) / 2;
        const [stack, act] = texts.places[role];
        const bend = (armTop + tableTop) / 2;
        return svg`
          <path class="arm ${role}" stroke-width=${1.5 + 10 * (pull?.[role] ?? 0)} d="M${x} ${armTop + 14}C${x} ${bend + 8} ${to} ${bend} ${to} ${tableTop}"></path>
          <text class="place" x=${x} y=${placeY} text-anchor="middle">${stack}</text>
          <text class="place" x=${x} y=${placeY + 15} text-anchor="middle">${act}</text>
          <text class="share ${role}" x=${x} y=${armTop + 8} text-anchor="middle">${shareOf(role)}</text>`;
      })}
    `,
  );
}
