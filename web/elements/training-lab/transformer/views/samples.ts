import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../../charts/index.js';
import { button } from '../../../shared/controls.js';
import { ModelsFileError } from '../../../shared/models-file-error.js';
import { promptChips, promptProblem, struckPrompt } from '../../../shared/prompt-chips.js';
import { mostSeed } from '../../../shared/settings/setting.js';
import { leftOutText, UnknownWordsError, unknownWordsText } from '../../../shared/unknown-words.js';
import { failureText } from '../../failures.js';
import type { ModeLab } from '../../mode-lab.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import { armClass } from '../../views/arm-style.js';
import type { FinishedTransformerRun } from '../finished-run.js';
import { FinishedWriter, isWrittenFrom } from '../finished-writer.js';
import { numbersOf } from '../drawn-values.js';
import type { TransformerRun } from '../run.js';
import { type LiveSample, newestSample, PromptError, type Prompting, type Sample } from '../samples.js';
import type { Shown } from './charts.js';

/** A sample to draw, or why there is none. */
interface DrawnSample {
  /** Complete or in progress; null before the first. */
  readonly sample: LiveSample | null;
  /** Whether it is being generated. */
  readonly live: boolean;
  /** Where the sample comes from, or the progress of the models that will write it. */
  readonly note: TemplateResult | string;
  readonly problem: string | null;
  /** Whether there are models that can generate. */
  readonly canWrite: boolean;
  /** The placeholder for a missing sample. */
  readonly unwritten: string;
}

/** A sentence that says why a prompt cannot be used. */
function problemSentence(texts: TrainingLabStrings, problem: unknown): string | null {
  if (problem === null) return null;
  if (problem instanceof PromptError) return texts.promptProblem(problem.prompt);
  if (problem instanceof UnknownWordsError) return unknownWordsText(texts, problem);
  return texts.promptFailed(problem instanceof Error ? problem.message : String(problem));
}

const megabytes = (bytes: number): string => formatNumber(bytes / 1e6, { decimals: 1 });

/** What the models write from the reader's prompt: the models that train here, or those of a finished run. */
export class SamplesView {
  readonly #lab: ModeLab;
  readonly #run: TransformerRun;
  readonly #writer: FinishedWriter;

  constructor(lab: ModeLab, run: TransformerRun) {
    this.#lab = lab;
    this.#run = run;
    const onChange = (): void => lab.redraw();
    this.#writer = new FinishedWriter({ host: lab, labs: lab.labSource, names: () => lab.texts, onChange });
  }

