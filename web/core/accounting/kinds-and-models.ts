/** The kinds of models that have a row, and the known models: a script of its own, which a lab loads only when it is asked for them. */
export { importConfig } from './import-config.js';
export { knownModels } from './known-models/known-models.js';
