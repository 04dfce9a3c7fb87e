import { html, type TemplateResult } from 'lit';
import { formatCompact, formatWhole } from '../../charts/number-format.js';
import { barsPicture, type NamedBar } from '../shared/bars.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { bytesByRole } from './facts.js';
import type { OpenedModel } from './opening.js';
import { bytesInWords } from './refusal.js';

/** Which part of the model has how many parameters if it runs here, otherwise how many bytes. */
export function modelBars(
  { checkpoint, running }: OpenedModel,
  texts: CheckpointStrings,
  width: number,
): TemplateResult {
  const bytes = bytesByRole(checkpoint);
  const { input, output, rest } =
    running === null
      ? bytes
      : {
          input: running.table,
          output: running.secondTable,
          rest: running.total - running.table - running.secondTable,
        };
  const tied = checkpoint.tying.tied === true;
  const [inWords, inFull] = running === null ? [bytesInWords, bytesInWords] : [formatCompact, formatWhole];
  const bar = (id: string, name: string, value: number): NamedBar => ({
    name,
    number: inWords(value),
    numberLook: '',
    parts: [{ look: `bar-${id} ${tied ? '' : 'untied'}`, value }],
  });
  const bars = [
    bar('table', texts.tableBar, input),
    ...(output === 0 ? [] : [bar('second', texts.secondTableBar, output)]),
    ...(rest === 0 ? [] : [bar('rest', running === null ? texts.otherBar : texts.restBar, rest)]),
  ];
  const label = texts.barLabel(bars.map(({ name, parts }) => `${name} ${inFull(parts[0]?.value ?? 0)}`).join(', '));
  return html`<div class="bar-picture">
    ${barsPicture({ width, max: input + output + rest, axis: false, label, bars })}
  </div>`;
}
