import { formatWhole } from '../../../charts/index.js';
import type { Code } from '../../shared/figure.js';
import { wholePercent } from '../../shared/in-words.js';
import { saveFile } from '../../shared/save-file.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import type { Cards } from '../transformer/model-cards.js';

/** Enough to see a part of a card at once. */
const rows = 14;

/** A model's name at the start of a line. */
const headed = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** As Markdown, one card after another. */
const asText = ({ armNames }: TrainingLabStrings, { models }: Cards): string =>
  models.map(({ kind, markdown }) => `## ${headed(armNames[kind])}\n\n${markdown}`).join('\n\n');
const asJson = ({ models }: Cards): string =>
  JSON.stringify(Object.fromEntries(models.map(({ kind, data }) => [kind, data])), null, 2);

export interface CardState {
  readonly texts: TrainingLabStrings;
  /** The cards of these models; null before they are measured. */
  readonly cards: Cards | null;
  /** The fraction that has been measured; null at rest. */
  readonly progress: number | null;
  /** Why there are no cards, in words; null if there can be. */
  readonly reason: string | null;
  readonly measure: () => void;
}

/** Model cards to copy and save, measured whenever the panel is opened. */
export function cardPanel({ texts, cards, progress, reason, measure }: CardState): Code & {
  readonly label: string;
  readonly onOpen: () => void;
} {
  const panel = {
    label: texts.modelCards,
    onOpen: () => {
      if (reason === null) measure();
    },
    rows,
  };
  if (progress !== null) {
    return { ...panel, text: '', hint: texts.cardsMeasuring(wholePercent(progress)) };
  }
  if (cards === null) return { ...panel, text: '', hint: reason ?? texts.cardsClosed };
  const onPress = (): void => saveFile(asJson(cards), 'model-cards.json', 'application/json');
  return {
    ...panel,
    text: asText(texts, cards),
    hint: texts.cardsHint(formatWhole(cards.step)),
    more: { label: texts.saveCards, onPress },
  };
}
