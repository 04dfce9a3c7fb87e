import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, custom, integer, number } from '../shared/settings/setting.js';
import {
  areNames,
  explorerModes,
  explorerViews,
  formatRows,
  isRows,
  mostDraws,
  parseNames,
  parseRows,
  startingTokens,
  type Rows,
} from './explorer-state.js';

const rows = (which: 'embedding' | 'unembedding', modes: readonly string[]) =>
  custom<Rows>(startingTokens[which], {
    reflect: false,
    link: 'always',
    read: parseRows,
    write: formatRows,
    accepts: isRows,
    expected: 'expectedRows',
    unset: 'ownExample',
    applies: ({ mode }) => modes.includes(String(mode)),
  });

export const explorerSettings = {
  mode: choice(explorerModes, { link: 'always', label: 'mode', control: { as: 'segmented', hideLabel: true } }),
  view: choice(explorerViews, { label: 'view', control: { as: 'segmented' } }),
  /** 2 to 12 different names. */
  tokens: custom<readonly string[]>(startingTokens.names, {
    reflect: false,
    link: 'always',
    read: parseNames,
    write: (names) => names.join(', '),
    accepts: areNames,
    expected: 'expectedTokens',
    unset: 'ownExample',
  }),
  /** For random draws. */
  seed: number(1, { whole: true, reflect: false, link: 'always', applies: ({ mode }) => mode === 'random' }),
  /** The random draws so far; a link draws them again. */
  draws: number(0, {
    ...integer(0, mostDraws),
    reflect: false,
    applies: ({ mode }) => mode === 'random',
  }),
  /** Two numbers per token. */
  embedding: rows('embedding', ['tied', 'untied']),
  unembedding: rows('unembedding', ['untied']),
};

export const explorerPanel = ['mode', group('rest', 'view', 'buttons')] satisfies Panel<
  keyof typeof explorerSettings | 'buttons'
>;
