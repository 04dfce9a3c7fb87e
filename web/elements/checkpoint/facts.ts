import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { Checkpoint, CheckpointTensor } from '../../core/checkpoint/types.js';
import { rolesInWords } from '../../core/checkpoint/tying/roles-in-words.js';
import { button } from '../shared/controls.js';
import { dataTable, type TableCell } from '../shared/figure.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import { nameOfUrl, type OpenedModel } from './opening.js';
import { bytesInWords, reasonOf } from './refusal.js';
import { mostParameters } from './running-model.js';
import { shapeInWords } from './table-choice.js';
import { visibleToken } from './visible-token.js';

/** Whether the tables are one, the evidence for it, and what that saves, in words. */
export function tyingInWords({ checkpoint }: OpenedModel, texts: CheckpointStrings): { claim: string; rest: string } {
  const { tied, evidence, reason } = checkpoint.tying;
  const { input, output } = checkpoint.tables;
  if (evidence === 'unknown') return { claim: texts.tyingUnknown, rest: reason };
  if (evidence === 'not-a-language-model') return { claim: texts.noVerdict, rest: reason };
  const claim = tied === true ? texts.isTied : texts.isUntied;
  const names = evidence === 'same-storage' ? namesOfTable(checkpoint) : (input?.name ?? '');
  const words = texts.evidence[evidence](names, output?.name ?? '');
  const parts = [words, distanceInWords(checkpoint, texts), savingInWords(checkpoint, texts)];
  return { claim, rest: parts.filter((part) => part !== '').join(' ') };
}

/** All names of the storage of a table: in files of PyTorch, a table may have several. */
function namesOfTable({ tables: { input, output }, tensors }: Checkpoint): string {
  const [first, second] = [input?.name ?? '', output?.name ?? ''];
  const stored = tensors.find(({ name }) => name === first)?.sharedWith ?? first;
  const names = tensors.filter(({ name, sharedWith }) => name === stored || sharedWith === stored);
  return [...new Set([first, second, ...names.map(({ name }) => name)].filter(Boolean))].join(', ');
}

/** How far apart two tables that differ are. */
function distanceInWords({ tying: { distance } }: Checkpoint, texts: CheckpointStrings): string {
  if (distance === null) return '';
  const { meanCosine, chance, equalRows, rows } = distance;
  const byChance = chance === null ? null : formatNumber(chance);
  return texts.distance(formatNumber(meanCosine), byChance, formatNumber(100 * equalRows), formatWhole(rows));
}

/** What one table for both roles saves in this file, or would save. */
function savingInWords({ tables: { input, output }, tying }: Checkpoint, texts: CheckpointStrings): string {
  if (input === null || output === null) return '';
  if (input.name === output.name) return texts.savesHere(bytesInWords(input.bytes));
  const saved = bytesInWords(Math.min(input.bytes, output.bytes));
  return tying.tied === true ? texts.storedTwice(saved) : texts.wouldSave(saved);
}

const bytesOf = (tensors: readonly CheckpointTensor[]): number =>
  tensors.reduce((sum, { bytes, sharedWith }) => sum + (sharedWith === undefined ? bytes : 0), 0);

/** Bytes of the tables, and of all other tensors in the opened files. */
export function bytesByRole({ tables: { input, output }, tensors }: Checkpoint): {
  input: number;
  output: number;
  rest: number;
} {
  const first = (input ?? output)?.bytes ?? 0;
  const second = input !== null && output !== null && input.name !== output.name ? output.bytes : 0;
  return { input: first, output: second, rest: bytesOf(tensors) - first - second };
}

/** The tables: tensor name, shape, and how each is stored. */
export function tablesTable(checkpoint: Checkpoint, texts: CheckpointStrings): TemplateResult {
  const {
    tables: { input, output },
    format,
  } = checkpoint;
  const isOne = input !== null && input.name === output?.name;
  const row = (role: string, look: string, tensor: CheckpointTensor): TableCell[] => [
    { content: role, look },
    html`<code>${isOne ? namesOfTable(checkpoint) : tensor.name}</code>`,
    shapeInWords(tensor.shape),
    tensor.dtype,
    bytesInWords(tensor.bytes),
  ];
  const rows = isOne
    ? [row(texts.bothRoles, 'is-tied', input)]
    : [
        ...(input === null ? [] : [row(texts.inputRole, 'is-input', input)]),
        ...(output === null ? [] : [row(texts.outputRole, 'is-output', output)]),
      ];
  return html`<div class="facts">
    ${dataTable({
      caption: texts.tablesCaption(texts.formats[format]),
      head: [texts.role, texts.tensor, texts.shape, texts.stored, texts.size],
      rows,
    })}
  </div>`;
}

