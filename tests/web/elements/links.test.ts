// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { completeArchitecture } from '../../../web/core/accounting/architecture-options.js';
import { knownModels } from '../../../web/core/accounting/known-models/known-models.js';
import type { Lab } from '../../../web/core/types.js';
import { Advisor } from '../../../web/elements/advisor/advisor.js';
import { Alignment } from '../../../web/elements/alignment/alignment.js';
import { Bigrams } from '../../../web/elements/bigrams/bigrams.js';
import { Checkpoint } from '../../../web/elements/checkpoint/checkpoint.js';
import { ComputeCalculator } from '../../../web/elements/compute-calculator/compute-calculator.js';
import { DirectPath } from '../../../web/elements/direct-path/direct-path.js';
import { Experiment } from '../../../web/elements/experiment/experiment.js';
import { GradientLedger } from '../../../web/elements/gradient-ledger/gradient-ledger.js';
import { Heads } from '../../../web/elements/heads/heads.js';
import { HiddenStates } from '../../../web/elements/hidden-states/hidden-states.js';
import { Lens } from '../../../web/elements/lens/lens.js';
import '../../../web/elements/index.js';
import { ModelTable } from '../../../web/elements/model-table/model-table.js';
import { ParameterCalculator } from '../../../web/elements/parameter-calculator/parameter-calculator.js';
import { ParameterMap } from '../../../web/elements/parameter-map/parameter-map.js';
import { Seq2seq } from '../../../web/elements/seq2seq/seq2seq.js';
import { SymmetryExplorer } from '../../../web/elements/symmetry-explorer/symmetry-explorer.js';
import { isHeadsLink } from '../../../web/elements/replay/heads-link.js';
import { isTwinLink } from '../../../web/elements/replay/twin-link.js';
import { isRunLink } from '../../../web/elements/replay/run-link.js';
import { isSeq2seqLink } from '../../../web/elements/replay/seq2seq-link.js';
import { webLink } from '../../../web/elements/shared/web-link.js';
import { TrainingLab } from '../../../web/elements/training-lab/training-lab.js';

const elements = [
  Advisor,
  Alignment,
  Bigrams,
  Checkpoint,
  ComputeCalculator,
  DirectPath,
  Experiment,
  GradientLedger,
  Heads,
  HiddenStates,
  Lens,
  ModelTable,
  ParameterCalculator,
  ParameterMap,
  Seq2seq,
  SymmetryExplorer,
  TrainingLab,
];

const runsCode = [
  'javascript:alert(1)',
  'javascript:alert(1)//{model}',
  'JaVaScRiPt:alert(1)',
  ' \n javascript:alert(1)',
  '\u0000\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript\r:alert(1)',
  'javascript\t:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'blob:https://page.invalid/0',
  'file:///etc/passwd',
  'view-source:https://page.invalid',
];
const leadsToPages = [
  'calculator.html#model={model}',
  '/calculator/{model}',
  '?model={model}',
  '#model={model}',
  '../a/b:c',
  './javascript:alert(1)',
  'https://example.org/{model}',
  'HTTP://example.org/{model}',
  '//example.org/{model}',
];

const lab = {
  knownModels: () => Promise.resolve(knownModels().slice(0, 8)),
  countParameters: (given: Parameters<typeof completeArchitecture>[0]) =>
    Promise.resolve({
      architecture: completeArchitecture(given),
      stored: 3000,
      tied: 2000,
      untied: 3000,
      tableShare: 0.5,
    }),
} as unknown as Lab;

/** A busy machine may be slow. */
const waiting = { timeout: 60_000 };
vi.setConfig({ testTimeout: 120_000 });

async function openedTable(hash: string, attributes: string): Promise<ModelTable> {
  location.hash = hash;
  document.body.innerHTML = `<tied-model-table link-state="models" ${attributes}></tied-model-table>`;
  const table = document.querySelector<ModelTable>('tied-model-table');
  if (table === null) throw new Error('no table');
  table.lab = lab;
  (table as unknown as { wake(): void }).wake();
  await vi.waitFor(() => {
    expect(table.shadowRoot?.querySelector('tbody tr'), table.shadowRoot?.textContent).not.toBeNull();
  }, waiting);
  return table;
}

const arrows = (table: ModelTable): (string | null)[] =>
  [...(table.shadowRoot?.querySelectorAll('a.open-model') ?? [])].map((link) => link.getAttribute('href'));

afterEach(() => {
  document.body.innerHTML = '';
  location.hash = '';
});

