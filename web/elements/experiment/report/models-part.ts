/** Which models there are, where their numbers come from, and the files that come with the page. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatWhole } from '../../../charts/number-format.js';
import { columnsTable } from '../../shared/tables.js';
import { fieldsOf } from '../point-chooser.js';
import { textInWords } from '../plan-words.js';
import { section, type Shown } from './report-parts.js';
import type { ReportedRun } from './report-data.js';

/** A table of ten thousand rows is of no use. */
const mostModels = 200;
const hash = (whole: string | null): TemplateResult | string =>
  whole === null ? '–' : html`<code title=${whole}><data value=${whole}>${whole.slice(0, 12)}</data></code>`;
const count = (value: number | null): string => (value === null ? '–' : formatWhole(value));

export function modelsPart({ report, words }: Shown): TemplateResult {
  const { runs } = report;
  const { models } = words;
  const withPoint = runs.some(({ point }) => point !== '{}');
  const table = columnsTable<ReportedRun>({
    look: 'numbers models',
    items: runs.slice(0, mostModels),
    columns: [
      [models.arm, ({ arm }) => arm],
      [models.seed, ({ seed }) => String(seed)],
      ...(withPoint
        ? [[models.point, ({ point }: ReportedRun) => fieldsOf(JSON.parse(point) as Record<string, unknown>)] as const]
        : []),
      [models.tying, ({ tying }) => tying],
      [models.parameters, ({ parameters }) => count(parameters)],
      [models.steps, ({ steps }) => count(steps)],
      [models.weights, ({ weights_sha256 }) => hash(weights_sha256)],
      [models.status, ({ error }) => error ?? words.done],
    ],
  });
  return section(
    'models',
    words.modelsTitle,
    html`<div class="scrolls" tabindex="0" role="group" aria-label=${words.modelsTitle}>${table}</div>
      ${
        runs.length > mostModels
          ? html`<p class="minor">${words.moreModels(formatWhole(mostModels), formatWhole(runs.length))}</p>`
          : nothing
      }`,
  );
}

export function provenancePart({ report, words, texts }: Shown): TemplateResult {
  const { spec, runs } = report;
  const { provenance } = words;
  const each = (of: (run: ReportedRun) => string | null): string =>
    [...new Set(runs.map((run) => of(run) ?? '–'))].join(', ');
  const version = each(({ package_version }) => package_version);
  const row = (name: string, value: TemplateResult | string): TemplateResult =>
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;
  return section(
    'provenance',
    words.provenanceTitle,
    html`
      <dl class="facts">
        ${row(provenance.package, `tied-embeddings ${version}`)}
        ${row(
          provenance.engine,
          each(({ engine }) => engine),
        )}
        ${row(provenance.specHash, html`<code>${each(({ spec_hash }) => spec_hash)}</code>`)}
        ${row(provenance.text, textInWords(texts, spec))}
        ${row(provenance.textHash, html`<code>${each(({ text_sha256 }) => text_sha256)}</code>`)}
        ${row(provenance.tokenizer, html`<code>${each(({ tokenizer }) => tokenizer)}</code>`)}
        ${row(provenance.seeds, spec.seeds.join(', '))} ${row(provenance.machine, words.machine)}
        ${row(
          words.again,
          html`${words.againHow(spec.name)}<br />
            <code>npx tied-embeddings@${version.split(',')[0] ?? ''} experiment run ${spec.name}.json</code>`,
        )}
      </dl>
      <details class="spec">
        <summary>${words.specLabel}</summary>
        <pre class="scrolls" tabindex="0">${JSON.stringify(spec, null, 2)}</pre>
      </details>
    `,
  );
}

export function filesPart({ report, words }: Shown): TemplateResult {
  return section(
    'files',
    words.filesTitle,
    html`
      <ul class="files">
        ${report.files.map(
          ({ name, formats }) =>
            html`<li>
              <span>${name}</span> ${formats.map((format) => html`<a href="${name}.${format}">${format}</a> `)}
            </li>`,
        )}
      </ul>
    `,
  );
}

export function problemsPart({ report, texts, words }: Shown): TemplateResult | typeof nothing {
  if (report.problems.length === 0) return nothing;
  return section(
    'problems',
    words.problemsTitle,
    html`<ul class="problems">
      ${report.problems.map(({ metric, error }) => html`<li>${texts.problem(metric, error)}</li>`)}
    </ul>`,
  );
}
