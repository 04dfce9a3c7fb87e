/** A fold, with all folds inside it, that begins at `from`; its end, or -1 if none begins there. */
function endOfFold(html, from) {
  if (!/^<details class="(?:maths|more)\b/.test(html.slice(from, from + 28))) return -1;
  const edge = /<(\/?)details\b/g;
  edge.lastIndex = from;
  for (let depth = 0; ; ) {
    const found = edge.exec(html);
    if (found === null) throw new Error(`A fold has no end: ${html.slice(from, from + 80)}`);
    depth += found[1] === '' ? 1 : -1;
    if (depth === 0) return html.indexOf('>', found.index) + 1;
  }
}

/** Folds that follow each other stand in one row while they are closed, each no wider than its summary. */
export function groupFolds(html) {
  let grouped = '';
  let at = 0;
  for (;;) {
    const first = html.indexOf('<details class="', at);
    if (first === -1) return grouped + html.slice(at);
    let end = endOfFold(html, first);
    if (end === -1) {
      grouped += html.slice(at, first + 1);
      at = first + 1;
      continue;
    }
    for (;;) {
      const next = end + /^\s*/.exec(html.slice(end))[0].length;
      const nextEnd = endOfFold(html, next);
      if (nextEnd === -1) break;
      end = nextEnd;
    }
    grouped += `${html.slice(at, first)}<div class="folds">${html.slice(first, end)}</div>`;
    at = end;
  }
}