describe('a URL from an attribute', () => {
  it.each(runsCode)('refuses %j', (text) => {
    expect(webLink(text)).toBeNull();
  });

  it.each(leadsToPages)('accepts %j unchanged', (text) => {
    expect(webLink(text)).toBe(text);
  });

  it('that runs code is not linked by a table, which reports it', async () => {
    const table = await openedTable('', '');
    for (const text of [...runsCode, '{model}:alert(1)']) {
      table.setAttribute('calculator-link', text);
      await table.updateComplete;
      expect(table.shadowRoot?.querySelectorAll('tbody tr').length, text).toBeGreaterThan(5);
      expect(arrows(table), text).toEqual([]);
      expect(table.shadowRoot?.querySelector('[role=alert]')?.textContent, text).toContain('calculator-link');
    }
  });

  it('that leads to a page makes every row a link', async () => {
    const table = await openedTable('', 'calculator-link="calculator.html#model={model}"');
    expect(arrows(table).length).toBeGreaterThan(5);
    for (const href of arrows(table)) expect(href).toMatch(/^calculator\.html#model=[\w.%-]+$/);
  });
});

describe('a link', () => {
  const attack = 'javascript:alert(1)//{model}';

  it('sets the declared settings of an element', async () => {
    const table = await openedTable('#tied=models&sort=name&order=ascending', '');
    expect([table.sort, table.order]).toEqual(['name', 'ascending']);
  });

  it('puts no URL into a table, whether or not the author set one', async () => {
    for (const attributes of ['', 'calculator-link="calculator.html#{model}"', 'for=""']) {
      const before = arrows(await openedTable('', attributes));
      const table = await openedTable(`#tied=models&calculator-link=${encodeURIComponent(attack)}`, attributes);
      expect(arrows(table)).toEqual(before);
      expect(table.shadowRoot?.innerHTML).not.toContain('javascript:');
    }
  });

  it('sets nothing that belongs to the page: ids, event handlers, styles, the figure’s name, or anything unknown', async () => {
    const names = ['for', 'calculator-link', 'link-state', 'heading-level', 'id', 'class', 'style', 'slot', 'onclick'];
    const others = ['onfocus', 'tabindex', 'hidden', 'data-theme', 'is', 'part', '__proto__', 'constructor'];
    const all = [...names, ...others];
    const hash = all.map((name) => `&${name}=javascript:alert(1)`).join('');
    for (const element of elements) {
      const tag = new element().localName;
      location.hash = `#tied=models${hash}`;
      document.body.innerHTML = `<${tag} link-state="models"></${tag}>`;
      const opened = document.querySelector(tag);
      const set = opened?.getAttributeNames().filter((name) => all.includes(name));
      expect(set, tag).toEqual(['link-state']);
      expect(opened?.getAttribute('link-state'), tag).toBe('models');
    }
  });

  it('written by an element contains all of its settings and nothing else', () => {
    for (const element of elements) {
      const made = new element();
      const settings = (made as unknown as { settings(): Record<string, string> }).settings();
      expect(element.linkSettings.length, made.localName).toBeGreaterThan(0);
      // Only the page's author decides what an experiment runs.
      if (element === Experiment) expect(element.linkSettings).toEqual(['point']);
      const taken = new Set([...element.linkSettings, 'model-choice']);
      expect(
        Object.keys(settings).filter((name) => !taken.has(name)),
        made.localName,
      ).toEqual([]);
      const observed = element.observedAttributes;
      expect(
        element.linkSettings.filter((name) => !observed.includes(name)),
        made.localName,
      ).toEqual([]);
    }
  });

  it('tells the command which figure it belongs to', () => {
    const named = (is: (attributes: ReadonlyMap<string, string>) => boolean): readonly unknown[] =>
      elements.filter((element) => is(new Map(element.linkSettings.map((name) => [name, '']))));
    expect(named(isRunLink)).toEqual([TrainingLab]);
    expect(named(isTwinLink)).toEqual([DirectPath, GradientLedger]);
    expect(named(isSeq2seqLink)).toEqual([Seq2seq]);
    expect(named(isHeadsLink)).toEqual([Heads]);
  });

  it('cannot set an attribute with a URL on any element', () => {
    for (const element of elements) {
      const addresses = element.linkSettings.filter((name) =>
        /(^|-)(for|href|src|link|url|action|script)(-|$)/.test(name),
      );
      expect(addresses).toEqual([]);
    }
  });
});
