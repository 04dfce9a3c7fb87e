import { autumn } from './autumn.js';
import { spring } from './spring.js';
import { summer } from './summer.js';
import { winter } from './winter.js';

/** The whole story, January to December. */
export const aYearInNewYork = [winter, spring, summer, autumn].join('\n\n');
