/**
 * On paper, a figure is the finished drawing that the build has put inside it, whether it is live yet or not, and the list of sources is open, since its numbers are in the text.
 * Other folds are printed if the reader has opened them (`styles/print.css`).
 */
export function prepareForPaper(): void {
  let undo: (() => void)[] = [];
  addEventListener('beforeprint', () => {
    for (const still of document.querySelectorAll('.fallback')) {
      const figure = still.parentElement;
      if (figure === null) continue;
      figure.before(still);
      figure.toggleAttribute('data-off-paper', true);
      undo.push(() => {
        figure.prepend(still);
        figure.removeAttribute('data-off-paper');
      });
    }
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('details:not([open]):has(> .sources)')) {
      fold.open = true;
      undo.push(() => {
        fold.open = false;
      });
    }
  });
  addEventListener('afterprint', () => {
    for (const restore of undo) restore();
    undo = [];
  });
}
