import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../charts/number-format.js';
import type { CheckpointComparison, ComparedCheckpoint, LengthAgreement, TableChange } from '../../../core/types.js';
import { dataTable, type Content, type TableCell } from '../../shared/figure.js';
import type { RoleSeries } from '../../shared/line-chart-view.js';
import { chartView, tokenInWords } from '../card/charts.js';
import { levelInWords } from '../card/levels.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';

/** How many of the rows that turned most are listed beside the drawing; the saved file has more. */
const shownTurned = 10;

type Role = 'input' | 'output';

const byRole = <Found>({ input, output }: Record<Role, Found | null>): (readonly [Role, Found])[] => [
  ...(input === null ? [] : [['input', input] as const]),
  ...(output === null ? [] : [['output', output] as const]),
];

/** The changes of a model's tables: a single one if two tied tables changed alike. */
function changesIn({ change: { input, output } }: ComparedCheckpoint): (readonly [Role | 'both', TableChange])[] {
  // They come from a worker, so equal ones may be two objects.
  if (input !== null && output !== null && JSON.stringify(input.turned) === JSON.stringify(output.turned))
    return [['both', input]];
  return byRole({ input, output });
}

/** The same for tables of another shape. */
function lengthsIn({ lengths }: ComparedCheckpoint): (readonly [Role | 'both', LengthAgreement])[] {
  if (lengths === null) return [];
  const { input, output } = lengths;
  if (input !== null && output !== null && JSON.stringify(input) === JSON.stringify(output)) return [['both', input]];
  return byRole({ input, output });
}

const roleName = (role: Role | 'both', texts: CheckpointStrings): string =>
  role === 'both' ? texts.bothTables : (texts.roles[role] ?? role);
const beside = (value: number, chance: number): TemplateResult =>
  html`${levelInWords(value)} <span class="faint">(${levelInWords(chance)})</span>`;
const percent = (share: number): string => formatNumber(100 * share);

/** How far each model has moved, in words and drawings. */
export function comparisonOf({ data }: CheckpointComparison, texts: CheckpointStrings): TemplateResult {
  const last = data.checkpoints.at(-1)!;
  return html`
    <p class="card-words">${comparisonInWords(data, texts)}</p>
    ${data.notes.map((note) => html`<p class="aside">${note}</p>`)}
    <div class="facts wide" tabindex="0" role="region" aria-label=${texts.changesCaption}>
      ${changesTable(data.checkpoints, texts)}
    </div>
    <div class="drawings">
      ${data.checkpoints.filter(hasChange).length > 1 ? stepsChart(data.checkpoints, texts) : nothing}
      ${hasChange(last) ? cosinesChart(last, texts) : nothing}
      ${changesIn(last).map(([role, { moved }]) =>
        moved.length === 0
          ? nothing
          : changedTable(texts.movedTitle(roleName(role, texts), last.name), texts.movedBy, moved, texts),
      )}
      ${changesIn(last).map(([role, { turned }]) =>
        changedTable(texts.turnedTitle(roleName(role, texts), last.name), texts.turnedCosine, turned, texts),
      )}
    </div>
  `;
}

const hasChange = (one: ComparedCheckpoint): boolean => changesIn(one).length > 0;

function comparisonInWords({ against, checkpoints }: CheckpointComparison['data'], texts: CheckpointStrings): string {
  const last = checkpoints.at(-1)!;
  const before = checkpoints.at(against === 'first' ? 0 : -2)!;
  const changes = changesIn(last).map(
    ([role, { distance, differingRows, rows, meanCosine, meanCosineNull, rotated }]) => {
      const table = texts.movedTables[role] ?? role;
      const differing = texts.differing(table, formatWhole(differingRows), formatWhole(rows));
      if (differingRows === 0) return differing;
      const words = texts.moved(table, percent(distance), levelInWords(meanCosine), levelInWords(meanCosineNull));
      const more = rotated === null ? '' : texts.rotated(levelInWords(rotated.cosine), levelInWords(rotated.null));
      return `${differing} ${words}${more}.`;
    },
  );
  const lengths = lengthsIn(last).map(([role, { tokens, rankCorrelation, deviation }]) =>
    texts.lengthsAgree(
      texts.movedTables[role] ?? role,
      formatWhole(tokens),
      levelInWords(rankCorrelation),
      levelInWords(deviation),
    ),
  );
  return [texts.fromTo(before.name, last.name), ...changes, ...lengths].join(' ');
}