  get #seed(): number {
    return this.#lab.sampleSeed ?? this.#lab.seed;
  }

  /** The reader trains models, so the models of the finished run are no longer needed. */
  close(): void {
    this.#writer.close();
  }

  /** Lets the finished models generate what the run did not record. */
  follow(run: FinishedTransformerRun): void {
    const [last, wanted] = [run.samples.at(-1), this.#wanted(run)];
    if (last === undefined || !isWrittenFrom(last, wanted)) this.#writer.follow(run, wanted);
  }

  /** The samples of a finished run; the last one is the reader's, if its models have generated it. */
  written(run: FinishedTransformerRun): readonly Sample[] {
    const { sample } = this.#writer;
    if (sample === null || !isWrittenFrom(sample, this.#wanted(run))) return run.samples;
    return [...run.samples.filter(({ step }) => step !== sample.step), sample];
  }

  /** The sample that the reader wants while a finished run is drawn. */
  #wanted({ samples }: FinishedTransformerRun): Prompting {
    const { prompt, temperature } = this.#lab;
    return { prompt: prompt ?? samples.at(-1)?.prompt ?? '', temperature, seed: this.#seed };
  }

  /** Each model with its facts, and its sample; all samples have the same prompt and seed. */
  render(shown: Shown): TemplateResult {
    const { texts, arms, viewedStep, samples, finished } = shown;
    const kept = newestSample(samples, viewedStep);
    const drawn = finished === null || kept === null ? this.#own(shown, kept) : this.#finished(shown, finished, kept);
    const { sample, live, unwritten } = drawn;
    const asked = this.#lab.prompt !== null || drawn.problem !== null;
    const kind = sample === null ? 'is-empty' : live ? 'is-live' : '';
    return html`
      <div class="samples">
        <div class=${asked ? 'asked' : 'asked rest'}>
          ${this.#controls(texts, drawn, this.#lab.prompt ?? this.#run.text?.prompt ?? kept?.prompt ?? '')}
        </div>
        <div class="sample-columns">
          ${arms.map((arm, index) => {
            // One template expression, because the paragraph shows all white space in it.
            const words =
              sample === null
                ? unwritten
                : html`<b>${struckPrompt(sample.prompt, sample.leftOut)}</b>${sample.texts[index] ?? ''}`;
            return html`
              <section class="sample" aria-label=${texts.arms[arm.kind]}>
                <div class="sample-head">
                  <span class="sample-name ${armClass[arm.kind]}">${texts.arms[arm.kind]}</span>
                  <dl class="arm-numbers rest">
                    ${numbersOf(texts, arm, viewedStep).map(
                      ({ name, value }) => html`
                        <div>
                          <dt>${name}</dt>
                          <dd>${value}</dd>
                        </div>
                      `,
                    )}
                  </dl>
                </div>
                <p class="sample-text ${kind}" tabindex="0">${words}</p>
              </section>
            `;
          })}
        </div>
        <p class=${asked ? 'note' : 'note rest'}>${drawn.note}</p>
      </div>
    `;
  }

  #controls(texts: TrainingLabStrings, { sample, problem, canWrite }: DrawnSample, prompt: string): TemplateResult {
    const lab = this.#lab;
    return html`
      <div class="row sample-controls">
        <span class="panel-name">${texts.samples}</span>
        <label class="field prompt">
          <span class="legend">${texts.prompt}</span>
          <input
            class="text-field"
            type="text"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="prompt-problem"
            .value=${prompt}
            @change=${(event: Event) => lab.changeSettings({ prompt: (event.target as HTMLInputElement).value })}
          />
        </label>
        ${lab.panel(['temperature'])}
        ${button({
          label: texts.writeAgain,
          disabled: !canWrite,
          onPress: () => {
            const next = this.#seed === mostSeed ? 0 : this.#seed + 1;
            // A failed sample is retried unchanged.
            lab.changeSettings({ sampleSeed: sample === null && this.#writer.retry() ? lab.sampleSeed : next });
          },
        })}
      </div>
      ${lab.textSource === 'stories' ? promptChips(texts.examples, (chosen) => lab.changeSettings({ prompt: chosen })) : nothing}
      ${promptProblem(problem, leftOutText(texts, sample?.leftOut))}
    `;
  }

  #own({ texts, viewsNewest, finished }: Shown, kept: Sample | null): DrawnSample {
    const { samples, arms, phase } = this.#run;
    const live = viewsNewest && finished === null ? samples.live : null;
    const sample = live ?? kept;
    const seed = live === null ? kept?.seed : this.#seed;
    return {
      sample,
      live: live !== null,
      note: sample === null ? '' : texts.sampleNote(formatWhole(sample.step), formatWhole(seed ?? 0)),
      problem: problemSentence(texts, this.#run.promptProblem),
      canWrite: arms.length > 0 && phase !== 'preparing',
      unwritten: texts.noSample,
    };
  }

  /** The sample of a finished run, or a placeholder while its models are fetched. */
  #finished({ texts, viewsNewest }: Shown, run: FinishedTransformerRun, kept: Sample): DrawnSample {
    const { live: newest, sample: last, fetched, failure, promptProblem: refused } = this.#writer;
    const { seed } = this.#wanted(run);
    const live = viewsNewest ? newest : null;
    const missing = live === null ? this.#whyUnwritten(texts, run, kept, viewsNewest) : null;
    const failed =
      failure instanceof ModelsFileError ? texts.modelsFailed(failure.reason) : failureText(failure, texts);
    const note =
      missing !== null
        ? ''
        : live !== null || kept === last
          ? texts.finishedSampleNote(formatWhole(run.settings.steps), formatWhole(seed))
          : texts.sampleNote(formatWhole(kept.step), formatWhole(kept.seed));
    return {
      sample: live ?? (missing === null ? kept : null),
      live: live !== null,
      note: fetched === null ? note : this.#fetching(texts, fetched, run.models?.bytes ?? 0),
      problem: missing === null ? null : failure === null ? problemSentence(texts, refused) : failed,
      canWrite: run.models !== undefined,
      unwritten: missing ?? texts.noSample,
    };
  }

  #fetching(texts: ModeLab['texts'], fetched: number, all: number): TemplateResult {
    const onPress = (): void => this.#writer.cancel();
    const cancel = button({ label: texts.cancel, kind: 'quiet', onPress });
    return html`${texts.fetchingModels(megabytes(fetched), megabytes(all))} ${cancel}`;
  }

  /** Null if `kept` is what the reader wants. The text of a finished run is never shown beside another prompt. */
  #whyUnwritten(
    texts: TrainingLabStrings,
    run: FinishedTransformerRun,
    kept: Sample,
    viewsNewest: boolean,
  ): string | null {
    const { cancelled, failure, promptProblem: refused } = this.#writer;
    const wanted = this.#wanted(run);
    // Earlier steps show their recorded samples, whatever the seed of the last sample.
    if (isWrittenFrom(kept, viewsNewest ? wanted : { ...wanted, seed: kept.seed })) return null;
    if (run.models === undefined) return texts.promptLater;
    if (!viewsNewest) return texts.onlyAtEnd(formatWhole(run.settings.steps));
    if (cancelled) return texts.modelsCancelled;
    return failure === null && refused === null ? texts.openingModels : texts.noSample;
  }
}
