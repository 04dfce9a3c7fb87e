// Every figure, with each of its attributes, in a page where the core cannot start: it says so, and the page stays alive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { openFixture } from './harness.js';

/** What a browser, a policy or a server may refuse, and what a figure then says. */
const ways = {
  policy: /policy of this page forbids WebAssembly/,
  'no-webassembly': /has no WebAssembly, or it is switched off/,
  'no-simd': /has no WebAssembly SIMD/,
  'no-memory': /the browser did not allocate memory for it/,
  'missing-file': /could not be fetched; options\.wasmUrl should be/,
  'no-module': /is not a WebAssembly module/,
  'broken-module': /is not a WebAssembly module/,
} as const;

/** Sets the way up before the first figure wakes. */
const script = `
  import './web/elements/index.ts';
  import { configureLabs } from './web/elements/shared/page-labs.ts';

  const refuse = () => {
    throw new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance');
  };
  const ways = {
    'no-webassembly': () => delete globalThis.WebAssembly,
    'no-simd': () => (WebAssembly.validate = () => false),
    'no-memory': () => {
      // Without workers the core runs here, where memory can be refused.
      delete globalThis.Worker;
      WebAssembly.instantiate = async () => refuse();
      WebAssembly.Instance = function () { refuse(); };
    },
    'missing-file': () => configureLabs({ wasmUrl: '/missing/core.wasm' }),
    'no-module': () => configureLabs({ wasmUrl: '/fixture.js' }),
    'broken-module': () => configureLabs({ wasmBytes: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 9, 9) }),
  };
  ways[location.hash.slice(1)]?.();
`;

interface Declaration {
  tagName: string;
  description: string;
  attributes: { name: string; type: { text: string } }[];
}
type Attributes = Record<string, string>;

const manifest = JSON.parse(readFileSync(join(root, 'dist/custom-elements.json'), 'utf8')) as {
  modules: { declarations: (Partial<Declaration> & { customElement?: boolean })[] }[];
};
const declarations = manifest.modules
  .flatMap(({ declarations: all }) => all)
  .filter((one): one is Declaration => one.customElement === true && one.tagName !== undefined);

/** Values of an attribute by its type: every choice, a number, both states of a flag. */
function valuesOf(type: string): string[] {
  const choices = [...type.matchAll(/'([^']+)'/g)].map(([, choice]) => choice!);
  if (choices.length > 0) return choices;
  if (/\bboolean\b/.test(type)) return ['true', 'false'];
  return /\bnumber\b/.test(type) ? ['2'] : [];
}

/** Not shown before the reader asks for them, or dependent on files. */
const examples: Record<string, Attributes[]> = {
  'tied-parameter-calculator': [{ model: 'gpt2' }, { model: 't5-small' }, { model: 'tables' }],
  'tied-compute-calculator': [{ model: 'gpt2' }, { model: 't5-small' }],
  'tied-advisor': [{ model: 'gpt2' }, { model: 't5-small' }],
  'tied-symmetry-explorer': [{ mode: 'random', draws: '1000' }],
};

function figuresOf({ tagName, description, attributes }: Declaration): { tag: string; attributes: Attributes }[] {
  const [, written = ''] = /<[\w-]+([^>]*)>/.exec(description) ?? [];
  const documented = Object.fromEntries(
    [...written.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, to]) => [name!, to!]),
  );
  const each = attributes.flatMap(({ name, type }) => valuesOf(type.text).map((value) => ({ [name]: value })));
  return [{}, documented, ...(examples[tagName] ?? []), ...each].map((given) => ({ tag: tagName, attributes: given }));
}

const figures = declarations.flatMap(figuresOf);
const trained = join(root, 'web/article/assets/finished-transformers.safetensors');

/** What a figure that needs a file or a text of the reader's waits for; it has asked for no core yet. */
const waitsForReader = [
  ['tied-alignment', /names no file with trained models/],
  ['tied-hidden-states', /names no file with trained models/],
  ['tied-lens', /names no file with trained models/],
  ['tied-checkpoint', /Choose files/],
  ['tied-experiment', /claim\.json cannot be fetched: 404/],
  ['tied-seq2seq', /Paste pairs/],
] as const;

test('the figures of this test are all elements, most of them many times', () => {
  expect(new Set(figures.map(({ tag }) => tag)).size).toBe(17);
  expect(figures.length).toBeGreaterThan(200);
});

test.each(Object.entries(ways))('%s: every figure says so, and the page stays alive', async (way, says) => {
  const wasm = way === 'policy' ? '' : " 'wasm-unsafe-eval'";
  const policy = `default-src 'self'; style-src 'self'; img-src data:; script-src 'self'${wasm}`;
  const { page, close } = await openFixture({ script, body: '' }, { path: `#${way}`, policy });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.route('**/models.safetensors', (route) => route.fulfill({ path: trained }));
  // All in sight, one above the other, so that all wake.
  await page.evaluate((all) => {
    const place = document.querySelector('main')!;
    for (const { tag, attributes } of all) {
      const element = document.createElement(tag);
      element.setAttribute('data-figure', [tag, JSON.stringify(attributes)].join(' '));
      Object.assign(element.style, { position: 'absolute', top: '0' });
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      place.append(element);
    }
  }, figures);
  // The drop zone of <tied-checkpoint> needs a file.
  await page.locator('tied-checkpoint').first().locator('input[type=file]').first().setInputFiles(trained);

  /** Figures that do not say it yet. What starts on request is started. */
  const silent = async (): Promise<string[]> => {
    const others = await page.evaluate(
      ({ source, flags }) => {
        const out: { figure: string; text: string }[] = [];
        for (const element of document.querySelectorAll<HTMLElement>('main > [data-figure]')) {
          const inside = element.shadowRoot!;
          const text = inside.textContent;
          if (new RegExp(source, flags).test(text)) continue;
          const buttons = [...inside.querySelectorAll<HTMLButtonElement>('button.primary')];
          const start = buttons.find((one) => one.ariaDisabled !== 'true' && !/Choose/.test(one.textContent));
          // Once: another press would clear the message and try again.
          if (start !== undefined && element.dataset['started'] === undefined) {
            element.dataset['started'] = '';
            start.click();
          }
          out.push({ figure: element.dataset['figure']!, text });
        }
        return out;
      },
      { source: says.source, flags: says.flags },
    );
    const waits = ({ figure, text }: { figure: string; text: string }): boolean =>
      waitsForReader.some(([tag, words]) => figure.startsWith(`${tag} `) && words.test(text));
    return others.filter((one) => !waits(one)).map(({ figure }) => figure);
  };
  await expect.poll(silent).toEqual([]);
  // Each kind of figure has said it at least once.
  const said = await page.evaluate(
    ({ source, flags }) => {
      const words = new RegExp(source, flags);
      const all = [...document.querySelectorAll('main > [data-figure]')];
      return all.filter(({ shadowRoot }) => words.test(shadowRoot!.textContent)).map(({ localName }) => localName);
    },
    { source: says.source, flags: says.flags },
  );
  expect(declarations.map(({ tagName }) => tagName).filter((tag) => !said.includes(tag))).toEqual([]);

  // Nothing is asked again by itself.
  const asked = requests.length;
  await page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
  });
  expect(requests.length).toBe(asked);
  await close();
});
