/**
 * A token with visible blanks, as in the other figures: ␣ is a space, ↵ ends a line. Such signs in the file itself stay
 * as they are.
 */
export const visibleToken = (text: string): string =>
  text
    .replaceAll(' ', '␣')
    .replaceAll(/\r\n|[\r\n]/g, '↵')
    .replaceAll('\t', '⇥');
