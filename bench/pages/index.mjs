// Whole pages as contenders.

/** @returns {Promise<import('../contender.d.ts').Contenders>} */
export async function pageContenders() {
  return { contenders: [], absent: [] };
}
