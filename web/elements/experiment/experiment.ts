import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { ExperimentRecords, ExperimentSpec } from '../../core/types.js';
import { maxWorkers } from '../../worker/machine.js';
import { button } from '../shared/controls.js';
import { said, type FigureParts } from '../shared/figure.js';
import { capital } from '../shared/in-words.js';
import { saveFile } from '../shared/save-file.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { whenGone } from '../shared/when-gone.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { claimDrawing, type ClaimPoint } from './claim-drawing.js';
import { curvesOf, pointsOf, type Curves } from './curves.js';
import { dataTables } from './data-tables.js';
import { defaultSpec } from './default-spec.js';
import { ExperimentRun } from './experiment-run.js';
import { experimentSettings } from './experiment.settings.js';
import { experimentStrings, type ExperimentStrings } from './experiment.strings.js';
import { experimentStyles } from './experiment.styles.js';
import { exportedTables, jsonFile, tableFile, type ExportedFile } from './exports.js';
import { jobTable, mostJobs } from './job-table.js';
import { planOf, type Plan } from './plan.js';
import { pointChooser } from './point-chooser.js';
import { criterionInWords, planInWords, timeLeft } from './plan-words.js';
import { rolesOf } from './roles.js';
import { endsInWords } from './value-words.js';

/** Detail of this element's `tied-change`. */
export interface ExperimentChange {
  readonly experiment: string;
  readonly state: 'running' | 'stopped' | 'complete';
  /** How many models have been trained, of `models`. */
  readonly trained: number;
  readonly models: number;
  /** The findings so far; null before the first model has ended. */
  readonly records: ExperimentRecords | null;
}

/**
 * `<tied-experiment src="claim.json">`: a claim that the reader can test: the page trains models with several seeds, on
 * all cores, and judges the claim. The experiment is the property `spec`, a JSON file on the same origin (`src`), or a
 * `<script type="application/json">` inside the element. Default: whether a tied table resembles the output table of an
 * untied model. Results are stored in the browser.
 *
 * @fires {CustomEvent<ExperimentChange>} tied-change - The reader has started or stopped the experiment, or it is complete.
 */
