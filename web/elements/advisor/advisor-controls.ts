import { html, nothing, type TemplateResult } from 'lit';
import { checkbox, select } from '../shared/controls.js';
import type { NumberEvent } from '../shared/number-field.js';
import { choices, mostDifference, type AdvisorContext } from './advisor-context.js';
import type { AdvisorStrings } from './advisor.strings.js';

const labelled = <Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) =>
  values.map((value) => ({ value, label: labels[value] }));

/** What is known beside the sizes. `budget` is offered where a limit is set for the first time. */
export function contextControls(options: {
  context: AdvisorContext;
  canTie: boolean;
  budget: number;
  texts: AdvisorStrings;
  onChange: (change: Partial<AdvisorContext>) => void;
}): TemplateResult {
  const { context, canTie, budget, texts, onChange } = options;
  const starts = labelled(choices.startsFrom, texts.starts).map((choice) => ({
    ...choice,
    disabled: !canTie && choice.value === 'tied',
  }));
  return html`
    <div class="context">
      ${select({
        label: texts.startsFrom,
        value: !canTie && context.startsFrom === 'tied' ? 'scratch' : context.startsFrom,
        choices: starts,
        onChoose: (startsFrom) => {
          onChange({ startsFrom });
        },
      })}
      ${select({
        label: texts.precision,
        value: context.precision,
        choices: labelled(choices.precision, texts.precisions),
        onChoose: (precision) => {
          onChange({ precision });
        },
      })}
      ${select({
        label: texts.optimizer,
        value: context.optimizer,
        choices: labelled(choices.optimizer, texts.optimizers),
        onChoose: (optimizer) => {
          onChange({ optimizer });
        },
      })}
      <div class="optional">
        ${checkbox({
          label: texts.hasBudget,
          checked: context.parameterBudget !== null,
          onChange: (limited) => {
            onChange({ parameterBudget: limited ? budget : null });
          },
        })}
        ${
          context.parameterBudget === null
            ? nothing
            : html`<tied-number-field
                id="parameter-budget"
                slider="log"
                whole
                .label=${texts.budget}
                .value=${context.parameterBudget}
                .min=${1}
                .max=${Number.MAX_SAFE_INTEGER}
                .sliderMin=${100_000}
                .sliderMax=${100_000_000_000}
                @tied-number=${(event: NumberEvent) => {
                  onChange({ parameterBudget: event.detail.value });
                }}
              ></tied-number-field>`
        }
      </div>
      <div class="optional">
        ${checkbox({
          label: texts.hasLoss,
          checked: canTie && context.lossDifference !== null,
          disabled: !canTie,
          onChange: (measured) => {
            onChange({ lossDifference: measured ? 0 : null });
          },
        })}
        ${
          context.lossDifference === null || !canTie
            ? nothing
            : html`<tied-number-field
                id="loss-difference"
                slider="linear"
                .label=${texts.lossDifference}
                .value=${context.lossDifference}
                .min=${-mostDifference}
                .max=${mostDifference}
                .step=${0.005}
                .decimals=${3}
                .sliderMin=${-0.2}
                .sliderMax=${0.2}
                @tied-number=${(event: NumberEvent) => {
                  onChange({ lossDifference: event.detail.value });
                }}
              ></tied-number-field>`
        }
      </div>
      ${canTie ? nothing : html`<p class="hint">${texts.noTiedModel}</p>`}
    </div>
  `;
}
