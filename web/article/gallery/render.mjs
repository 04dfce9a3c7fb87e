// The page of all elements: each one live, with the tag to paste.
import { staticPage } from '../../../tools/lib/static-page.mjs';
import { escapeHtml } from '../build/format.mjs';
import { galleryEntries } from './entries.mjs';

/** Where the article's two finished GPTs are, seen from the page. */
const ownModels = '../finished-transformers.safetensors';

/** What each element shows, from the table in README.md: tag -> HTML. */
export const sentencesOf = (readme) =>
  new Map([...readme.matchAll(/^\| `<(tied-[\w-]+)>` \| (.+?) \|$/gm)].map(([, tag, text]) => [tag, escapeHtml(text)]));

/** The elements of custom-elements.json: tag -> attribute -> what it is. */
export const elementsOf = ({ modules }) =>
  new Map(
    modules
      .flatMap(({ declarations }) => declarations)
      .filter(({ customElement }) => customElement)
      .map(({ tagName, attributes }) => [tagName, new Map(attributes.map((one) => [one.name, one.description ?? '']))]),
  );

/** The lines with a script in a fenced example of docs/pages.md, which say how figures come into a page. */
export function scriptLines(pages) {
  const lines = [...pages.matchAll(/^<script [^>]*src="([^"]+)"[^>]*><\/script>$/gm)].map(([line, source]) => ({
    line,
    source,
  }));
  const own = lines.find(({ source }) => !source.includes(':'));
  const network = lines.find(({ source }) => source.startsWith('https:'));
  if (own === undefined || network === undefined)
    throw new Error('docs/pages.md has no script for a server of one’s own, or none of a content network');
  return { own: own.line, network: network.line };
}

const tagText = (tag, attributes) =>
  `<${[tag, ...attributes.map(([name, value]) => `${name}="${escapeHtml(value)}"`)].join(' ')}></${tag}>`;

const codeToCopy = (text, name) =>
  `<div class="to-copy"><pre tabindex="0" aria-label="${name}" role="region"><code>${escapeHtml(text)}</code></pre><button type="button" class="copy" hidden>Copy<span class="visually-hidden"> ${name}</span></button></div>`;

/** First the values that may be given, then the rest. */
const described = (text) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/**
 * @param {object} of
 * @param {{ modules: any[] }} of.manifest custom-elements.json
 * @param {string} of.readme
 * @param {string} of.pages docs/pages.md
 * @param {(tag: string) => number} of.kilobytes What a page with only this figure downloads before the figure comes near the screen.
 */
export function renderGallery({ manifest, readme, pages, kilobytes }) {
  const elements = elementsOf(manifest);
  const sentences = sentencesOf(readme);
  const order = [...sentences.keys()].filter((tag) => elements.has(tag));
  const all = [...order, ...[...elements.keys()].filter((tag) => !sentences.has(tag))];

  const section = (tag) => {
    const known = elements.get(tag);
    const { attributes, also } = galleryEntries[tag] ?? { attributes: [], also: [] };
    const sentence = sentences.get(tag);
    if (sentence === undefined) throw new Error(`README.md does not say what <${tag}> shows`);
    const names = [...attributes.map(([name]) => name), ...also];
    for (const name of names) if (!known.has(name)) throw new Error(`<${tag}> has no attribute ${name}`);
    const live = attributes.map(([name, value]) => [name, name === 'weights' ? ownModels : value]);
    const rows = names.map(
      (name) => `<tr><th scope="row"><code>${name}</code></th><td>${described(known.get(name))}</td></tr>`,
    );
    const rest = known.size - names.length;
    return `<section class="api-entry" id="${tag}">
<h2><a class="heading-link" href="#${tag}"><code>&lt;${tag}&gt;</code></a></h2>
<p class="shows">${sentence[0].toUpperCase()}${sentence.slice(1)}.</p>
${codeToCopy(tagText(tag, attributes), `the tag ${tag}`)}
<details><summary>Attributes worth knowing</summary>
<div class="table-frame" role="region" aria-label="Attributes of ${tag}" tabindex="0"><table>
<thead><tr><th scope="col">attribute</th><th scope="col">meaning</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
${rest > 0 ? `<p>And ${rest} more, in the package’s <code>custom-elements.json</code>.</p>` : ''}
</details>
<div class="stage"><template>${tagText(tag, live)}</template></div>
<p class="weight">A page with this figure alone downloads ${kilobytes(tag)} KB, gzipped, before the figure comes near the screen.</p>
</section>`;
  };

  const { own, network } = scriptLines(pages);
  const links = all.map((tag) => `<li><a href="#${tag}">${tag}</a></li>`);
  return staticPage({
    title: 'All figures',
    description:
      'Every custom element of the npm package tied-embeddings, live, with the tag to paste and its attributes.',
    styles: '../api/api.css',
    kind: 'api',
    skip: 'the figures',
    head: `<link rel="stylesheet" href="gallery.css">
<script src="../tied-embeddings.global.js"></script>
<script type="module" src="gallery.js"></script>`,
    nav: `<nav aria-label="Figures"><p>Figures</p><ul>${links.join('')}</ul></nav>\n`,
    main: `<h1>All figures, to paste</h1>
<p>Many figures of the article are custom elements of the npm package <code>tied-embeddings</code>: one tag in your page, after one script. Here are all
${all.length} elements, as their tags make them. They wake when you come near; nothing trains before you start it, and nothing is sent anywhere. Those that
train or measure GPTs begin here with what the article has measured, which a page hands over as the property <code>finished</code>.</p>
<p>The script, with the folder <code>global/</code> and <code>worker.js</code> of the package’s <code>dist/</code> beside it on your server:</p>
${codeToCopy(own, 'the script for a server of your own')}
<p>Or one module from a content network:</p>
${codeToCopy(network, 'the script from a content network')}
<p>Where a tag has <code>weights</code>, it names a file with a tied and an untied model. On this page that is <a href="${ownModels}" download>the article’s two
GPTs</a>, which you may use, too.</p>
<noscript><p>With JavaScript on, the figures are live here.</p></noscript>
${all.map(section).join('\n')}`,
  });
}
