import { startCold } from './cold.mjs';
import { jaxLibrary } from './jax-library.mjs';

await startCold(jaxLibrary);