export class Experiment extends withSettings(TiedElement<ExperimentStrings>, experimentSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, experimentStyles];

  /** The experiment, in the form that `runExperiment` accepts; takes precedence over `src` and the script inside. */
  @property({ attribute: false }) spec: ExperimentSpec | null = null;

  protected readonly ownStrings = experimentStrings;
  private readonly width = new WidthWatcher(this, '.claim', 600);
  private readonly run = new ExperimentRun(this, {
    askLab: (question) => this.askLab(question),
    failed: (error) => this.fail(error),
    changed: () => this.report(),
  });
  private readonly opening = this.task<null, Plan>({
    order: 'replace',
    run: async (_, signal) => {
      const inside = this.querySelector('script[type="application/json"]')?.textContent ?? null;
      const { spec, src, texts } = this;
      return planOf({ spec, src, inside, otherwise: defaultSpec }, texts, signal);
    },
    done: (plan) => {
      this.problem = null;
      void this.run.take(plan);
    },
    failed: (error) => {
      void this.run.take(null);
      this.fail(error);
    },
  });
  private readonly exporting = this.task<() => Promise<ExportedFile>, ExportedFile>({
    run: (make) => make(),
    done: ({ name, type, content }) => saveFile(content, name, type),
    failed: (error) => {
      this.problem = this.texts.exportFailed(error instanceof Error ? error.message : String(error));
    },
  });

  constructor() {
    super();
    whenGone(this, () => this.run.release());
  }

  // ------------------------------------------------------------ the experiment

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.screen.woken && (changed.has('spec') || changed.has('src'))) void this.opening.request(null);
  }

  protected override wake(): void {
    // The script inside may not be parsed yet.
    if (document.readyState === 'loading') {
      document.addEventListener('DOMContentLoaded', () => void this.opening.request(null), { once: true });
    } else void this.opening.request(null);
  }

  private report(): void {
    const { plan, running, complete, ended, records } = this.run;
    if (plan === null) return;
    const state = running ? 'running' : complete ? 'complete' : 'stopped';
    const { name } = plan.spec;
    const detail: ExperimentChange = { experiment: name, state, trained: ended, models: plan.jobs.length, records };
    this.changed(detail);
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, run } = this;
    const { plan, records } = run;
    if (plan === null) {
      return {
        title: texts.title,
        drawing: html`<p class="waiting-words">${this.opening.hasFailed ? texts.nothingToRun : texts.reading}</p>`,
        hasPicture: false,
      };
    }
    const points = pointsOf(plan.jobs);
    const chosen = Math.min(this.point, points.length - 1);
    const curves = curvesOf(plan.jobs, points[chosen]!, (job) => run.metricsOf(job), rolesOf(plan.jobs));
    return {
      title: texts.title,
      drawing: html`
        ${this.renderPlan(plan)} ${this.renderState(plan)}
        ${plan.jobs.length <= mostJobs && (run.running || run.begun) && !run.complete ? jobTable(texts, plan, run) : nothing}
        <div class="results">
          ${records === null ? nothing : this.renderClaims(plan, records)}
          ${curves.length === 0 || points.length < 2 ? nothing : this.renderChooser(points, chosen)}
          ${curves.map((one) => this.renderCurves(one))}
        </div>
      `,
      ...this.verdict(plan),
      caption: html`${texts.caption}
      ${records === null || records.runs.length === 0 ? nothing : this.renderExports(plan, records)}`,
      ...(records === null ? {} : { data: () => dataTables(texts, records, plan.spec.seeds, curves) }),
      hasPicture: records !== null,
    };
  }

  protected override pictureNote(): string {
    const { plan } = this.run;
    return plan === null ? '' : planInWords(this.texts, plan, maxWorkers()).slice(0, -1).join(' ');
  }

  private renderPlan(plan: Plan): TemplateResult {
    const { texts } = this;
    const { claims } = plan.spec;
    return html`
      <dl class="plan">
        <dt>${claims.length > 1 ? texts.claims : texts.claim}</dt>
        <dd>
          ${
            claims.length === 0
              ? texts.noClaims
              : claims.map(
                  ({ says, words }) =>
                    html`<p class="one">
                      ${words === undefined ? nothing : html`<span class="words">${words}</span>`}<code>${says}</code>
                    </p>`,
                )
          }
        </dd>
        ${
          claims.length === 1
            ? html`<dt>${texts.criterion}</dt>
                <dd>${criterionInWords(texts, claims[0]!)}</dd>`
            : nothing
        }
        <dt>${texts.trained}</dt>
        <dd>${planInWords(texts, plan, maxWorkers()).join(' ')}</dd>
      </dl>
    `;
  }

  /** The buttons, and what has been done or is being done. */
  private renderState({ jobs }: Plan): TemplateResult {
    const { texts, run } = this;
    const { running, begun, complete, fraction, keeps } = run;
    const press = (label: string, icon: 'play' | 'pause', act: () => void): TemplateResult =>
      button({
        ...{ label, icon, kind: 'primary' },
        onPress: () => {
          this.problem = null;
          act();
        },
      });
    const start = (): void => run.start();
    return html`
      <div class="row state">
        ${running ? press(texts.pause, 'pause', () => run.pause()) : complete ? nothing : press(begun ? texts.resume : texts.run, 'play', start)}
        ${begun || running ? button({ label: texts.startOver, icon: 'rewind', onPress: () => run.startOver() }) : nothing}
        ${running ? html`<progress aria-label=${texts.jobs} max="1" .value=${fraction}></progress>` : nothing}
        <span class="now">${begun || running ? this.progressWords(jobs.length) : nothing}</span>
      </div>
      ${keeps === null ? nothing : html`<p class="note">${keeps ? texts.keeps : texts.keepsNothing}</p>`}
    `;
  }

  private progressWords(all: number): string {
    const { texts, run } = this;
    const { ended, running, left } = run;
    const there = texts.there(formatWhole(ended), formatWhole(all));
    if (!running) return there;
    if (ended === all) return `${there} ${texts.comparing}`;
    return left === null ? there : `${there} ${capital(texts.left(timeLeft(texts, left)))}`;
  }

  private verdict(plan: Plan): Pick<FigureParts, 'readOut' | 'announcement'> {
    const { texts, run } = this;
    const { records } = run;
    const claims = records?.claims ?? [];
    const there = texts.there(formatWhole(run.ended), formatWhole(plan.jobs.length));
    if (records === null) {
      const words = run.running ? '' : run.begun ? texts.beforeResume : texts.beforeRun;
      return { readOut: words, announcement: run.begun || run.running ? there : '' };
    }
    if (run.complete && claims.length === 0) return { readOut: texts.withoutClaims, announcement: texts.withoutClaims };
    const [first] = claims;
    if (first === undefined) return { readOut: '', announcement: there };
    if (!run.complete) {
      const words = texts.soFar(texts.verdicts[first.verdict], first.because);
      return { readOut: claims.length === 1 ? words : there, announcement: there };
    }
    if (claims.length > 1) {
      const [holds = '', fails = '', undecided = ''] = (['holds', 'fails', 'undecided'] as const).map((verdict) =>
        formatWhole(claims.filter((claim) => claim.verdict === verdict).length),
      );
      const others = claims
        .filter(({ verdict }) => verdict !== 'holds')
        .map(({ id, verdict, because }) => `${id}: ${texts.because(texts.verdicts[verdict], because)}`);
      return said(texts.counted(holds, fails, undecided), others.join(' '));
    }
    const [verdict, because] = [`${texts.verdicts[first.verdict]}.`, `${capital(first.because)}.`];
    return { readOut: html`<strong>${verdict}</strong> ${because}`, announcement: `${verdict} ${because}` };
  }

  private renderClaims(plan: Plan, { claims, problems }: ExperimentRecords): TemplateResult {
    const { texts } = this;
    const roles = rolesOf(plan.jobs);
    const width = Math.min(720, this.width.width);
    const drawn = (point: ClaimPoint, title: string): TemplateResult =>
      html`<div class="claim">
        <p class="part-title" data-picture>${title}</p>
        ${claimDrawing({ texts, point, roles, width })}
      </div>`;
    return html`
      ${claims.flatMap((claim) =>
        claim.points.map((point) => {
          const fields = Object.entries(point.point).map(([field, value]) => `${field} = ${JSON.stringify(value)}`);
          const which = [...(claims.length > 1 ? [claim.id] : []), ...fields];
          const verdict = which.length > 0 ? [`${which.join(', ')}: ${texts.verdicts[point.verdict]}.`] : [];
          return drawn(point, [...verdict, texts.lines].join(' '));
        }),
      )}
      ${problems.map(({ metric, error }) => html`<p class="note">${texts.problem(metric, error)}</p>`)}
    `;
  }

  private renderChooser(points: readonly Plan['jobs'][number]['point'][], chosen: number): TemplateResult {
    return pointChooser({
      label: this.texts.point,
      points,
      chosen,
      onChoose: (point) => {
        this.changeSettings({ point });
        this.report();
      },
    });
  }

  private renderCurves({ metric, unit, series }: Curves): TemplateResult {
    const { texts } = this;
    return html`
      <div>
        <p class="part-title" data-picture>${texts.curves(capital(metric), unit)}. ${texts.curvesNote}</p>
        <tied-line-chart
          .series=${series}
          .label=${texts.curvesLabel(metric, endsInWords(texts, series))}
          .xTitle=${texts.steps}
          .xName=${texts.step}
          .height=${260}
        ></tied-line-chart>
      </div>
    `;
  }

  private renderExports({ spec: { name } }: Plan, records: ExperimentRecords): TemplateResult {
    const { texts } = this;
    const take = (label: string, says: string, make: () => Promise<ExportedFile>): TemplateResult =>
      html`<button type="button" class="button" aria-label=${says} @click=${() => void this.exporting.request(make)}>
        ${label}
      </button>`;
    return html`
      <div class="row exports" role="group" aria-label=${texts.exports}>
        <p class="part-title">${texts.exports}</p>
        ${take(texts.exportAll, texts.exportAll, () => jsonFile(name, records))}
        ${exportedTables.map(
          (table) =>
            html`<span
              >${texts.tables[table]}
              ${(['csv', 'parquet'] as const).map((format) => {
                const label = format === 'csv' ? texts.asCsv : texts.asParquet;
                const says = texts.exportName(texts.tables[table], label);
                return take(label, says, () => tableFile(name, records, table, format));
              })}</span
            >`,
        )}
      </div>
    `;
  }
}
