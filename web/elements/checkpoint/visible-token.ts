/** A token with blanks that are seen, as in the other figures: ␣ is a space, ↵ ends a line. Signs that the file itself has stay. */
export const visibleToken = (text: string): string =>
  text
    .replaceAll(' ', '␣')
    .replaceAll(/\r\n|[\r\n]/g, '↵')
    .replaceAll('\t', '⇥');
