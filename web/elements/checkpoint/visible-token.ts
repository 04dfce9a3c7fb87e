/**
 * A token with visible blanks, as in the other figures: ␣ is a space, ↵ ends a line. Such signs in the file itself stay
 * as they are. Characters that pictures cannot hold, or that would reorder the text around them, are written as their
 * code.
 */
export const visibleToken = (text: string): string =>
  text
    .replaceAll(' ', '␣')
    .replaceAll(/\r\n|[\r\n]/g, '↵')
    .replaceAll('\t', '⇥')
    .replaceAll(unprintable, (character) => `⟨U+${hexOf(character)}⟩`);

/** Control characters, halves of pairs, signs of direction, and code points that are not characters. */
const unprintable = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff]/gu;

const hexOf = (character: string): string => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
