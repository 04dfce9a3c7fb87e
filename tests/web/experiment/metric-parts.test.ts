// The values that claims may name are those that are measured, and a claim that names none is refused before anything is trained.
import { expect, test } from 'vitest';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { nameOf } from '../../../web/core/experiment/check-measure.js';
import { partsOf } from '../../../web/core/experiment/metric-parts.js';
import { METRICS } from '../../../web/core/experiment/metrics.js';
import { loadCore, type ExperimentSpec } from '../../../web/index.js';
import { transformers, translators } from './specs.js';

const core = await loadCore({ modules: ['stories', 'diagnostics', 'readout', 'graphs', 'models', 'accounting'] });

/** What only some models have: changes of the tying, a culled head; and what a direct path's whole model and bigrams lack. */
const sometimes = ['tying-changes.step by band', 'direct-path.model', 'direct-path.bigrams', 'loss.lost', 'rounded-loss.lost', 'packed-loss.lost', 'lost-table.lost']; // prettier-ignore

test('every value that is measured can be named, and every name is one that is measured', async () => {
  const measured = new Set<string>();
  for (const spec of [transformers, translators] as readonly ExperimentSpec[]) {
    const { metrics } = await core.runExperiment(spec);
    const names = checkSpec(spec).measure.map((measure) => [measure.metric, nameOf(measure)('')] as const);
    for (const { metric, layer, band } of metrics) {
      const [of, whole] = names.find(([, name]) => metric === name || metric.startsWith(`${name}.`))!;
      const by = layer !== null ? ' by layer' : band !== null ? ' by band' : '';
      measured.add(`${of}${metric.slice(whole.length)}${by}`);
    }
  }
  const named = Object.keys(METRICS).flatMap((metric) =>
    partsOf(metric).map(({ part, by }) => `${metric}${part && `.${part}`}${by === null ? '' : ` by ${by}`}`),
  );
  expect([...measured].filter((one) => !named.includes(one))).toEqual([]);
  const never = named.filter((one) => !measured.has(one));
  expect(never.filter((one) => !sometimes.some((some) => one.startsWith(some)))).toEqual([]);
});

const refusals = [
  ['isotropy(tied).isoscore', "one of .meanCosine, .* did you mean '.isoScore'?"],
  ['loss(tied).chance', 'one of loss(...), .bitsPerByte, .lost'],
  ['isotropy(tied)', 'one of .meanCosine,'],
  ['loss(tied, layer=1)', 'no layer, since this value has none'],
  ['loss(tied, band=1)', 'no band, since this value has none'],
  ['logit-lens(tied, layer=1).chance', 'no layer, since this value has none'],
  ['logit-lens(tied, layer=3)', 'layer to be one of 0, 1, 2'],
  ['logit-lens(tied, layer=0.5)', 'layer to be one of 0, 1, 2'],
  ['logit-lens(tied)', 'layer to be one of 0, 1, 2'],
  ['layer-ablation(tied, layer=2)', 'layer to be one of 0, 1'],
  ['loss-by-frequency(tied)', 'a band, such as band=1'],
  ['gradient(tied, band=1).pull', 'no band, since this value has none'],
] as const;

test.each(refusals)('%s is refused beforehand', (value, expected) => {
  const claims = [{ id: 'one', says: `${value} > 0` }];
  const [start, end] = expected.split('.*');
  const refused = (): unknown => checkSpec({ ...transformers, claims } as unknown as ExperimentSpec);
  expect(refused).toThrow(`spec.claims[0].says has '${value}'; expected ${start}`);
  if (end !== undefined) expect(refused).toThrow(end);
});

test('a value of the whole is found beside those of its bands', async () => {
  const says = ['gradient(tied).inputShare > 0', 'gradient(tied, band=1).inputShare > 0'];
  const measure = [{ metric: 'gradient' }];
  const claims = says.map((one, i) => ({ id: `claim-${i}`, says: one }));
  const found = await core.runExperiment({
    ...transformers,
    measure,
    claims,
    seeds: [1, 2],
  } as unknown as ExperimentSpec);
  const shares = found.metrics.filter(
    ({ metric, id }) => metric.endsWith('.inputShare') && id === found.metrics[0]!.id,
  );
  const [whole, ofOne] = [null, 1].map((band) => shares.find((one) => one.band === band)!.value);
  expect(found.claims.map(({ points }) => points[0]!.values[0]!.values[0])).toEqual([whole, ofOne]);
});
