// docs/claims.md, from the catalogue and the outcomes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { catalogue } from './catalogue.mjs';
import { claimFiles, readClaimFile, readSurvey, surveyFiles } from './files.mjs';
import { readOutcome } from './outcomes.mjs';
import { readSurveyOutcome } from './surveys/run.mjs';
import { parsed } from './surveys/statistics.mjs';

const number = (value) => {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3) return value.toExponential(1);
  return value.toFixed(size < 0.1 ? 4 : size < 100 ? 3 : 0);
};
const interval = ({ mean, halfWidth }) =>
  mean === undefined ? 'none' : `${number(mean)} ± ${halfWidth === null ? '?' : number(halfWidth)}`;
const bySeed = ({ values = [] }) =>
  new Set(values).size === 1 ? `${number(values[0])} each` : values.map(number).join(', ');
/** Claims contain letters, signs and bars; a table cell must not contain bars. */
const cell = (text) => text.replaceAll('|', '\\|');
const where = (point) => {
  const fields = Object.entries(point).map(([name, value]) => `${name.replace(/^.*\./, '')} ${value}`);
  return fields.length === 0 ? '' : ` at ${fields.join(', ')}`;
};

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map((text) => text).join(' | ')} |`).join('\n');

const pointed = (points, point) => points.find((one) => JSON.stringify(one.point) === JSON.stringify(point));

function criteriaRows({ criteria = [] }, outcomes) {
  return criteria.flatMap(([experiment, ids]) =>
    ids.flatMap((id) => {
      const outcome = outcomes.get(experiment);
      if (outcome === null) return [[experiment, `\`${id}\``, '', '', 'not run yet']];
      const { says, points } = outcome.claims.find((claim) => claim.id === id);
      const { words } = readClaimFile(experiment).claims.find((claim) => claim.id === id);
      const inWords = words === undefined ? '' : `${cell(words)}<br>`;
      return points.map((point) => [
        experiment,
        `${inWords}\`${cell(says)}\`${where(point.point)}`,
        interval(point),
        bySeed(point),
        `**${point.verdict}**`,
      ]);
    }),
  );
}

function valueRows({ values = [] }, outcomes) {
  return values.flatMap(([experiment, value, { expected = '', chance = null } = {}]) => {
    const outcome = outcomes.get(experiment);
    if (outcome === null) return [];
    const pointsOf = (wanted) => outcome.values.find((one) => one.value === wanted).points;
    return pointsOf(value).map((point) => {
      const level = chance === null ? undefined : pointed(pointsOf(chance), point.point);
      return [
        experiment,
        `\`${cell(value)}\`${where(point.point)}`,
        interval(point),
        bySeed(point),
        level === undefined ? '' : number(level.mean),
        expected,
      ];
    });
  });
}

/** Criteria about many texts. */
function surveyRows({ surveys = [] }, outcomes) {
  return surveys.flatMap(([survey, ids]) =>
    ids.map((id) => {
      const { words, says } = readSurvey(survey).claims.find((claim) => claim.id === id);
      const criterion = `${cell(words)}<br>\`${cell(says)}\``;
      const outcome = outcomes.get(survey);
      if (outcome === null) return [survey, criterion, '', '', 'not run yet'];
      const { value, low, high, count } = outcome.values.find(({ name }) => name === parsed(says).value);
      const { verdict } = outcome.claims.find((claim) => claim.id === id);
      return [
        survey,
        criterion,
        `${number(value)} (${number(low)} to ${number(high)})`,
        String(count),
        `**${verdict}**`,
      ];
    }),
  );
}

const plural = (verdict, count) => (count > 1 ? verdict.replace(/^(hold|fail)s$/, '$1') : verdict);

/** What a survey of models found in each of their paths. */
function pathTables({ surveys = [] }, outcomes) {
  return surveys.flatMap(([survey]) => {
    const { paths, values } = outcomes.get(survey) ?? {};
    if (paths === undefined) return [];
    const of = (statistic, place) => values.find(({ name }) => name === `${statistic}(${place})`);
    const rows = paths.map(({ place, tying, tokens, differences }) => {
      const chance = of('by-chance', place);
      return [
        place,
        tying,
        String(tokens),
        number(of('below', place).value),
        `${number(chance.value)} (${number(chance.low)} to ${number(chance.high)})`,
        differences.map(number).join(', '),
      ];
    });
    const heads = [
      ...[
        'path',
        'tables',
        'tokens',
        'follow themselves less often than they occur',
        'by chance, with 95% of the orders',
      ],
      'P(i given i) - π of the tokens: least, a quarter, median, three quarters, greatest',
    ];
    return [table(heads, rows)];
  });
}

/**
 * The outcome of an entry, in a few words.
 *
 * @param {import('./catalogue/entry.mjs').Entry} entry
 * @param {Map<string, any>} outcomes
 */
