// Renders the API reference as one static HTML page in the article's style, without scripts.
import { staticPage } from '../lib/static-page.mjs';
import { verbsOf } from './read-api.mjs';

const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]);

/** The names of each section of the page; all others are listed as types. */
const groups = [
  { title: 'Start', names: ['loadCore', 'createLab', 'isSupported', 'TiedError', 'ErrorCode'] },
  { title: 'The core', names: ['Core', 'DiagnosticVerbs', 'AccountingVerbs'] },
  { title: 'The lab', names: ['Lab'] },
  { title: 'Trainers', names: ['Trainer', 'LabTrainer'] },
  { title: 'Texts', names: ['Tokenizer', 'LabTokenizer', 'Bigrams'] },
];

/**
 * @param {import('./read-api.mjs').Entry[]} entries
 * @param {{ version: string }} about
 */
export function renderApi(entries, { version }) {
  const known = new Set(entries.map(({ name }) => name));
  const verbs = new Set(verbsOf(entries).map(({ name }) => name));

  /** Code, with links for names of the API. */
  const code = (text) =>
    escapeHtml(text).replace(/(?<!\w)[A-Z]\w+/g, (name) => (known.has(name) ? `<a href="#${name}">${name}</a>` : name));

  /** Text of a doc comment: paragraphs, `code`, {@link names}. */
  const inline = (text) =>
    escapeHtml(text)
      .replace(/\{@link ([\w.]+)\}/g, (_, name) => `<a href="#${name}"><code>${name}</code></a>`)
      .replace(/`([^`]+)`/g, (_, name) =>
        verbs.has(`Core.${name}`) ? `<a href="#Core.${name}"><code>${name}</code></a>` : `<code>${name}</code>`,
      );
  const prose = (text) => {
    const lists = text.split(/\n\s*\n/).flatMap((block) => block.split(/\n(?=- )/));
    const isItem = (block) => block.startsWith('- ');
    const items = lists.map((block) =>
      isItem(block) ? `<li>${inline(block.slice(2))}</li>` : block === '' ? '' : `<p>${inline(block)}</p>`,
    );
    return items.join('\n').replace(/(?:<li>[\s\S]*<\/li>)/, (list) => `<ul>${list}</ul>`);
  };

  const errors = (texts) => {
    const parts = texts.flatMap((text) => text.split(/;\s+(?=')/));
    if (parts.length === 0) return '';
    const items = parts.map((part) => `<li>${inline(part.replace(/^'([a-z-]+)'/, '`$1`'))}</li>`);
    return `<p class="api-label">Throws</p><ul class="api-errors">${items.join('')}</ul>`;
  };

  const details = ({ text, params, returns, throws, examples }) =>
    [
      prose(text),
      ...params.map((one) => `<p><code>${one.name}</code>: ${inline(one.text)}</p>`),
      returns === '' ? '' : `<p>Returns ${inline(returns)}.</p>`,
      errors(throws),
      ...examples.map(
        (one) => `<p class="api-label">Example</p><pre tabindex="0"><code>${escapeHtml(one)}</code></pre>`,
      ),
    ].join('\n');

  /** Removes the indentation of the source file. */
  const flushed = (signature) => signature.replace(/\n {2}/g, '\n');
  const verb = (owner, { name, signature, doc }) => `<section class="api-verb" id="${owner}.${name}">
<h4>${name}</h4>
<pre tabindex="0"><code>${code(flushed(signature))}</code></pre>
${details(doc)}
</section>`;

  const property = (owner, { name, signature, doc }) => {
    const written = signature.includes('\n')
      ? `<pre tabindex="0"><code>${code(flushed(signature))}</code></pre>`
      : `<code>${code(signature)}</code>`;
    return `<dt id="${owner}.${name}">${written}</dt>${doc.text === '' ? '' : `<dd>${prose(doc.text)}</dd>`}`;
  };
  /** Properties that share the description after them stay together. */
  const propertyList = (owner, properties) => {
    const last = properties.at(-1);
    const end = last?.doc.text === '' ? '<dd></dd>' : '';
    return `<dl>${properties.map((one) => property(owner, one)).join('\n')}${end}</dl>`;
  };

  const entryHtml = (entry) => {
    const properties = entry.members.filter((member) => !member.isVerb);
    return `<section class="api-entry" id="${entry.name}">
<h3>${entry.name}</h3>
<pre tabindex="0"><code>${code(entry.signature)}</code></pre>
${details(entry.doc)}
${properties.length === 0 ? '' : propertyList(entry.name, properties)}
${entry.members
  .filter((member) => member.isVerb)
  .map((member) => verb(entry.name, member))
  .join('\n')}
</section>`;
  };

  const grouped = groups.map(({ title, names }) => ({
    title,
    entries: names.flatMap((name) => entries.filter((entry) => entry.name === name)),
  }));
  const listed = new Set(grouped.flatMap((group) => group.entries));
  const others = entries
    .filter((entry) => !listed.has(entry))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const all = [...grouped, { title: 'Types', entries: others }];

  const link = (name, text = name) => `<a href="#${name}">${text}</a>`;
  const contents = all.map(({ title, entries: of }) => {
    const names = of.map((entry) => {
      const inner = entry.members
        .filter((member) => member.isVerb)
        .map(({ name }) => `<li>${link(`${entry.name}.${name}`, name)}</li>`);
      return `<li>${link(entry.name)}${inner.length === 0 ? '' : `<ul>${inner.join('')}</ul>`}</li>`;
    });
    const list = `<ul>${names.join('')}</ul>`;
    return title === 'Types' ? `<details><summary>Types</summary>${list}</details>` : `<p>${title}</p>${list}`;
  });

  return staticPage({
    title: 'API reference',
    description:
      'Every function, method and type of the npm package tied-embeddings, with shapes, units, errors and examples that are run by its tests.',
    styles: 'api.css',
    kind: 'api',
    skip: 'the reference',
    nav: `<nav aria-label="API">${contents.join('\n')}</nav>\n`,
    main: `<h1>API reference</h1>
<p>Version ${escapeHtml(version)} of the npm package <code>tied-embeddings</code>. Matrices are row-major and shapes are
written [rows, columns]; losses and entropies are in nats per token. Examples assume
<code>const core = await loadCore();</code> and are run by the package’s tests: the value of each line is what stands after
its arrow.</p>
${all.map(({ title, entries: of }) => `<section><h2>${title}</h2>${of.map(entryHtml).join('\n')}</section>`).join('\n')}`,
  });
}
