// What <tied-hidden-states> measures on the article's two finished models, and how it reports it. Its use is tested in
// tests/browser/hidden-states.test.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import type { Lab, Matrix } from '../../../web/core/types.js';
import { hiddenStatesSettings } from '../../../web/elements/hidden-states/hidden-states.settings.js';
import { hiddenStatesStrings as texts } from '../../../web/elements/hidden-states/hidden-states.strings.js';
import {
  measurePrompt,
  perTable,
  tableNames,
  type Measured,
  type Target,
} from '../../../web/elements/hidden-states/measure.js';
import { summaryOf } from '../../../web/elements/hidden-states/summary.js';
import { LabLease } from '../../../web/elements/shared/lab-lease.js';
import { ModelTwins, openTwins, twinKinds, type OpenedTwins } from '../../../web/elements/shared/model-twins.js';
import { setLabOpener } from '../../../web/elements/shared/page-labs.js';
import { createLab } from '../../../web/worker/lab.js';
import { hostOfTests, settled } from './host.js';

const file = Uint8Array.from(readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors')));
const prompt = hiddenStatesSettings.prompt.initial;
const { signal } = new AbortController();
let lab: Lab;
let twins: OpenedTwins;
let measured: Measured;
beforeAll(async () => {
  lab = await createLab();
  twins = await openTwins(lab, file, texts.otherFile);
  measured = (await measurePrompt(lab, twins, { prompt }))!;
});
afterAll(() => {
  twins.dispose();
  lab.dispose();
});
afterEach(() => {
  vi.unstubAllGlobals();
  setLabOpener(null);
});

const rowOf = ({ cols, data }: Matrix, row: number): Float32Array => data.subarray(row * cols, (row + 1) * cols);
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);
const cosineOf = (a: Float32Array, b: Float32Array): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
/** RMS-normalized; the weights follow from the states after the norm. */
const normalised = (row: Float32Array): Float32Array => {
  const scale = Math.sqrt(dot(row, row) / row.length + 1e-5);
  return row.map((one) => one / scale);
};

describe('the two models of the file', () => {
  it('read a sequence, with states after the norm equal to those before it, normalized and weighted', async () => {
    const ids = await twins.encode(prompt);
    for (const kind of twinKinds) {
      const { before, after } = await twins.read(kind, ids);
      expect([before.rows, before.cols, after.rows, after.cols]).toEqual([ids.length, 48, ids.length, 48]);
      const weights = rowOf(after, 0).map((one, at) => one / normalised(rowOf(before, 0))[at]!);
      for (let row = 1; row < ids.length; row++) {
        const expected = normalised(rowOf(before, row)).map((one, at) => one * weights[at]!);
        expect(cosineOf(rowOf(after, row), expected)).toBeCloseTo(1, 5);
      }
    }
  });

  it('predict by their logits: the largest product with a row of the table', async () => {
    const ids = await twins.encode(prompt);
    for (const [kind, table] of [
      ['tied', twins.tables.tied],
      ['untied', twins.tables.writing],
    ] as const) {
      const { after, predicted } = await twins.read(kind, ids);
      predicted.forEach((id, row) => {
        const logits = Float32Array.from({ length: table.rows }, (_, other) =>
          dot(rowOf(after, row), rowOf(table, other)),
        );
        expect(logits[id]).toBe(Math.max(...logits));
      });
    }
  });

  it('are refused with a sentence if the file is another or truncated', async () => {
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode('<!doctype html>'), file.slice(0, 700_000)]) {
      await expect(openTwins(lab, bytes, texts.otherFile)).rejects.toThrow(texts.otherFile);
    }
  });
});

