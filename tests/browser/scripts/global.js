// Runs after the classic script, which is deferred and stands before it.
const out = document.querySelector('#out');
try {
  await customElements.whenDefined('tied-parameter-calculator');
  const lab = await window.TiedEmbeddings.createLab();
  out.textContent = JSON.stringify({ api: Object.keys(window.TiedEmbeddings).sort(), mode: lab.mode });
  lab.dispose();
} catch (error) {
  out.textContent = JSON.stringify(String(error));
}
