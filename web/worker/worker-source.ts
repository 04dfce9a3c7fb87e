/**
 * The text of worker.js as gzipped text, for pages and programs bundled without that file. The package build replaces this module by a
 * script that is loaded on demand; elsewhere the text is null.
 */
export const workerSource: string | null = null;