export function verdictOf({ criteria = [], surveys = [], tests = [], missing }, outcomes) {
  const verdicts = [...criteria, ...surveys].flatMap(([experiment, ids]) =>
    ids.map((id) => outcomes.get(experiment)?.claims.find((claim) => claim.id === id).verdict ?? 'not run yet'),
  );
  const counted = ['holds', 'fails', 'undecided', 'not run yet']
    .map((verdict) => ({ verdict, count: verdicts.filter((one) => one === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => (count === verdicts.length ? verdict : `${count} ${plural(verdict, count)}`));
  return [
    ...counted,
    ...(verdicts.length === 0 && tests.length > 0 ? ['checked by tests'] : []),
    ...(missing === undefined ? [] : [verdicts.length + tests.length === 0 ? 'not measured' : 'partly measured']),
  ].join(', ');
}

const titleOf = ({ id, title }) => (/^\d/.test(id) ? `${id}. ${title}` : title);

function section(entry, outcomes) {
  const { tests = [], missing, differs, why } = entry;
  const criteria = criteriaRows(entry, outcomes);
  const values = valueRows(entry, outcomes);
  const surveys = surveyRows(entry, outcomes);
  return [
    `## ${titleOf(entry)}`,
    ...(criteria.length === 0
      ? []
      : [
          table(['experiment', 'criterion', 'left minus right, with the 95% interval', 'by seed', 'verdict'], criteria),
        ]),
    ...(surveys.length === 0
      ? []
      : [table(['survey', 'criterion', 'value, with the 95% interval', 'of', 'verdict'], surveys)]),
    ...pathTables(entry, outcomes),
    ...(values.length === 0
      ? []
      : [table(['experiment', 'value', 'mean, with the 95% interval', 'by seed', 'by chance', 'expected'], values)]),
    ...(tests.length === 0
      ? []
      : [`Checked by tests: ${tests.map(([file, name]) => `“${name}” (\`${file}\`)`).join('; ')}.`]),
    ...(why === undefined ? [] : [why]),
    ...(missing === undefined ? [] : [`**Not measured**: ${missing}`]),
    ...(differs === undefined ? [] : [`**What differs**: ${differs}`]),
  ].join('\n\n');
}

function provenance(outcomes) {
  const rows = [...outcomes].map(([name, outcome]) => {
    const { text, pairs, then, seeds } = readClaimFile(name);
    const source = pairs
      ? `${pairs.task}, ${pairs.count} pairs`
      : [text, then?.text]
          .flatMap((one) => (one ? [one.file ?? `stories, ${one.stories.length} letters`] : []))
          .join(', then ');
    const file = `[${name}](../claims/${name}.json)`;
    if (outcome === null) return [file, source, '', String(seeds.length), '', '', '', '', 'not run yet'];
    const { runs, seconds, date, engine, packageVersion, specHash } = outcome;
    const arms = new Set(runs.map(({ arm }) => arm)).size;
    return [
      file,
      source,
      String(arms),
      String(seeds.length),
      String(runs.length),
      String(seconds),
      engine,
      packageVersion,
      `${date}, \`${specHash}\``,
    ];
  });
  return table(
    [
      'experiment',
      'text or pairs',
      'arms',
      'seeds',
      'runs',
      'seconds on one core',
      'engine',
      'package',
      'date, hash of the file',
    ],
    rows,
  );
}

function surveyed(outcomes) {
  const rows = surveyFiles().map((name) => {
    const { texts, models } = readSurvey(name);
    const source =
      texts === undefined
        ? models.map((model) => model.name).join(', ')
        : [`${texts.package} ${texts.version}`, texts.beside ?? []].flat().join(', ');
    const { texts: read, models: count = read, seconds, date, specHash } = outcomes.get(name) ?? {};
    const file = `[${name}](../claims/surveys/${name}.json)`;
    return count === undefined
      ? [file, source, '', '', 'not run yet']
      : [file, source, String(count), String(seconds), `${date}, \`${specHash}\``];
  });
  return table(['survey', 'texts or models', 'measured', 'seconds', 'date, hash of the file'], rows);
}

/** What the history has no earlier than its outcome. */
const declaredTogether = [
  'adaptive-head',
  'lost-head',
  'masked-tying',
  'ngram-places',
  'public-paths',
  'scale-novels-between',
  'scale-plays-between',
];

export function renderPage() {
  const experiments = new Map(claimFiles().map((name) => [name, readOutcome(name)]));
  const outcomes = new Map(experiments);
  for (const name of surveyFiles()) outcomes.set(name, readSurveyOutcome(name));
  return `# Claims and outcomes

Written by \`npm run claims\`; every number comes from \`claims/outcomes/\`. How claims are written and judged:
[experiments.md](experiments.md). Each criterion was in its file before the first run of that file; its author
knew the results of [small-transformers.md](small-transformers.md), and had tried settings of direct paths on stories. The history of the
repository has the file before its outcome, with ${declaredTogether.slice(0, -1).join(', ')} and ${declaredTogether.at(-1)} as exceptions:
these came into it with their outcomes (lost-head a second before), so for them there is only their author’s word. A claim **holds** if the 95% interval of the mean
difference over seeds (Student's t) lies on the claim's side and its conditions are met. Expected values were measured before this project existed, with
an independent program ([how](small-transformers.md)), unless the row says otherwise. Chance levels are computed by the measure itself.
A survey measures many texts, or public models, and trains nothing: its criterion holds if the whole interval lies on its side ([how](science.md#how-one-way-languages-are)).

${table(
  ['claim', 'outcome'],
  catalogue.map((entry) => [titleOf(entry), verdictOf(entry, outcomes)]),
)}

${catalogue.map((entry) => section(entry, outcomes)).join('\n\n')}

## What was run

${provenance(experiments)}

${surveyed(outcomes)}
`;
}

export const page = join(root, 'docs/claims.md');

export function writePage() {
  writeFileSync(page, renderPage());
}
