import { keepAt } from '../../elements/shared/keep-in-view.js';
import { finishedFiles } from '../finished-files.js';

/** The gallery: figures wake when the reader comes near, and code is copied. The elements come from the package's own script. */

/** A figure that measures begins with what the article has measured, as there; without it, it begins empty. */
async function handFinished(figure: Element): Promise<void> {
  const file = finishedFiles[figure.localName];
  if (file === undefined) return;
  try {
    const response = await fetch(new URL(`../${file}`, document.baseURI));
    if (response.ok) Object.assign(figure, { finished: (await response.json()) as unknown });
  } catch (error) {
    console.warn(error);
  }
}

/** A figure's tag is in a template until it is about a screen away. */
async function wake(stage: Element): Promise<void> {
  const template = stage.querySelector('template');
  const figure = template?.content.firstElementChild;
  if (template === null || figure === null || figure === undefined) return;
  // Before it is in the page, so its first drawing uses it.
  await handFinished(figure);
  template.replaceWith(document.adoptNode(figure));
  // Its place is reserved until it is as large.
  const growth = new ResizeObserver(() => {
    if (figure.getBoundingClientRect().height < 200) return;
    growth.disconnect();
    stage.toggleAttribute('data-drawn', true);
  });
  growth.observe(figure);
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      void wake(target);
    }
  },
  { rootMargin: '100% 0px' },
);
for (const stage of document.querySelectorAll('.stage')) observer.observe(stage);

/** How long a button says that it has copied, in milliseconds. */
const thanksFor = 2000;

for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
  const code = button.parentElement?.querySelector('code');
  const label = button.firstChild;
  if (code === null || code === undefined || label === null) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    const say = (text: string): void => {
      label.textContent = text;
      setTimeout(() => {
        label.textContent = 'Copy';
      }, thanksFor);
    };
    // Only pages of secure origins may write to the clipboard; in others the text is selected, to be copied by hand.
    const written =
      (navigator.clipboard as Clipboard | undefined)?.writeText(code.textContent) ??
      Promise.reject(new Error('no clipboard'));
    written.then(
      () => say('Copied'),
      () => {
        getSelection()?.selectAllChildren(code);
        say('Selected');
      },
    );
  });
}

/** Figures above grow while they wake, so a target is kept in place until the reader moves. */
function landOnTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target !== null) keepAt(target, () => Number.parseFloat(getComputedStyle(target).scrollMarginBlockStart) || 0);
}
addEventListener('hashchange', landOnTarget);
landOnTarget();
