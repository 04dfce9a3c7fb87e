/**
 * The classic script that is one file, for a page that must have no other: `<script src="tied-embeddings.standalone.js" defer>`.
 * Like the global script, with everything inside but the relaxed build. The worker starts from a blob; if the page's policy
 * forbids that, the lab runs on the page's own thread.
 */
// First, because it says what is wrong where there is no page.
import { publish } from './classic-script.js';
import './elements/index.js';
import { loadCore } from './core/load.js';
import { createLab } from './worker/lab.js';

// Brings the type of window.TiedEmbeddings into the declarations of this entry.
export type { Loading } from './classic-script.js';

publish({ loadCore, createLab });
