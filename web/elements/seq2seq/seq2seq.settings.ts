import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, custom, integer, number, seed, segments, type Values } from '../shared/settings/setting.js';
import { metrics, tyings, type Tying } from './history.js';

/** Tasks for which the core writes pairs, and the reader's own pairs. */
export const tasks = ['reversal', 'sorting', 'transliteration', 'numbers', 'plurals', 'past-tense', 'own'] as const;
export type Task = (typeof tasks)[number];

/** Steps after which a model has learned most of a task. */
export const stepsOf: Readonly<Record<Task, number>> = {
  reversal: 150,
  sorting: 300,
  transliteration: 250,
  numbers: 1000,
  plurals: 250,
  'past-tense': 250,
  own: 500,
};

export const hasLength = ({ pairTask }: Values): boolean => pairTask === 'reversal' || pairTask === 'sorting';
/** If all are chosen, returns the default itself, so links do not name it. */
export function inOrder(chosen: readonly Tying[]): readonly Tying[] {
  const found = tyings.filter((tying) => chosen.includes(tying));
  return found.length === tyings.length ? tyings : found;
}

const isTying = (word: unknown): word is Tying => (tyings as readonly unknown[]).includes(word);

export const seq2seqSettings = {
  pairTask: choice(tasks, { attribute: 'task', link: 'always', label: 'task', control: { names: 'tasks' } }),
  /** Letters of the words to reverse or to sort. */
  length: number(8, { ...integer(2, 16), applies: hasLength, label: 'length', control: { atEnd: true } }),
  /** Which models are trained side by side. */
  tyings: custom<readonly Tying[]>(tyings, {
    read: (text) => {
      const words = text.split(/[\s,]+/).filter((word) => word !== '');
      return words.length > 0 && words.every(isTying) ? inOrder(words) : null;
    },
    write: (chosen) => chosen.join(' '),
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isTying),
    expected: 'expectedTyings',
  }),
  /** The step at which training stops. */
  steps: number(stepsOf.reversal, {
    ...integer(20, 10_000),
    label: 'steps',
    control: { slider: 'log', between: [50, 2000], atEnd: true },
  }),
  seed: seed({ label: 'seed' }),
  metric: segments(metrics, 'metric', 'metrics', { control: { hideLabel: true } }),
  /** The model whose pulls, translations and attention are drawn. */
  model: segments(tyings, 'model', 'models', { control: { offered: ({ tyings: some }) => some as readonly Tying[] } }),
  /** The example whose attention is drawn, from 1. */
  example: number(1, { ...integer(1, 4) }),
};

export const seq2seqPanel = [
  group('rest', 'pairTask'),
  'ownPairs',
  group('rest', 'length', 'trained', 'steps', 'seed'),
] satisfies Panel<keyof typeof seq2seqSettings | 'trained' | 'ownPairs'>;
