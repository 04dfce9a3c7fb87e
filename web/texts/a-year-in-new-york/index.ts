import autumn from './autumn.ts';
import spring from './spring.ts';
import summer from './summer.ts';
import winter from './winter.ts';

/** The whole story, January to December. */
export default [winter, spring, summer, autumn].join('\n\n');
