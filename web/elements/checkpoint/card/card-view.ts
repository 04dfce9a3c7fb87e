import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../../charts/number-format.js';
import { button } from '../../shared/controls.js';
import type { Content } from '../../shared/figure.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';
import { bytesByRole } from '../facts.js';
import type { OpenedModel } from '../opening.js';
import { bytesInWords } from '../refusal.js';
import type { CardMaker } from './card-maker.js';

export interface CardView {
  readonly texts: CheckpointStrings;
  readonly opened: OpenedModel;
  readonly maker: CardMaker;
  readonly width: number;
  /** The field for a text. */
  readonly textField: Content;
  readonly onMeasure: () => void;
  readonly onCopy: (markdown: string) => void;
  readonly onSave: (content: string, extension: 'md' | 'json', type: string) => void;
}

/** The card's part of the figure: the button that starts it, its progress, and what it says. */
export function cardView(view: CardView): TemplateResult {
  const { texts, maker } = view;
  const { card } = maker;
  return html`<section class="card" aria-label=${texts.card}>
    <p class="section-title">${texts.card}</p>
    ${view.textField}
    <div class="row card-actions">${actions(view)}</div>
    ${maker.task.stopped ? html`<p class="aside">${texts.cardCancelled}</p>` : nothing}
    ${card === null ? nothing : card.views.cardOf(card, view)}
  </section>`;
}

function actions({ texts, opened, maker, onMeasure, onCopy, onSave }: CardView): Content {
  const { card, task } = maker;
  if (task.pending) {
    const share = task.fraction ?? 0;
    const percent = formatNumber(100 * share, { decimals: 0 });
    return html`<span class="progress">${share < 1 ? texts.reading(percent) : texts.puttingTogether}</span>
      <progress max="1" .value=${share} aria-label=${texts.card}></progress>
      ${button({ label: texts.cancel, onPress: () => task.stop() })}`;
  }
  const { input, output } = bytesByRole(opened.checkpoint);
  const label = card === null ? texts.measure(bytesInWords(input + output)) : texts.measureAgain;
  const measure = button({ label, ...(card === null ? { kind: 'primary' as const } : {}), onPress: onMeasure });
  if (card === null) return measure;
  const { markdown, data } = card;
  return [
    button({ label: texts.copyMarkdown, onPress: () => onCopy(markdown) }),
    button({
      label: texts.saveMarkdown,
      onPress: () => onSave(`${markdown}\n`, 'md', 'text/markdown'),
    }),
    button({
      label: texts.saveJson,
      onPress: () => onSave(`${JSON.stringify(data, null, 2)}\n`, 'json', 'application/json'),
    }),
    measure,
  ];
}