export const quoted = (name: string): string => `“${name}”`;

/** Where the files contradict each other, and how tensors that do not fit were treated. */
export function notesOf(
  { tying: { conflict, roles }, notes, leftOut: { output } }: Checkpoint,
  texts: CheckpointStrings,
): TemplateResult | typeof nothing {
  if (conflict === null && roles === null && notes.length === 0 && output.length === 0) return nothing;
  return html`<ul class="notes">
    ${conflict === null ? nothing : html`<li class="conflict"><strong>${texts.conflict}</strong> ${conflict}.</li>`}
    ${roles === null ? nothing : html`<li>${rolesInWords(roles)}</li>`}
    ${output.length === 0 ? nothing : html`<li>${texts.outputAdds(output.map(quoted).join(', '))}</li>`}
    ${notes.map((note) => html`<li>${note}</li>`)}
  </ul>`;
}

/** How many tokens are shown, spread over the whole vocabulary. */
const shownTokens = 24;

/** Some of the token strings, as the file spells them. */
export function tokenSample({ tokens }: Checkpoint, texts: CheckpointStrings): TemplateResult {
  if (tokens === null) return html`<p class="aside">${texts.noTokens}</p>`;
  const ids = Array.from({ length: Math.min(shownTokens, tokens.length) }, (_, at) =>
    Math.floor(((at + 0.5) * tokens.length) / Math.min(shownTokens, tokens.length)),
  );
  return html`<p class="aside token-sample">
    ${texts.someTokens(formatWhole(tokens.length))}
    ${ids.map((id) => html`<code title=${texts.tokenId(formatWhole(id))}>${visibleToken(tokens[id]!)}</code> `)}
  </p>`;
}

/** How many tensors are listed. */
const listedTensors = 400;

export function tensorsTable({ tensors }: Checkpoint, texts: CheckpointStrings): TemplateResult {
  const caption =
    tensors.length > listedTensors
      ? texts.firstTensors(formatWhole(listedTensors), formatWhole(tensors.length))
      : texts.allTensors(formatWhole(tensors.length));
  return dataTable({
    caption,
    head: [texts.tensor, texts.shape, texts.stored, texts.bytesColumn],
    rows: tensors
      .slice(0, listedTensors)
      .map(({ name, shape, dtype, bytes }) => [name, shapeInWords(shape), dtype, formatWhole(bytes)]),
  });
}

export const shareInWords = (part: number, whole: number): string => formatNumber((part / Math.max(whole, 1)) * 100);

/** Why the model does not generate text, if it does not; or a button that runs it, if it might. */
export function whyNotInWords(
  { whyNot, wanted }: Pick<OpenedModel, 'whyNot' | 'wanted'>,
  texts: CheckpointStrings,
  { disabled, onRun }: { readonly disabled: boolean; readonly onRun: () => void },
): TemplateResult | typeof nothing {
  if (whyNot === null) return nothing;
  if (whyNot.why === 'not-asked') {
    const { place } = wanted;
    const isPart = place.kind === 'url' && /(-\d+-of-\d+\.\w+|\.index\.json)$/.test(nameOfUrl(place.url));
    const sentence = (isPart ? texts.notAskedParts : texts.notAsked)(bytesInWords(whyNot.bytes));
    return html`<p class="aside why-not">${sentence}</p>
      <p>${button({ label: texts.runHere, icon: 'play', disabled, onPress: onRun })}</p>`;
  }
  const reason =
    whyNot.why === 'refused'
      ? reasonOf(whyNot.reason, wanted)
      : texts.tooLargeToRun(formatWhole(whyNot.parameters), formatWhole(mostParameters));
  return html`<p class="aside why-not">${texts.doesNotRun(reason)}</p>`;
}
