import { html, nothing, type TemplateResult } from 'lit';
import { checkbox } from '../shared/controls.js';
import { controlsOf } from '../shared/settings/setting-control.js';
import { contextSettings, type AdvisorContext } from './advisor.settings.js';
import type { AdvisorStrings } from './advisor.strings.js';

/** Controls for what is known besides the sizes. `budget` is the initial value when a limit is switched on. */
export function contextControls(options: {
  context: AdvisorContext;
  canTie: boolean;
  budget: number;
  texts: AdvisorStrings;
  onChange: (change: Partial<AdvisorContext>) => void;
}): TemplateResult {
  const { context, canTie, budget, texts, onChange } = options;
  const control = controlsOf(contextSettings, { texts, values: context, change: onChange });
  const starts = canTie ? {} : { disabled: ['tied'], ...(context.startsFrom === 'tied' && { value: 'scratch' }) };
  return html`
    <div class="context">
      ${control('startsFrom', starts)} ${control('precision')} ${control('optimizer')}
      <div class="optional">
        ${checkbox({
          label: texts.hasBudget,
          checked: context.parameterBudget !== null,
          onChange: (limited) => {
            onChange({ parameterBudget: limited ? budget : null });
          },
        })}
        ${context.parameterBudget === null ? nothing : control('parameterBudget')}
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
        ${context.lossDifference === null || !canTie ? nothing : control('lossDifference')}
      </div>
      ${canTie ? nothing : html`<p class="hint">${texts.noTiedModel}</p>`}
    </div>
  `;
}
