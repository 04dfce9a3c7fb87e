// Runs after the classic script with data-simd="relaxed", which is deferred and stands before it.
import { useBuild } from './use-build.js';

const out = document.querySelector('#out');
try {
  const { TiedEmbeddings } = window;
  const relaxed = await useBuild(TiedEmbeddings, 'relaxed');
  const usual = await useBuild(TiedEmbeddings, undefined);
  out.textContent = JSON.stringify({ usual, relaxed });
} catch (error) {
  out.textContent = JSON.stringify(String(error));
}
