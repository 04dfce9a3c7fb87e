// The page of all figures, as it is rendered; that they are live is in tests/browser/gallery.test.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { galleryEntries } from '../../../web/article/gallery/entries.mjs';
import { renderGallery, scriptLines, sentencesOf } from '../../../web/article/gallery/render.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pages = readFileSync(join(root, 'docs/pages.md'), 'utf8');
/** What the package registers. */
const tags = [
  ...readFileSync(join(root, 'web/elements/index.ts'), 'utf8').matchAll(/'\.\/([\w-]+)\/[\w-]+\.define\.js'/g),
]
  .map(([, name]) => `tied-${name}`)
  .sort();

/** A manifest in which each element has the attributes that the gallery names, and one more. */
const manifest = {
  modules: [
    {
      declarations: tags.map((tagName) => {
        const { attributes, also } = galleryEntries[tagName]!;
        const names = [...attributes.map(([name]) => name), ...also, 'heading-level'];
        return {
          customElement: true,
          tagName,
          attributes: names.map((name) => ({ name, description: `About <${name}>.` })),
        };
      }),
    },
  ],
};
const render = (of = manifest, from = readme) =>
  renderGallery({ manifest: of, readme: from, pages, kilobytes: () => 42 });
const html = render();

describe('the gallery', () => {
  it('has every element, with the sentence of README.md', () => {
    expect(Object.keys(galleryEntries).sort()).toEqual(tags);
    expect([...sentencesOf(readme).keys()].sort()).toEqual(tags);
    const sections = [...html.matchAll(/<section class="api-entry" id="([\w-]+)">/g)].map(([, id]) => id!);
    expect(sections.sort()).toEqual(tags);
  });

  it('shows the tag that makes the live figure, except for where the models are', () => {
    const shown = [...html.matchAll(/<code>(&lt;tied-[\w-]+( |&gt;).*?)<\/code><\/pre>/g)].map(([, code]) =>
      code!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"'),
    );
    const live = [...html.matchAll(/<template>(.*?)<\/template>/g)].map(([, tag]) => tag!);
    expect(shown).toHaveLength(tags.length);
    expect(live.map((tag) => tag.replace('../finished-transformers.safetensors', 'models.safetensors'))).toEqual(shown);
  });

  it('gives the script lines of docs/pages.md, and names no other host', () => {
    const { own, network } = scriptLines(pages);
    for (const line of [own, network]) expect(pages).toContain(line);
    const hosts = [...html.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host!);
    expect(new Set(hosts)).toEqual(new Set([new URL(/src="([^"]+)"/.exec(network)![1]!).hostname]));
    expect(() => scriptLines('')).toThrow(/no script/);
  });

  it('stops the build for an element that README.md does not name, and for an attribute that does not exist', () => {
    expect(() => render(manifest, readme.replace('`<tied-lens>`', '`<tied-lenses>`'))).toThrow(
      'README.md does not say what <tied-lens> shows',
    );
    const without = structuredClone(manifest);
    without.modules[0]!.declarations.find(({ tagName }) => tagName === 'tied-lens')!.attributes = [];
    expect(() => render(without)).toThrow('<tied-lens> has no attribute weights');
  });

  it('complies with the strict policy: no inline script, no style attribute', () => {
    expect(html).not.toMatch(/\sstyle=|<script>|\son[a-z]+=/);
    expect(html).toContain('About &lt;weights&gt;.');
  });
});
