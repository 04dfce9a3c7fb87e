import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../charts/number-format.js';
import { titled } from '../../shared/figure.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';
import type { Card } from './card.js';
import { chartsOf, chartView, pairsPlot } from './charts.js';
import { levelsOf, pathInWords, storageInWords } from './levels.js';
import { neighborsTable, shortLists } from './lists.js';
import { profile } from './profile.js';

/** What a card says, in words and drawings. */
export function cardOf(
  card: Card,
  { texts, width }: { readonly texts: CheckpointStrings; readonly width: number },
): TemplateResult {
  const { data } = card;
  const [norms, spectrum] = chartsOf(data, texts);
  const tied = data.tying.tied === true;
  const [levels, pairs] = [profile(levelsOf(data, texts), texts, width), pairsPlot(data, texts, width)];
  return html`
    <p class="card-words">${cardInWords(card, texts)}</p>
    ${data.notes.map((note) => html`<p class="aside">${note}</p>`)}
    <div class="drawings ${tied ? 'tied' : ''}">
      <div class="profile">${titled(texts.profileTitle, levels)}</div>
      ${
        data.oneWay.length === 0
          ? nothing
          : html`<div>
              ${titled(texts.pairsTitle, pairs)}
              <p class="aside">${texts.pairsNote(String(data.sample.tokens))}</p>
            </div>`
      }
      ${norms === undefined ? nothing : chartView(norms)} ${spectrum === undefined ? nothing : chartView(spectrum)}
    </div>
    ${shortLists(data, texts)} ${neighborsTable(data, card.named, texts)}
    <p class="aside">${texts.sampleNote(formatWhole(data.sample.tokens))}</p>
  `;
}

/** What the card says, in words only. */
export function cardInWords({ data, split, unknownWords }: Card, texts: CheckpointStrings): string {
  const { text } = data;
  const number = (value: number): string => formatNumber(value, { decimals: 2 });
  const ofText =
    text === null
      ? split === null || data.asymmetry === null
        ? []
        : [texts.textEmpty]
      : [
          texts.textSentence(texts.tokenPairs(formatWhole(text.pairs)), number(text.loss), number(text.uniform)),
          ...(text.withNorm === null ? [] : [texts.textNorm(number(text.withNorm))]),
          ...(split === 'longest-match' ? [texts.textSplit] : []),
          ...(unknownWords === 0 ? [] : [texts.textUnknown(formatWhole(unknownWords))]),
          ...(text.unread === null || text.unread === 0 ? [] : [texts.textUnread(formatWhole(text.unread))]),
          ...(text.leftOut === 0 ? [] : [texts.textLeftOut(formatWhole(text.leftOut))]),
        ];
  return [pathInWords(data, texts), storageInWords(data, texts), ...ofText].join(' ');
}