describe('the measurement of a prompt', () => {
  it('equals the lab’s own verb, with the true next tokens at all positions except the last', () => {
    const { tokens, splits } = measured;
    expect(tokens).toEqual(prompt.match(/\w+|\./g));
    for (const name of tableNames) {
      const { predicted, next } = splits[name].after;
      expect(predicted.positions).toHaveLength(tokens.length);
      expect(next.positions.map(({ target }) => target)).toEqual(tokens.slice(1));
      for (const { cosine, ratio } of predicted.positions) {
        expect(Math.sqrt(1 - cosine * cosine) / Math.abs(cosine) / ratio).toBeCloseTo(1, 3);
      }
    }
  });

  it('finds the state near the output row of the answer, and not near its input row', () => {
    const { splits, baseline, chance } = measured;
    const at = measured.tokens.length - 1;
    const cosines = tableNames.map((name) => splits[name].after.predicted.positions[at]!.cosine);
    expect(cosines.map((one) => Number(one.toFixed(2)))).toEqual([0.73, 0.73, 0.1]);
    expect(splits.writing.after.predicted.positions[at]!.target).toBe('York');
    for (const name of ['tied', 'writing'] as const) {
      expect(splits[name].after.predicted.median.ratio).toBeLessThan(baseline / 4);
      expect(splits[name].after.predicted.median.other).toBeGreaterThan(chance[name].other);
    }
    expect(splits.reading.after.predicted.median.ratio).toBeGreaterThan(baseline);
    expect(splits.tied.after.predicted.otherPosition).toBeGreaterThan(2 * splits.tied.after.predicted.median.ratio);
  });

  it('has the chance level of random directions in 48 dimensions', () => {
    expect(measured.baseline).toBeCloseTo(Math.sqrt(47), 10);
    // The median of |tan| if the cosine is nearly normal with variance 1 / d: sqrt(d) / 0.6745.
    for (const name of tableNames) {
      expect(Math.abs(measured.chance[name].ratio - Math.sqrt(48) / 0.6745)).toBeLessThan(1.2);
      expect(measured.chance[name].other).toBeGreaterThan(0.3);
    }
  });

  it('is limited to the models’ context, and needs two tokens', async () => {
    const long = (await measurePrompt(lab, twins, { prompt: 'She lived in New York. '.repeat(20) }))!;
    expect([long.tokens.length, long.cut, measured.cut]).toEqual([64, true, false]);
    expect(await measurePrompt(lab, twins, { prompt: '' })).toBeNull();
    expect(await measurePrompt(lab, twins, { prompt: ',' })).toBeNull();
    await expect(measurePrompt(lab, twins, { prompt: '漢字' })).rejects.toMatchObject({ words: ['漢字'] });
  });
});

describe('the sentences about it', () => {
  function said({
    change = {},
    at,
    target = 'predicted',
    beside = 'chance',
  }: {
    change?: Partial<Measured>;
    at: number;
    target?: Target;
    beside?: 'chance' | 'nothing';
  }) {
    const { tokens, baseline: level, chance, splits: all } = { ...measured, ...change };
    const splits = perTable((name) => all[name].after[target]);
    const here = perTable((name) => splits[name].positions[at]!);
    const baseline = beside === 'chance' ? level : null;
    return summaryOf({ texts, tokens, splits, at, here, baseline, width: 600 }, chance, target);
  }
  const last = 14;

  it('are computed from the numbers', () => {
    expect(said({ at: last }).claim).toBe('After New both models predict York.');
    expect(said({ at: last }).rest).toMatch(
      /^h is 43° from its row in the tied model; in the untied one 43° from .* and 84° from/,
    );
    expect(said({ at: 1 }).claim).toBe('After girl the tied model predicts had, the untied one named.');
    expect(said({ at: 1, target: 'next' }).claim).toBe('After girl the text continues with lived.');
  });

  it('compare the other states with chance', () => {
    expect(said({ at: last }).left).toMatch(
      /points at no other word more than chance would: 0\.49, by chance 0\.46\. The direction .* is not the reason/,
    );
    const chance = { ...measured.chance, tied: { ...measured.chance.tied, other: 0.37 } };
    expect(said({ change: { chance }, at: last }).left).toMatch(/also points at other words: 0\.49, by chance 0\.37/);
  });

  it('do not mention chance if the reader has hidden it', () => {
    for (const target of ['predicted', 'next'] as const) {
      const { claim, rest, left } = said({ at: 1, target, beside: 'nothing' });
      expect([claim, rest, left].join(' ')).not.toMatch(/chance/);
      expect(left).toMatch(/with another word has a median of 0\.\d\d\. The direction /);
    }
  });
});

