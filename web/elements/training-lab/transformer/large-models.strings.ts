/** To translate it, set `large` in the element's `strings`. */
export const largeStrings = {
  large: (megabytes: string, hours: string, minutes: string | null) =>
    `These models take about ${megabytes} MB of memory, and the planned steps about ` +
    `${minutes === null ? `${hours} hours` : `${minutes} minutes`} on an ordinary machine with two cores.`,
};

export type LargeStrings = typeof largeStrings;
