// How `replay` interprets a link to a figure that measures trained models or a text: with the results of the verbs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab, LabTrainer } from '../../../web/core/types.js';
import { bigramsSettings } from '../../../web/elements/bigrams/bigrams.settings.js';
import { alignmentSettings } from '../../../web/elements/alignment/alignment.settings.js';
import { hiddenStatesSettings } from '../../../web/elements/hidden-states/hidden-states.settings.js';
import { lensSettings } from '../../../web/elements/lens/lens.settings.js';
import { isBigramsLink, readBigramsLink } from '../../../web/elements/replay/bigrams-link.js';
import { partsOfLink } from '../../../web/elements/replay/link-values.js';
import { isModelsLink, readModelsLink } from '../../../web/elements/replay/models-link.js';
import { isTwinLink } from '../../../web/elements/replay/twin-link.js';
import { isRunLink } from '../../../web/elements/replay/run-link.js';
import { encodeLinkState } from '../../../web/elements/shared/link-state.js';
import { twinKinds } from '../../../web/elements/shared/model-twins.js';
import { writeModelsFile } from '../../../web/elements/shared/models-file-writer.js';
import { attributesOf, initialValues } from '../../../web/elements/shared/settings/with-settings.js';
import type { Settings } from '../../../web/elements/shared/settings/setting.js';
import { createLab } from '../../../web/worker/lab.js';

const text = 'the cat sat on the mat, and the dog sat on the cat; the hen ran to the den. '.repeat(20);
const listening = { signal: new AbortController().signal, onProgress: () => undefined };
const attributes = (link: string) => partsOfLink(link)!.attributes;
const linkOf = (settings: Settings, changes: object = {}): string =>
  encodeLinkState('figure', attributesOf(settings, { ...initialValues(settings), ...changes }));

let lab: Lab;
let models: Record<'tied' | 'untied', LabTrainer>;
let ids: Uint32Array;
let file: Uint8Array;
beforeAll(async () => {
  lab = await createLab();
  const tokenizer = await lab.trainTokenizer(text, { kind: 'character' });
  ids = await tokenizer.encode(text);
  const [tied, untied] = await Promise.all(
    twinKinds.map(async (tying) => {
      const trainer = await lab.createTrainer({
        model: {
          ...{ kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 12, nLayers: 2, nHeads: 3 },
          ...{ contextLength: 10, tying },
        },
        training: { learningRate: 0.01, batchSize: 2, seed: 3 },
        tokenIds: ids,
      });
      await trainer.run(20);
      return trainer;
    }),
  );
  models = { tied: tied!, untied: untied! };
  const measured = { training: ids.slice(0, 1000), heldOut: ids.slice(1000, 1200) };
  file = await writeModelsFile({ models, tokenizer, precision: 'F32', text: measured });
});
afterAll(() => lab.dispose());

const measure = async (link: string) =>
  (await readModelsLink(attributes(link)).measure(lab, file, listening)) as {
    measured: Record<string, unknown>;
    drawn: Record<string, number | null>;
  } | null;

