import { html, type TemplateResult } from 'lit';
import { formatCompact, formatWhole } from '../../charts/number-format.js';
import { plot } from '../../charts/plot.js';
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
  const { input, output, rest } =
    running === null
      ? bytesByRole(checkpoint)
      : {
          input: running.table,
          output: running.secondTable,
          rest: running.total - running.table - running.secondTable,
        };
  const untied = checkpoint.tying.tied === true ? '' : 'untied';
  const [inWords, inFull] = running === null ? [bytesInWords, bytesInWords] : [formatCompact, formatWhole];
  const all = [
    { look: 'bar-table', name: texts.tableBar, value: input },
    { look: 'bar-second', name: texts.secondTableBar, value: output },
    { look: 'bar-rest', name: running === null ? texts.otherBar : texts.restBar, value: rest },
  ];
  const { drawing } = plot({
    rows: all.filter(({ value }, at) => at === 0 || value > 0),
    width,
    margin: { left: 1, right: 1, top: 0 },
    x: { domain: [0, input + output + rest], ticks: [] },
    y: { each: 52, above: 20, look: '', name: ({ name }) => name, end: ({ value }) => inWords(value) },
    marks: ({ stack }) => [stack({ parts: ({ look, value }) => [{ look: `${look} ${untied}`, value }] })],
    describe: ({ name, value }) => `${name} ${inFull(value)}`,
    between: ', ',
    label: texts.barLabel,
  });
  return html`<div class="bar-picture">${drawing}</div>`;
}
