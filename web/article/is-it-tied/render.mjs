// The page that opens a model: a figure, and what can be given to it.
import { staticPage } from '../../../tools/lib/static-page.mjs';

/** @param {string} source page.html of this folder */
export const renderIsItTied = (source) =>
  staticPage({
    title: 'Is it tied?',
    description:
      'Open a language model’s files, folder or link, and see whether one table both reads and writes its tokens, with the evidence.',
    styles: '../api/api.css',
    kind: 'api api-plain is-it-tied',
    skip: 'the figure',
    head: `<link rel="stylesheet" href="is-it-tied.css">
<script src="../tied-embeddings.global.js"></script>
<script type="module" src="is-it-tied.js"></script>`,
    main: source.trim(),
  });
