import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../../charts/number-format.js';
import { button, fileButton, segmented, textField } from '../../shared/controls.js';
import type { Content } from '../../shared/figure.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';
import type { Wanted } from '../opening.js';
import { nameOf } from '../refusal.js';
import type { Against, Comparer } from './comparer.js';

export interface CompareView {
  readonly texts: CheckpointStrings;
  readonly comparer: Comparer;
  /** The page's other model, if the page has a pair and the other one is not compared yet. */
  readonly pageModel: Wanted | null;
  /** What the reader has typed. */
  readonly urls: string;
  readonly onUrls: (urls: string) => void;
  readonly onAddUrls: () => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onSave: (content: string, extension: 'md' | 'json', type: string) => void;
  readonly onCopy: (markdown: string) => void;
}

/** The comparison of the open model with others. */
export function compareView(view: CompareView): TemplateResult {
  const { texts, comparer } = view;
  const { comparison } = comparer;
  return html`<section class="card compare" aria-label=${texts.compare}>
    <p class="section-title">${texts.compare}</p>
    ${comparer.wanted.length === 0 ? html`<p class="aside">${texts.compareHint}</p>` : list(view)}
    <div class="row card-actions">${actions(view)}</div>
    ${comparer.task.stopped ? html`<p class="aside">${texts.compareCancelled}</p>` : nothing}
    ${comparison === null || comparer.wanted.length === 0 ? nothing : comparison.views.comparisonOf(comparison, texts)}
  </section>`;
}

function list({ texts, comparer }: CompareView): TemplateResult {
  return html`<ul class="row compared" aria-label=${texts.comparedModels}>
    ${comparer.wanted.map((one, at) => {
      const name = nameOf(one, texts);
      return html`<li>
        <span>${name}</span>
        ${button({
          ...{ label: texts.leaveOut(name), icon: 'remove', iconOnly: true, kind: 'quiet' },
          onPress: () => comparer.leaveOut(at),
        })}
      </li>`;
    })}
  </ul>`;
}

const urlForm = ({ texts, urls, onUrls, onAddUrls }: CompareView): TemplateResult =>
  html`<form
    class="row tight url"
    @submit=${(event: Event) => {
      event.preventDefault();
      onAddUrls();
    }}
  >
    ${textField({ label: texts.addUrls, value: urls, placeholder: texts.urlHint, onInput: onUrls })}
    <button type="submit" class="button" ?disabled=${urls.trim() === ''}>${texts.addUrl}</button>
  </form>`;

function actions(view: CompareView): Content {
  const { texts, comparer, pageModel, onFiles, onSave, onCopy } = view;
  const { task, comparison, against } = comparer;
  if (task.pending) {
    const share = task.fraction ?? 0;
    return html`<span class="progress">${texts.comparingRows(formatNumber(100 * share, { decimals: 0 }))}</span>
      <progress max="1" .value=${share} aria-label=${texts.compare}></progress>
      ${button({ label: texts.cancel, onPress: () => comparer.cancel() })}`;
  }
  return [
    comparer.interrupted === null
      ? nothing
      : button({ label: texts.compareGoOn, kind: 'primary', onPress: () => void comparer.goOn() }),
    fileButton({ label: texts.addFiles, multiple: true, onFiles }),
    urlForm(view),
    pageModel === null
      ? nothing
      : button({ label: texts.addPageModel(nameOf(pageModel, texts)), onPress: () => void comparer.add([pageModel]) }),
    comparer.wanted.length < 2
      ? nothing
      : segmented<Against>({
          ...{ legend: texts.against, name: 'against', value: against },
          choices: (['first', 'previous'] as const).map((value) => ({ value, label: texts.againsts[value] ?? value })),
          onChoose: (chosen) => comparer.choose(chosen),
        }),
    ...(comparison === null
      ? []
      : [
          button({ label: texts.copyMarkdown, onPress: () => onCopy(comparison.markdown) }),
          button({
            label: texts.saveComparison,
            onPress: () => onSave(`${JSON.stringify(comparison.data, null, 2)}\n`, 'json', 'application/json'),
          }),
        ]),
  ];
}
