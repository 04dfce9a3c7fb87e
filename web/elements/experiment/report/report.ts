import { html, LitElement, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatWhole } from '../../../charts/number-format.js';
import type { ExperimentJob } from '../../../core/types.js';
import { controlStyles } from '../../shared/controls.styles.js';
import { figureStyles } from '../../shared/figure.styles.js';
import { base, tokens } from '../../shared/tokens.styles.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import { experimentStrings } from '../experiment.strings.js';
import { experimentStyles } from '../experiment.styles.js';
import { specInWords } from '../plan-words.js';
import { pointChooser } from '../point-chooser.js';
import { rolesOf } from '../roles.js';
import { claimAnchor, claimsPart } from './claims-part.js';
import { measuredAt, type Measured } from './measured.js';
import { metricsPart } from './metrics-part.js';
import { filesPart, modelsPart, problemsPart, provenancePart } from './models-part.js';
import type { Shown } from './report-parts.js';
import { reportStrings } from './report.strings.js';
import { reportStyles } from './report.styles.js';
import { pointsOf, type Report } from './report-data.js';

const widest = 720;

/**
 * The page that `experiment collect` writes: the records of an experiment, drawn. It computes means and intervals, and
 * fetches nothing.
 */
export class ExperimentReport extends LitElement {
  static override styles: CSSResultGroup = [tokens, base, controlStyles, figureStyles, experimentStyles, reportStyles];

  @property({ attribute: false }) report: Report | null = null;
  /** The index of the shown grid point, among those of the runs. */
  @state() private point = 0;
  /** For the last report and point: a page of many runs is arranged only once. */
  #measured: { readonly of: Report; readonly point: string; readonly all: readonly Measured[] } | null = null;

  private readonly claimWidth = new WidthWatcher(this, '.claim-part .point', 600);
  private readonly metricWidth = new WidthWatcher(this, '.metric .claim', 480);

  constructor() {
    super();
    // Links to fragments do not reach inside a shadow root.
    this.addEventListener('click', (event) => {
      const [target] = event.composedPath();
      if (!(target instanceof HTMLAnchorElement) || target.getAttribute('href')?.startsWith('#') !== true) return;
      event.preventDefault();
      this.renderRoot.querySelector(target.hash)?.scrollIntoView();
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { report } = this;
    if (report === null) return nothing;
    const roles = rolesOf(armsOf(report));
    const shown = (width: number): Shown => ({
      ...{ report, texts: experimentStrings, words: reportStrings, roles },
      width: Math.min(widest, width),
    });
    const wide = shown(this.claimWidth.width);
    const points = pointsOf(report);
    const point = points[this.point] ?? '{}';
    if (this.#measured?.of !== report || this.#measured.point !== point) {
      this.#measured = { of: report, point, all: measuredAt(report, point, roles) };
    }
    return html`
      ${this.head(wide)} ${claimsPart(wide)}
      ${metricsPart(
        shown(this.metricWidth.width),
        this.#measured.all,
        points.length < 2
          ? null
          : pointChooser({
              label: experimentStrings.point,
              points: points.map((one) => JSON.parse(one) as Record<string, unknown>),
              chosen: this.point,
              onChoose: (at) => {
                this.point = at;
              },
            }),
      )}
      ${problemsPart(wide)} ${modelsPart(wide)} ${provenancePart(wide)} ${filesPart(wide)}
    `;
  }

  private head({ report, texts, words }: Shown): TemplateResult {
    const { spec, runs, claims } = report;
    const failed = runs.filter(({ status }) => status === 'failed').length;
    const steps = [...new Set(runs.map((run) => formatWhole(run.steps)))];
    const points = pointsOf(report).length;
    return html`
      <header>
        <p class="kicker">${words.kicker}</p>
        <h1>${spec.name}</h1>
        <p class="lead">${specInWords(texts, spec, { models: runs.length, points, steps }).join(' ')}</p>
        ${
          failed === 0
            ? nothing
            : html`<p class="problem">${words.failedRuns(formatWhole(failed), formatWhole(runs.length))}</p>`
        }
        ${
          claims.length === 0
            ? nothing
            : html`<ul class="verdicts">
                ${claims.map(
                  ({ id, verdict }) =>
                    html`<li>
                      <span class="verdict is-${verdict}">${words.verdicts[verdict]}</span>
                      <a href="#${claimAnchor(id)}">${spec.claims?.find((claim) => claim.id === id)?.words ?? id}</a>
                    </li>`,
                )}
              </ul>`
        }
      </header>
    `;
  }
}

/** How each arm's tables are tied, according to the runs: a word, or a schedule as JSON. */
const armsOf = ({ runs }: Report): Pick<ExperimentJob, 'arm' | 'model'>[] =>
  [...new Map(runs.map(({ arm, tying }) => [arm, tying]))].map(([arm, tying]) => ({
    arm,
    model: {
      tying: (tying.startsWith('{') ? JSON.parse(tying) : tying) as NonNullable<ExperimentJob['model']['tying']>,
    },
  }));
