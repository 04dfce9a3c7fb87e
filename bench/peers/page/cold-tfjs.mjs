import { startCold } from './cold.mjs';
import { tfjsLibrary } from './tfjs-library.mjs';

await startCold(tfjsLibrary);
