import { letKeyboardScroll } from './scroll-by-keyboard.js';
import { setUpThemeButton } from './theme-button.js';
import { setUpHero } from './hero/hero.js';
import { loadElementsNearView, pageLab } from './load-elements.js';
import { markCurrentSection } from './current-section.js';
import { loadSourceCards } from './load-source-cards.js';
import { keepPlaces } from './places.js';
import { prepareForPaper } from './printing.js';
import { setUpChapters } from './chapters.js';
import { setUpExtent } from './extent.js';

const button = document.querySelector<HTMLButtonElement>('#theme-button');
if (button !== null) setUpThemeButton(button);

letKeyboardScroll('.table-frame, .display');
void setUpHero(pageLab);
loadElementsNearView();
setUpExtent();
setUpChapters();
keepPlaces();
markCurrentSection();
loadSourceCards();
prepareForPaper();
// The transformer that follows the reader, who leaves the first screen by scrolling.
const followReader = async (): Promise<void> => {
  try {
    await (await import('./figures/travel/travel.js')).travel();
  } catch {
    // Its figure in the text stays.
    document.documentElement.dataset['travel'] = 'none';
  }
};
addEventListener('scroll', () => void followReader(), { once: true, passive: true });

// Not needed for the first screen, so it is loaded when the reader first does something.
const firsts = new AbortController();
for (const name of ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin']) {
  addEventListener(
    name,
    () => {
      firsts.abort();
      void import('./learning/learning.js').then(({ setUpLearning }) => setUpLearning(pageLab), console.warn);
    },
    { signal: firsts.signal, passive: true },
  );
}
