import { letKeyboardScroll } from './scroll-by-keyboard.js';
import { setUpThemeButton } from './theme-button.js';
import { setUpHero } from './hero/hero.js';
import { loadElementsNearView, pageLab } from './load-elements.js';
import { markCurrentSection } from './current-section.js';
import { keepPlaces } from './places.js';
import { setUpChapters } from './chapters.js';
import { setUpReading } from './reading.js';

const button = document.querySelector<HTMLButtonElement>('#theme-button');
if (button !== null) setUpThemeButton(button);

letKeyboardScroll('.table-frame, .display');
void setUpHero(pageLab);
loadElementsNearView();
setUpReading();
setUpChapters();
keepPlaces();
markCurrentSection();

// Folds are open while the page is printed; the chapters have pages of their own.
let opened: HTMLDetailsElement[] = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll<HTMLDetailsElement>('details:not(.chapter, [open])')];
  for (const details of opened) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of opened) details.open = false;
  opened = [];
});
