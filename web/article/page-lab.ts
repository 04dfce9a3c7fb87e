import { formatNumber } from '../charts/number-format.js';
import { configureEmbed } from '../elements/shared/embed-script.js';
import { configureLabs, holdLab, setLabOpener, setRecordedLab } from '../elements/shared/page-labs.js';
import { labOfAnswers, type RecordedAnswers } from '../elements/shared/recorded-answers.js';
import type { Lab } from '../core/types.js';

const beside = (name: string): URL => new URL(name, document.baseURI);

/** Held as long as the page is open. */
const openLab = (): Promise<Lab> => holdLab().opened;

async function recorded(): Promise<Lab | null> {
  const response = await fetch(beside('recorded-answers.json'));
  return response.ok ? labOfAnswers((await response.json()) as RecordedAnswers) : null;
}

/**
 * The worker and the wasm files are beside the page; if those cannot be fetched, elements use the copies inside scripts. Nothing of that is
 * fetched before a figure asks what the page has not recorded, or the reader begins to use one. `figures`: their selector, which a chapter extends. Returns what opens the lab.
 */
export function configure(figures: () => string): () => Promise<Lab> {
  // An engine reads its data on the languages of numbers at the first one, which takes as long as drawing a figure: now, not in that task.
  formatNumber(0);
  configureEmbed({ scriptUrl: beside('tied-embeddings.global.js').href });
  configureLabs({ workerUrl: beside('worker.js') });
  setLabOpener(async () => {
    const { createLab } = await import('../worker/lab-slim.js');
    return createLab({ workerUrl: beside('worker.js'), wasmUrl: beside('core.wasm') });
  });
  setRecordedLab(recorded().catch(() => null));
  openFromFirstTouch(figures);
  return openLab;
}

/** A figure that passes under the mouse while the page scrolls is not touched, nor one from which a finger scrolls it. */
const touches = ['click', 'keydown', 'focusin', 'pointermove'] as const;

const isMove = ({ pointerType, movementX, movementY }: PointerEvent): boolean =>
  pointerType === 'mouse' && (movementX !== 0 || movementY !== 0);

/** Whoever uses a figure soon needs the lab. If none can be opened, the figures that need one report it. */
function openFromFirstTouch(figures: () => string): void {
  const ended = new AbortController();
  const touch = (event: Event): void => {
    if (event.type === 'pointermove' && !isMove(event as PointerEvent)) return;
    if (!(event.target instanceof Element) || event.target.closest(figures()) === null) return;
    ended.abort();
    openLab().catch(() => undefined);
  };
  for (const name of touches) addEventListener(name, touch, { signal: ended.signal, passive: true, capture: true });
}
