/** Text tables as characters. Their names are in any encoding, or cut within a letter; their numbers are ASCII in all of them. */

export interface DecodedText {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Bytes that are not UTF-8 become U+FFFD, with a note that names the first line. `name`: of the file. */
export function decodedText(bytes: Uint8Array, name: string): DecodedText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), notes: [] };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const { first, count } = linesNotInUtf8(bytes);
  const others = count === 1 ? '' : `, and so do ${count - 1} more`;
  return {
    text: new TextDecoder('utf-8').decode(bytes),
    notes: [`${name}: line ${first} has bytes that are not UTF-8${others}; they were read as U+FFFD.`],
  };
}

function linesNotInUtf8(bytes: Uint8Array): { first: number; count: number } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [first, count, number] = [0, 0, 0];
  for (let from = 0; from < bytes.length;) {
    let end = from;
    let isAscii = true;
    for (; end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d; end++) isAscii &&= bytes[end]! < 128;
    number++;
    if (!isAscii && !isUtf8(bytes.subarray(from, end), decoder)) {
      if (count++ === 0) first = number;
    }
    from = end + (bytes[end] === 0x0d && bytes[end + 1] === 0x0a ? 2 : 1);
  }
  return { first, count };
}

function isUtf8(line: Uint8Array, decoder: TextDecoder): boolean {
  try {
    decoder.decode(line);
    return true;
  } catch {
    return false;
  }
}
