import { html, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import type { ExperimentJob } from '../../core/types.js';
import type { ExperimentRun } from './experiment-run.js';
import type { ExperimentStrings } from './experiment.strings.js';
import type { Plan } from './plan.js';

/** With more jobs, only the whole experiment has a bar. */
export const mostJobs = 40;

/** The progress of each model: a row per seed, a column per arm. */
export function jobTable(texts: ExperimentStrings, { spec, jobs }: Plan, run: ExperimentRun): TemplateResult {
  const arms = Object.keys(spec.arms);
  const rows = jobs.flatMap((_, at) => (at % arms.length === 0 ? [jobs.slice(at, at + arms.length)] : []));
  return html`
    <table class="numbers jobs" aria-label=${texts.jobs}>
      <thead>
        <tr>
          <td></td>
          ${arms.map((arm) => html`<th scope="col">${arm}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`
            <tr>
              <th scope="row">${[texts.seed(String(row[0]?.seed ?? '')), ...pointOf(row[0])].join(', ')}</th>
              ${row.map((job) => html`<td>${cell(texts, job, run)}</td>`)}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}

const pointOf = (job: ExperimentJob | undefined): string[] =>
  Object.entries(job?.point ?? {}).map(([field, value]) => `${field} = ${JSON.stringify(value)}`);

function cell(texts: ExperimentStrings, job: ExperimentJob, run: ExperimentRun): TemplateResult | string {
  const result = run.resultOf(job);
  if (result !== null) return result.run.status === 'failed' ? texts.failedJob : texts.doneJob;
  const steps = run.stepsOf(job);
  if (!run.isUnderWay(job)) {
    if (steps === 0) return texts.waitingJob;
    return texts.stoppedJob(formatNumber((100 * steps) / job.training.steps, { decimals: 0 }));
  }
  const name = texts.jobName(job.arm, String(job.seed));
  return html`<progress aria-label=${name} max=${job.training.steps} .value=${steps}></progress>`;
}
