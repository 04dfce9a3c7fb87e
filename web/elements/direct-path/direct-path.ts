import { html, type CSSResultGroup, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { DirectPathReport } from '../../core/types.js';
import { dataTable, titled } from '../shared/figure.js';
import { twinKinds, perModel, type TwinKind, type PerModel } from '../shared/model-twins.js';
import { SeededTwinElement, type Drawn } from '../shared/seeded-twin-element.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { directPathPanel, directPathSettings } from './direct-path.settings.js';
import { directPathStrings, type DirectPathStrings } from './direct-path.strings.js';
import { directPathStyles } from './direct-path.styles.js';
import { bigramsOf, measureModel, pathNames, shownSteps, valueOf, type MeasureName, type PathName } from './measure.js';
import { chanceOf, pathPlot, written, type View } from './path-plot.js';

/** Detail of this element's `tied-change`. */
export interface DirectPathChange {
  /** Null for models that were trained elsewhere. */
  readonly step: number | null;
  readonly measure: MeasureName;
  /** The measure at that step, by path; null if it does not exist. */
  readonly values: PerModel<Readonly<Record<PathName, number | null>>>;
}

/**
 * `<tied-direct-path>`: trains a tied and an untied small GPT and compares their direct paths with the bigrams: the
 * tables alone, with the final norm, with the first MLP, and the whole model. `<tied-direct-path
 * weights="models.safetensors">` reads the direct paths of trained models. Attributes: `measure` (`correlation`,
 * `loss`, `self-prediction`, ...), `chance` (`shown`, `hidden`), `weights` (the URL of the trained models),
 * `trains-first` (train, until the reader chooses the trained models), `seed`, `moment` (when training). Property:
 * `finished`, earlier measurements.
 *
 * @fires {CustomEvent<DirectPathChange>} tied-change - The reader has measured, or has chosen another step or measure.
 */
export class DirectPath extends withSettings(
  SeededTwinElement<DirectPathStrings, DirectPathReport>,
  directPathSettings,
) {
  static override styles: CSSResultGroup = [SeededTwinElement.styles, directPathStyles];

  protected readonly ownStrings = directPathStrings;
  protected readonly controls = directPathPanel;
  protected readonly steps = shownSteps;
  protected readonly measureModel = measureModel;

  protected firstOf(): number {
    return shownSteps.length - 1;
  }

  protected changeAt({ measured, steps, at }: Drawn<DirectPathReport>): DirectPathChange {
    const { measure } = this;
    const of = (kind: TwinKind): Record<PathName, number | null> => {
      const values = pathNames.map((path) => [path, valueOf(measured.reports[kind][at]!, path, measure)] as const);
      return Object.fromEntries(values) as Record<PathName, number | null>;
    };
    return { step: steps?.[at] ?? null, measure, values: perModel(of) };
  }

  private viewOf(drawn: Drawn<DirectPathReport>): View {
    const { texts, measure } = this;
    return { ...drawn, texts, measure, chance: this.chance === 'shown', width: this.width.width };
  }

  protected captionOf(drawn: Drawn<DirectPathReport> | null): string {
    const { texts, measure } = this;
    return texts.caption(drawn?.steps === null ? '' : texts.chooseStep, texts.explanations[measure]);
  }

  /** The values of a path in both models at the chosen step. */
  private both({ measured, measure, at }: View, path: PathName): [string, string] | null {
    const values = twinKinds.map((kind) => valueOf(measured.reports[kind][at]!, path, measure));
    if (values.some((value) => value === null)) return null;
    return values.map((value) => written(value!, measure)) as [string, string];
  }

  protected wordsOf(drawn: Drawn<DirectPathReport>): { claim: string; rest: string } {
    const view = this.viewOf(drawn);
    const { texts, measured, steps, measure, at } = view;
    const whole = this.both(view, 'model');
    const bigrams = bigramsOf(measured.reports.tied[at]!, measure);
    const when = steps === null ? texts.inTheseModels : texts.atStep(formatWhole(steps[at]!));
    return {
      claim: texts.claim[measure](when, ...this.both(view, 'embeddings')!),
      rest: [
        texts.rest(...this.both(view, 'mlp0')!),
        ...(whole === null ? [] : [texts.whole(...whole)]),
        ...(bigrams === null ? [] : [texts.bigrams(written(bigrams, measure))]),
      ].join(' '),
    };
  }

  protected renderBench(drawn: Drawn<DirectPathReport>): TemplateResult {
    const view = this.viewOf(drawn);
    const { texts, measure } = view;
    const paths = pathPlot(view);
    const drawing = this.stepSlider(drawn, {
      words: (step) => texts.stepText(step, ...this.both(view, 'mlp0')!),
      stepAt: paths.rowAt,
      drawing: paths.drawing,
    });
    return html`${titled(texts.measures[measure], { key: paths.key, drawing })} ${this.statusLine()}`;
  }

  protected renderData(drawn: Drawn<DirectPathReport>): TemplateResult {
    const view = this.viewOf(drawn);
    const { texts, measured, measure, steps } = view;
    const { table } = pathPlot(view);
    if (steps !== null) return dataTable(table);
    const bigrams = bigramsOf(measured.reports.tied[0]!, measure);
    const row = (name: string, value: number): string[] => [name, written(value, measure), written(value, measure)];
    return dataTable({
      ...table,
      rows: [
        ...table.rows,
        ...(bigrams === null ? [] : [row(texts.dataBigrams, bigrams)]),
        ...(view.chance ? [row(texts.dataChance, chanceOf(view))] : []),
      ],
    });
  }
}
