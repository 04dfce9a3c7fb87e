// Documents name only existing files, commands and headings.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\0')
  .filter((path) => path !== '');

/** Every tracked file, and every folder above one. */
const paths = new Set(
  tracked.flatMap((file) => file.split('/').map((_, part, parts) => parts.slice(0, part + 1).join('/'))),
);

/** Folders of the root and one level below, from which documents may name files: `cpp`, but also `training`. */
const folders = new Set(
  [...paths]
    .filter((path) => path.split('/').length < 3 && !tracked.includes(path))
    .map((path) => path.split('/').at(-1)),
);

const documents = tracked.filter((path) => /^(docs\/(decisions\/)?|bench\/)?[^/]+\.md$/.test(path));

const scripts = Object.keys(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
);

const extension = /[\w*]\.(cpp|css|h|html|js|json|md|mjs|py|svg|ts|tsv|txt)$/;

// Outputs of the build and the command, contents of the package, files of other programs, and benchmark cases, which look like paths.
const elsewhere = [
  /^(build|dist|site|web\/wasm)(\/|$)/,
  /^(worker|worker-source|elements\.bundle|tied-embeddings\.(global|standalone)|[\w*-]+-bytes(-\*)?)\.js$/,
  /^(claim|config|custom-elements|modules|quant(ize)?_config|tokenizer|vocab)\.json$/,
  /^(merges|vocab)\.txt$/,
  /^module-bytes\.mjs$/,
  /^report\.html$/,
  /^text\/(train|encode)\//,
  /^checkpoint\/(copy|decode|moments|products)/,
];

function exists(name: string): boolean {
  const pattern = name.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  const ending = new RegExp(`(^|/)${pattern}(\\.\\w+)*$`);
  return [...paths].some((path) => ending.test(path));
}

function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Possible targets of a link within a file: headings of a document, ids of a page. */
function anchors(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return path.endsWith('.html') ? [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id) : headings(text);
}

/** Everything that `text`, the content of `document`, names but that does not exist. */
function missing(document: string, text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  const files = [...prose.matchAll(/`([\w.*/-]+)`/g)]
    .map(([, name = '']) => name.replace(/^(\.\.?\/)+|\/$/g, ''))
    .filter((name) => extension.test(name) || (name.includes('/') && folders.has(name.split('/')[0])))
    .filter((name) => !name.startsWith('.'))
    .filter((name) => !name.includes('...') && !elsewhere.some((pattern) => pattern.test(name)) && !exists(name));
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? document : normalize(join(dirname(document), file));
      if (!paths.has(target)) return true;
      return anchor !== undefined && !anchors(target).includes(anchor);
    });
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)]
    .filter(([, script = '']) => !scripts.includes(script))
    .map(([command]) => command);
  return [...files, ...links, ...commands].map((name) => `${document} names ${name}`);
}

test('documents name only existing files, headings and commands', () => {
  expect(documents).toContain('docs/architecture.md');
  expect(documents).toContain('README.md');
  expect(documents.flatMap((document) => missing(document, readFileSync(join(root, document), 'utf8')))).toEqual([]);
});

test('the search finds names of nonexistent files', () => {
  const wrong = [
    '`web/core/no-such-file.ts`',
    '`training/no_such_source`',
    '`no-such-file.mjs`',
    '`tests/no-such-folder/`',
    '[decision 99](decisions/0099-none.md)',
    '[a heading](architecture.md#no-such-heading)',
    '[a figure](../web/article/chapters/trained.html#no-such-figure)',
    'npm run no-such-script',
  ];
  for (const text of wrong) expect(missing('docs/adding.md', text), text).toHaveLength(1);
  const right =
    '`web/core/core.ts`, `training/trainer_file`, `core.ts`, [rules](architecture.md#dependencies), [a figure](../web/article/chapters/trained.html#figure-alignment), npm run check';
  expect(missing('docs/adding.md', right)).toEqual([]);
});
