import { html, type TemplateResult } from 'lit';
import type { Tying } from '../../../core/types.js';
import type { ArmKind } from '../transformer/settings.js';
import { armClass } from './arm-style.js';

/** A part of the read-out: text, and the model or role that gives it its color. */
export interface Phrase {
  text: string;
  tying?: Tying | ArmKind;
  role?: 'input' | 'output';
  /** Shown with the rest of the figure, not at rest. */
  more?: true;
  /** A wide figure continues on the next line, so that numbers which become longer move no word to another line. */
  endsLine?: true;
}

export const notAtRest = (words: readonly Phrase[]): Phrase[] => words.map((word) => ({ ...word, more: true }));

export const plain = (words: readonly Phrase[]): string => words.map(({ text }) => text).join('');

export const rendered = (words: readonly Phrase[]): TemplateResult[] =>
  words.map(({ text, tying, role, more, endsLine }) => {
    const color = role === undefined ? (tying === undefined ? [] : [armClass[tying]]) : [`is-${role}`];
    const looks = more === true ? [...color, 'rest'] : color;
    const words = looks.length === 0 ? html`${text}` : html`<span class=${looks.join(' ')}>${text}</span>`;
    return endsLine === true ? html`${words}<br />` : words;
  });