describe('the models in a figure', () => {
  const open = () => {
    const host = hostOfTests();
    return { host, models: new ModelTwins(host, new LabLease(host), openTwins) };
  };
  const handles: { disposed: boolean }[] = [];
  /** Labs that can be ended and whose handles are counted. */
  const countedLab = async (): Promise<Lab> => {
    const inner = await createLab();
    const counted = <T extends { dispose: () => void }>(handle: T): T => {
      const state = { disposed: false };
      handles.push(state);
      const dispose = handle.dispose.bind(handle);
      handle.dispose = () => {
        state.disposed = true;
        dispose();
      };
      return handle;
    };
    const { createTrainer, loadTokenizer } = inner;
    inner.createTrainer = async (...given) => counted(await createTrainer.apply(inner, given));
    inner.loadTokenizer = async (...given) => counted(await loadTokenizer.apply(inner, given));
    return inner;
  };

  it('are fetched and opened once, and disposed of when the figure leaves its page', async () => {
    handles.length = 0;
    const fetched = vi.fn(() => Promise.resolve(new Response(file.slice())));
    vi.stubGlobal('fetch', fetched);
    setLabOpener(countedLab);
    const { host, models } = open();
    const ask = () =>
      models.ask('models', (of, opened) => measurePrompt(of, opened, { prompt }), { signal, otherFile: '' });
    expect(await ask()).toEqual(measured);
    const count = handles.length;
    expect(await ask()).toEqual(measured);
    expect([fetched.mock.calls.length, handles.length]).toEqual([1, count]);
    host.remove();
    await settled();
    expect(handles.every(({ disposed }) => disposed)).toBe(true);
  });

  it('are opened again in the next lab when their lab has ended', async () => {
    handles.length = 0;
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(file.slice())));
    const labs: Lab[] = [];
    setLabOpener(async () => {
      labs.push(await countedLab());
      return labs.at(-1)!;
    });
    const { host, models } = open();
    const ask = () =>
      models.ask('models', (of, opened) => measurePrompt(of, opened, { prompt }), { signal, otherFile: '' });
    await ask();
    labs[0]!.dispose();
    expect(await ask()).toEqual(measured);
    expect(labs).toHaveLength(2);
    host.remove();
    await settled();
  });

  it('are disposed of when replaced: of ten pairs, one is left', async () => {
    handles.length = 0;
    setLabOpener(countedLab);
    const { host, models } = open();
    let perPair = 0;
    const live = () => handles.filter(({ disposed }) => !disposed).length;
    for (let count = 1; count <= 10; count++) {
      const answer = await models.ask({ bytes: file }, () => Promise.resolve(count), { signal, otherFile: '' });
      expect(answer).toBe(count);
      perPair ||= live();
      expect(live()).toBe(perPair);
    }
    host.remove();
    await settled();
    expect(handles.every(({ disposed }) => disposed)).toBe(true);
  });

  it('are disposed of at once if they arrive after the figure has left', async () => {
    handles.length = 0;
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(file.slice())));
    setLabOpener(countedLab);
    const { host, models } = open();
    const abort = new AbortController();
    const asked = models.ask('models', () => Promise.resolve(1), { signal: abort.signal, otherFile: '' });
    await vi.waitFor(() => {
      expect(handles.length).toBeGreaterThan(0);
    });
    abort.abort();
    expect(await asked).toBeNull();
    expect(handles.every(({ disposed }) => disposed)).toBe(true);
    host.remove();
    await settled();
  });
});