function changesTable(checkpoints: readonly ComparedCheckpoint[], texts: CheckpointStrings): TemplateResult {
  const ownOf = ({ asymmetry, tables }: ComparedCheckpoint, role: Role | 'both'): TableCell[] => {
    const table = tables[role === 'both' ? 'input' : role];
    return [
      asymmetry === null ? '–' : beside(asymmetry.asymmetry, asymmetry.null),
      table === null
        ? '–'
        : html`${formatNumber(table.centered.effectiveRank)}
            <span class="faint">(${formatNumber(table.centered.null.effectiveRank)})</span>`,
    ];
  };
  const tiedOf = ({ tying }: ComparedCheckpoint): string => texts.verdicts[String(tying.tied)] ?? '';
  const [first, ...others] = checkpoints as [ComparedCheckpoint, ...ComparedCheckpoint[]];
  const firstRole = first.tables.input === null ? 'output' : 'input';
  const rows = [
    [first.name, tiedOf(first), texts.firstModel, '–', '–', '–', '–', ...ownOf(first, firstRole)],
    ...others.flatMap((one) => [
      ...lengthsIn(one).map(([role]) => [
        one.name,
        tiedOf(one),
        roleName(role, texts),
        '–',
        '–',
        '–',
        '–',
        ...ownOf(one, role),
      ]),
      ...changesIn(one).map(([role, change]) => [
        one.name,
        tiedOf(one),
        roleName(role, texts),
        texts.rowsOf(formatWhole(change.differingRows), formatWhole(change.rows)),
        `${percent(change.distance)}%`,
        beside(change.meanCosine, change.meanCosineNull),
        change.rotated === null ? '–' : beside(change.rotated.cosine, change.rotated.null),
        ...ownOf(one, role),
      ]),
    ]),
  ];
  return dataTable({ caption: texts.changesCaption, head: texts.changeColumns, rows });
}

const seriesRole = (role: Role | 'both'): RoleSeries['role'] => (role === 'both' ? 'tied' : role);

/** For the last model, by token id. */
function cosinesChart(last: ComparedCheckpoint, texts: CheckpointStrings): TemplateResult {
  const changes = changesIn(last);
  const series = changes.map(([role, { cosineBands }]): RoleSeries => ({
    ...{ id: role, role: seriesRole(role), label: roleName(role, texts) },
    x: cosineBands.map(({ from, to }) => (from + to - 1) / 2),
    y: cosineBands.map(({ median }) => median),
    runs: [cosineBands.map(({ least }) => least), cosineBands.map(({ greatest }) => greatest)],
  }));
  const [[, first] = [null, null]] = changes;
  return chartView({
    ...{ title: texts.cosinesTitle(last.name), note: texts.cosinesNote },
    ...{ axis: texts.normsAxis, name: texts.normsName, yKind: 'linear', yDomain: null, series, decimals: 3 },
    references: first ? [{ id: 'chance', label: texts.cosinesChance, value: first.meanCosineNull }] : [],
  });
}

/** For all models, in order. */
function stepsChart(checkpoints: readonly ComparedCheckpoint[], texts: CheckpointStrings): TemplateResult {
  const roles = [...new Set(checkpoints.flatMap((one) => changesIn(one).map(([role]) => role)))];
  const series = roles.map((role): RoleSeries => {
    const points = checkpoints.flatMap((one, at) =>
      changesIn(one).flatMap(([of, { meanCosine }]) => (of === role ? [[at + 1, meanCosine] as const] : [])),
    );
    const marks = { x: points.map(([at]) => at), y: points.map(([, value]) => value) };
    return { ...{ id: role, role: seriesRole(role), label: roleName(role, texts) }, ...marks, marks };
  });
  return chartView({
    ...{ title: texts.stepsTitle, note: null, axis: texts.stepsAxis, name: texts.stepsName },
    ...{ yKind: 'linear', yDomain: null, series, decimals: 3, references: [] },
  });
}

/** Rows that turned or moved most, the largest change first. */
const changedTable = (
  title: string,
  by: string,
  rows: readonly (TableChange['turned'][number] | TableChange['moved'][number])[],
  texts: CheckpointStrings,
): TemplateResult =>
  html`<div class="facts turned" tabindex="0" role="region" aria-label=${title}>
    ${dataTable({
      caption: title,
      head: [texts.token, by, texts.turnedBefore, texts.turnedAfter],
      rows: rows
        .slice(0, shownTurned)
        .map((row) => [
          html`<code title=${texts.unnamed(formatWhole(row.token.id))}>${tokenInWords(row.token, texts)}</code>`,
          'cosine' in row ? levelInWords(row.cosine) : formatNumber(row.distance),
          formatNumber(row.before),
          formatNumber(row.after),
        ]),
    })}
  </div>`;

/** The drawing as a table. */
export function comparisonData({ data }: CheckpointComparison, texts: CheckpointStrings): Content {
  const last = data.checkpoints.at(-1)!;
  return changesIn(last).map(([role, { cosineBands }]) =>
    dataTable({
      caption: `${texts.cosinesData}: ${roleName(role, texts)}, ${last.name}`,
      head: [texts.ids, texts.least, texts.median, texts.greatest],
      rows: cosineBands.map(({ from, to, least, median, greatest }) => [
        to - from === 1 ? formatWhole(from) : `${formatWhole(from)} – ${formatWhole(to - 1)}`,
        ...[least, median, greatest].map(levelInWords),
      ]),
    }),
  );
}