test.each([
  ['alignment', alignmentSettings],
  ['hidden states', hiddenStatesSettings],
  ['lenses', lensSettings],
])('a link to a figure of %s, with its defaults, is recognized among all others', (name, settings) => {
  const found = attributes(linkOf(settings));
  expect([isModelsLink, isBigramsLink, isTwinLink, isRunLink].map((is) => is(found))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(readModelsLink(found).name).toBe(name);
});

test.each([
  ['#tied=a&method=linear&arms=tied', /^arms is no setting of a figure of alignment/],
  ['#tied=a&method=quadratic', /^method has no choice named “quadratic”/],
  ['#tied=a&target=next&position=0', /^position is 0; the smallest possible is 1/],
  ['#tied=a&lens=tuned&weights=x', /^weights is no setting/],
])('%s is refused with a message', (link, said) => {
  expect(() => readModelsLink(attributes(link))).toThrow(RangeError);
  expect(() => readModelsLink(attributes(link))).toThrow(said);
});

describe('for models in a file', () => {
  test('alignment is that of the tables, with chance levels and held-out rows', async () => {
    const { drawn } = (await measure(linkOf(alignmentSettings, { method: 'orthogonal' })))!;
    const [from, to] = [await models.untied.matrix('unembedding'), await models.tied.matrix('embedding')];
    const found = await lab.align(from, to, { method: 'orthogonal', center: true, holdOut: 0.2, nullRuns: 5 });
    expect(drawn['writing to tied, cosine']).toBe(found.meanCosine);
    expect(drawn['writing to tied, cosine by chance']).toBe(found.null.meanCosine);
    expect(drawn['writing to tied, cosine of rows held out']).toBe(found.heldOut!.meanCosine);
    const identity = (await measure(linkOf(alignmentSettings, { method: 'identity', otherMeasures: true })))!;
    expect(identity.drawn['writing to tied, cosine of rows held out']).toBe(null);
    expect(identity.measured['others']).toMatchObject({ tables: { tied: { isotropy: {} } } });
  });

  test('hidden states are those of the prompt at the position in the link', async () => {
    const prompt = 'the cat sat';
    const link = linkOf(hiddenStatesSettings, { prompt, target: 'next', place: 'after', position: 4 });
    const { drawn } = (await measure(link))!;
    const sequence = ids.slice(0, 10);
    const [states] = (await models.untied.hiddenStates(sequence, { finalNorm: true })).slice(-1);
    const hidden = { rows: 9, cols: 12, data: states!.data.slice(0, 9 * 12) };
    const parts = await lab.decomposeHidden(hidden, await models.untied.matrix('unembedding'), sequence.slice(1));
    expect(drawn['writing, ratio']).toBe(parts.ratio[3]);
    expect(drawn['writing, median ratio']).toBe(parts.medianRatio);
    expect(drawn['ratio by chance']).toBe(parts.baseline);
    expect(await measure(linkOf(hiddenStatesSettings, { prompt: 't' }))).toBe(null);
  });

  test('a lens reads the layers of the prompt and of unseen text', async () => {
    const { drawn } = (await measure(linkOf(lensSettings, { prompt: 'the cat', lens: 'logit', position: 2 })))!;
    const { layers } = await models.tied.logitLens(ids.slice(0, 7), {});
    const held = await models.tied.logitLens(ids.slice(1000, 1200), {});
    expect(drawn['tied, layer 1, bits']).toBe(layers[1]!.perToken[1]);
    expect(drawn['tied, layer 1, mean bits']).toBe(held.layers[1]!.divergence);
    expect(drawn['tied, bits by chance']).toBe(held.chance);
  });

  test('a file of another kind is refused', async () => {
    for (const settings of [alignmentSettings, lensSettings]) {
      const { measure: act } = readModelsLink(attributes(linkOf(settings)));
      await expect(act(lab, new Uint8Array(64), listening)).rejects.toMatchObject({ name: 'ModelsFileError' });
    }
  });
});

describe('for a text', () => {
  const read = (changes: object) => readBigramsLink(attributes(linkOf(bigramsSettings, { nullRuns: 3, ...changes })));

  test('pairs are those of the built-in text or of the reader’s own', async () => {
    const found = attributes(linkOf(bigramsSettings));
    expect([isModelsLink, isBigramsLink, isTwinLink, isRunLink].map((is) => is(found))).toEqual([
      false,
      true,
      false,
      false,
    ]);
    const { own, measure: act } = read({ textSource: 'own', textOrder: 'shuffled' });
    expect(own).toBe(true);
    const { drawn, measured } = await act(lab, { name: 'own.txt', text }, listening);
    const corpus = await lab.openCorpus(text, { tokenizer: { kind: 'character' }, validation: 0 });
    const { js, null: chance } = await corpus.irreversibility({ nullRuns: 3, seed: 1 });
    expect(measured).toMatchObject({ name: 'own.txt', orders: { written: { js, null: chance } } });
    expect(drawn['Jensen-Shannon divergence']).toBeLessThan(js);
    const builtIn = read({});
    expect(builtIn.own).toBe(false);
    expect((await builtIn.measure(lab, null, listening)).drawn['tokens']).toBeGreaterThan(40_000);
  });

  test('a value that the figure would replace is refused', () => {
    expect(() => read({ mapTokens: 999 })).toThrow(/^map-tokens is 999; the largest possible is 64/);
    expect(() => readBigramsLink(attributes('#tied=b&text-source=stories&tokenizer=bpe'))).toThrow(
      /^tokenizer has no choice/,
    );
  });
});
