// @vitest-environment happy-dom
// For the attributes of every element: the link that restores them, and the message if one cannot be used.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { contextSettings } from '../../../web/elements/advisor/advisor.settings.js';
import { advisorStrings } from '../../../web/elements/advisor/advisor.strings.js';
import { alignmentSettings } from '../../../web/elements/alignment/alignment.settings.js';
import { alignmentStrings } from '../../../web/elements/alignment/alignment.strings.js';
import { bigramsSettings } from '../../../web/elements/bigrams/bigrams.settings.js';
import { bigramsStrings } from '../../../web/elements/bigrams/bigrams.strings.js';
import { checkpointSettings } from '../../../web/elements/checkpoint/checkpoint.settings.js';
import { checkpointStrings } from '../../../web/elements/checkpoint/checkpoint.strings.js';
import { computeSettings } from '../../../web/elements/compute-calculator/compute-calculator.settings.js';
import { computeCalculatorStrings } from '../../../web/elements/compute-calculator/compute-calculator.strings.js';
import { directPathSettings } from '../../../web/elements/direct-path/direct-path.settings.js';
import { directPathStrings } from '../../../web/elements/direct-path/direct-path.strings.js';
import { experimentSettings } from '../../../web/elements/experiment/experiment.settings.js';
import { experimentStrings } from '../../../web/elements/experiment/experiment.strings.js';
import { gradientLedgerSettings } from '../../../web/elements/gradient-ledger/gradient-ledger.settings.js';
import { gradientLedgerStrings } from '../../../web/elements/gradient-ledger/gradient-ledger.strings.js';
import { headsSettings } from '../../../web/elements/heads/heads.settings.js';
import { headsStrings } from '../../../web/elements/heads/heads.strings.js';
import { hiddenStatesSettings } from '../../../web/elements/hidden-states/hidden-states.settings.js';
import { hiddenStatesStrings } from '../../../web/elements/hidden-states/hidden-states.strings.js';
import { lensSettings } from '../../../web/elements/lens/lens.settings.js';
import { lensStrings } from '../../../web/elements/lens/lens.strings.js';
import { parameterMapSettings } from '../../../web/elements/parameter-map/parameter-map.settings.js';
import { parameterMapStrings } from '../../../web/elements/parameter-map/parameter-map.strings.js';
import '../../../web/elements/index.js';
import { tableSettings } from '../../../web/elements/model-table/model-table.settings.js';
import { modelTableStrings } from '../../../web/elements/model-table/model-table.strings.js';
import { calculatorSettings } from '../../../web/elements/parameter-calculator/parameter-calculator.settings.js';
import { parameterCalculatorStrings } from '../../../web/elements/parameter-calculator/parameter-calculator.strings.js';
import { seq2seqSettings } from '../../../web/elements/seq2seq/seq2seq.settings.js';
import { seq2seqStrings } from '../../../web/elements/seq2seq/seq2seq.strings.js';
import type { Settings } from '../../../web/elements/shared/settings/setting.js';
import { commonStrings } from '../../../web/elements/shared/strings.js';
import { explorerSettings } from '../../../web/elements/symmetry-explorer/symmetry-explorer.settings.js';
import { symmetryExplorerStrings } from '../../../web/elements/symmetry-explorer/symmetry-explorer.strings.js';
import type { TiedElement } from '../../../web/elements/shared/tied-element.js';

vi.setConfig({ testTimeout: 120_000 });

interface Case {
  readonly element: string;
  readonly attributes: string;
  readonly link: string;
  readonly says: string | null;
}

/** A case is a line with an element and its attributes, then the `link` and the `said` message. */
const cases: Case[] = readFileSync(join(import.meta.dirname, 'settings-cases.txt'), 'utf8')
  .split('\n\n')
  .map((block) => {
    const [head = '', ...lines] = block.trim().split('\n');
    const line = (name: string): string | undefined =>
      lines.find((one) => one.startsWith(`  ${name} `) || one === `  ${name}`)?.slice(name.length + 3);
    const [, element = '', attributes = ''] = /^(\S+) ?(.*)$/.exec(head) ?? [];
    return { element, attributes, link: line('link') ?? '', says: line('says') ?? null };
  });

async function opened(element: string, attributes: string, hash = ''): Promise<{ link: string; says: string | null }> {
  location.hash = hash;
  document.body.innerHTML = `<tied-${element} ${attributes}></tied-${element}>`;
  const made = document.body.firstElementChild as TiedElement<object>;
  await made.updateComplete;
  await made.updateComplete;
  const inner = made as unknown as { settingsOfLink(): Record<string, string>; problem: string | null };
  const settings = Object.entries(inner.settingsOfLink()).map(([name, value]) => `${name}=${value}`);
  return { link: settings.join('&'), says: inner.problem };
}

afterEach(() => {
  document.body.innerHTML = '';
  location.hash = '';
});

describe('messages about settings', () => {
  it.each([
    ['advisor', contextSettings, advisorStrings],
    ['alignment', alignmentSettings, alignmentStrings],
    ['bigrams', bigramsSettings, bigramsStrings],
    ['checkpoint', checkpointSettings, checkpointStrings],
    ['compute-calculator', computeSettings, computeCalculatorStrings],
    ['direct-path', directPathSettings, directPathStrings],
    ['experiment', experimentSettings, experimentStrings],
    ['gradient-ledger', gradientLedgerSettings, gradientLedgerStrings],
    ['heads', headsSettings, headsStrings],
    ['hidden-states', hiddenStatesSettings, hiddenStatesStrings],
    ['lens', lensSettings, lensStrings],
    ['model-table', tableSettings, modelTableStrings],
    ['parameter-calculator', calculatorSettings, parameterCalculatorStrings],
    ['parameter-map', parameterMapSettings, parameterMapStrings],
    ['seq2seq', seq2seqSettings, seq2seqStrings],
    ['symmetry-explorer', explorerSettings, symmetryExplorerStrings],
  ] as [string, Settings, object][])('are all among the strings of %s', (_, declared, strings) => {
    const known: Record<string, unknown> = { ...commonStrings, ...strings };
    for (const [name, { control, unset, expected }] of Object.entries(declared)) {
      expect(expected(known, {}), name).not.toContain('undefined');
      const keys = [unset, control?.label];
      if (control?.kind === 'number') keys.push(control.options.unit?.name);
      if (control?.kind === 'choice') {
        const { names } = control.options;
        const named = names === undefined ? known : known[names];
        keys.push(names);
        for (const one of control.of) if (typeof named === 'object') expect(named, name).toHaveProperty([one]);
      }
      for (const key of keys) if (key !== undefined) expect(Object.keys(known), name).toContain(key);
    }
  });
});

describe('settings as attributes', () => {
  it.each(cases)('$element $attributes', async ({ element, attributes, link, says }) => {
    expect(await opened(element, attributes)).toEqual({ link, says });
  });
});

describe('settings in a link', () => {
  it.each(cases.filter(({ says, attributes }) => says === null && !attributes.includes('model-choice')))(
    'are restored unchanged: $element $attributes',
    async ({ element, link }) => {
      const hash = new URLSearchParams([
        ['tied', 'here'],
        ...link
          .split('&')
          .filter((pair) => pair !== '')
          .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
      ]);
      expect((await opened(element, 'link-state="here"', `#${hash}`)).link).toBe(link);
    },
  );
});
