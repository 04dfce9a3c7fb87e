/** The width of a drawing in one of two columns (`.charts.halves`), or in the only one of a narrow figure. */
export const halfWidth = (width: number): number => (width < 800 ? width : Math.floor((width - 40) / 2));
