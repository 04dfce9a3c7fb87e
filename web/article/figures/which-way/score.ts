/** The probability that `tosses` of a fair coin guess at least `right` of them. */
export function coinReaches(right: number, tosses: number): number {
  let ways = 1;
  let sum = 0;
  for (let hits = tosses; hits >= right; hits--) {
    sum += ways;
    ways = (ways * hits) / (tosses - hits + 1);
  }
  return sum / 2 ** tosses;
}
