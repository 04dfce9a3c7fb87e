// The claims page of the site, generated from docs/claims.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../tools/claims/catalogue.mjs';
import { renderClaims } from '../../../tools/claims/render-html.mjs';
import { root } from '../../../tools/lib/root.mjs';

const markdown = readFileSync(join(root, 'docs/claims.md'), 'utf8');
const html = renderClaims(markdown);

describe('the claims page', () => {
  it('has a section with its verdict for every claim', () => {
    expect(html.match(/<section /g)).toHaveLength(catalogue.length + 1);
    expect(html.match(/<th scope="row"><a href="#/g)).toHaveLength(catalogue.length);
    for (const { title } of catalogue) expect(html).toContain(title.replaceAll('&', '&amp;'));
  });

  it('has every row of every table', () => {
    const rows = markdown.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
    expect(html.match(/<tr>/g)).toHaveLength(rows.length);
  });

  it('has no dead links', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    const others = [...html.matchAll(/href="([^#"]+)"/g)].map(([, target]) => target);
    expect(new Set(others)).toEqual(new Set(['../', '../favicon.svg', '../page.css', '../api/api.css']));
  });

  it('complies with the strict policy: no inline script, no style attribute, nothing from other hosts', () => {
    expect(html).not.toMatch(/\sstyle=|<script>|\son[a-z]+=|https?:/);
  });
});
