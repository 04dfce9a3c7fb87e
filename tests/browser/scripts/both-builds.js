// The query of this script's URL names the entry of the package that the page uses: both-builds.js?slim.js
import { useBuild } from './use-build.js';

const out = document.querySelector('#out');
try {
  const entry = await import(`/dist/${new URL(import.meta.url).search.slice(1)}`);
  const usual = await useBuild(entry, 'simd128');
  const before = performance.getEntriesByType('resource').some(({ name }) => name.includes('relaxed'));
  const relaxed = await useBuild(entry, 'relaxed');
  out.textContent = JSON.stringify({
    usual,
    relaxed,
    fetchedBefore: before,
    support: entry.isSupported({ simd: 'relaxed' }),
  });
} catch (error) {
  out.textContent = JSON.stringify(String(error));
}
