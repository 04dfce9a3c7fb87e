const width = 140;

/** A value as JSON in which objects and lists that do not fit on a line have each of their members on lines of its own, so that changes can be read. */
export function recordLines(value) {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length <= width || typeof value !== 'object' || value === null) return text;
  const isList = Array.isArray(value);
  // Without undefined members, as in JSON.stringify.
  const members = isList
    ? value.map((one) => recordLines(one))
    : Object.entries(value)
        .filter(([, of]) => of !== undefined)
        .map(([name, of]) => `${JSON.stringify(name)}: ${recordLines(of)}`);
  // Numbers fill their lines.
  if (isList && value.every((one) => typeof one === 'number')) return `[\n${filled(members)}\n]`;
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${close}`;
}

function filled(texts) {
  const lines = [''];
  for (const [i, text] of texts.entries()) {
    const item = i + 1 < texts.length ? `${text},` : text;
    if (lines.at(-1).length + item.length > width) lines.push('');
    lines[lines.length - 1] += item;
  }
  return lines.join('\n');
}
