/**
 * The text of worker.js, for pages and programs that were bundled without that file. The build of the package writes it
 * here, as a script of its own that is loaded only when it is needed; anywhere else there is none.
 */
export const workerSource: string | null = null;
