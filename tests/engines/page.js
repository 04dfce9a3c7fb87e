// Opened by a browser without a driver; the page posts its findings to the waiting test.
import * as entry from '/dist/tied-embeddings.js';
import { useBuild } from '/scripts/use-build.js';
import { seedBits } from '/seed-bits.js';

await fetch('/begun', { method: 'POST' });

const problems = [];
addEventListener('error', ({ message }) => problems.push(`error: ${message}`));
addEventListener('unhandledrejection', ({ reason }) => problems.push(`rejection: ${String(reason)}`));
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  problems.push(`policy: ${violatedDirective} ${blockedURI}`);
});

/** What a lab reads from a file that the reader drops. */
async function checkpoint() {
  const core = await entry.loadCore();
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: 4, dModel: 2, tying: 'tied' },
    training: { learningRate: 0.1, seed: 1 },
    bigramCounts: { rows: 4, cols: 4, data: new Float32Array(16).fill(1) },
  });
  const lab = await entry.createLab();
  const opened = await lab.openCheckpoint([new File([trainer.toSafetensors()], 'model.safetensors')]);
  const { data } = await opened.matrix('output', { rows: { from: 2, to: 4 } });
  const isEqual = data.join() === trainer.matrix('embedding').data.slice(4).join();
  lab.dispose();
  return { tying: opened.tying, isEqual };
}

/** What the figure reports after opening something: its `tied-change` event, with the name. */
async function shown(figure, open) {
  const changed = new Promise((resolve) => {
    figure.addEventListener('tied-change', ({ detail }) => resolve(detail), { once: true });
  });
  open();
  const { name, tied } = await changed;
  await figure.updateComplete;
  return { name, tied, title: figure.shadowRoot.querySelector('.title').textContent.replace(/\s+/g, ' ').trim() };
}

/** The figure with a file dropped on it, and then with a URL that the reader enters. */
async function figure() {
  // Loaded as by authors of posts.
  const script = document.createElement('script');
  script.src = '/dist/tied-embeddings.global.js';
  document.head.append(script);
  // The script fetches a figure's code when its tag is in the page.
  const element = document.createElement('tied-checkpoint');
  document.body.append(element);
  await customElements.whenDefined('tied-checkpoint');
  await element.updateComplete;
  const bytes = await (await fetch('/whole.safetensors')).blob();
  const dropped = await shown(element, () => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], 'dropped.safetensors'));
    for (const type of ['dragover', 'drop'])
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, composed: true, cancelable: true }));
  });
  const fetched = await shown(element, () => {
    const field = element.shadowRoot.querySelector('input[type=search]');
    field.value = new URL('/ranged.safetensors', location.href).href;
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    // Not before the dropped file has been read.
    const button = field.form.querySelector('button[type=submit]');
    const press = () => (button.disabled ? setTimeout(press, 20) : button.click());
    press();
  });
  element.remove();
  return { dropped, fetched };
}

/** What a lab reads from a URL: the beginning and a row, in ranges. */
async function url() {
  const lab = await entry.createLab();
  const opened = await lab.openCheckpoint(new URL('/ranged.safetensors', location.href).href);
  const { data } = await opened.matrix('output', { rows: { from: 1, to: 2 } });
  const { tying, bytesRead } = opened;
  const { data: card } = await opened.identityCard({ sample: 4 });
  lab.dispose();
  return { evidence: tying.evidence, bytesRead, row: [...data], asymmetry: card.asymmetry.asymmetry };
}

async function found() {
  return {
    bits: seedBits(await entry.loadCore()),
    checkpoint: await checkpoint(),
    url: await url(),
    figure: await figure(),
    usual: await useBuild(entry, 'simd128'),
    relaxed: await useBuild(entry, 'relaxed'),
    support: entry.isSupported({ simd: 'relaxed' }),
  };
}

const report = await found().catch((error) => ({ error: String(error) }));
await fetch('/report', { method: 'POST', body: JSON.stringify({ problems, ...report }) });
