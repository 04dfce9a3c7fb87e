/** The rows of the table that the build put into a figure: what the page shows without scripts is what the figure draws. */
export interface TableRow {
  /** The header of the row. */
  readonly name: string;
  /** The other cells; one that has no number is NaN. */
  readonly numbers: readonly number[];
}

const numberIn = (text: string): number => Number.parseFloat(text.replace('−', '-').replaceAll(',', ''));

export function rowsOf(within: Element): TableRow[] {
  return [...within.querySelectorAll('tbody tr')].map((row) => {
    const [name, ...cells] = [...row.children].map((cell) => cell.textContent.trim());
    return { name: name ?? '', numbers: cells.map(numberIn) };
  });
}
