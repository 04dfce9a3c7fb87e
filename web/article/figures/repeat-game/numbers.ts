import type { TemplateResult } from 'lit';
import { dataTable } from '../../../elements/shared/figure.js';
import type { Chain } from './chain.js';
import { percent } from './percent.js';
import { letters } from './road.js';
import { tokenNames } from './tasks.js';

/** The numbers behind the drawings, as tables. */

export const wordTable = ({ next, share }: Chain): TemplateResult =>
  dataTable({
    caption: 'Probability of the next token (columns) after the current one (rows), and share of the text',
    head: ['', ...tokenNames, 'share'],
    rows: tokenNames.map((name, i) => [name, ...next[i]!.map(percent), percent(share[i]!)]),
  });

export const roadTable = ({ next, share }: Chain): TemplateResult =>
  dataTable({
    caption: 'What follows each letter, and its share of the text',
    head: ['', 'the next letter', 'the letter itself', 'share'],
    rows: letters.map((name, i) => [
      name,
      ...[next[i]![i + 1], next[i]![i], share[i]].map((one) => (one === undefined ? '' : percent(one))),
    ]),
  });
