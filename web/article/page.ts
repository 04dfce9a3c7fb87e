import { setUpThemeButton } from './theme-button.js';
import { loadElementsNearView } from './load-elements.js';

const button = document.querySelector<HTMLButtonElement>('#theme-button');
if (button !== null) setUpThemeButton(button);

loadElementsNearView();
