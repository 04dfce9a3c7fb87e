#!/bin/sh
# A limit on the norms of an embedding does nothing in training, and changes the model when it is loaded.
#
# Software: @tensorflow/tfjs-core, tfjs-layers and tfjs-backend-cpu 4.22.0.
# Guess before running: with embeddingsConstraint maxNorm 1, the norms after each step are at most 1, as in Keras and as the documentation says. After
# the first run, before the second: a saved model changes when it is loaded, since setWeights applies the limit.
# Seen: fit ignores the limits maxNorm, nonNeg and unitNorm. setWeights applies them: the loaded model has other weights than the saved one and
# predicts something else.
# Why it surprises: limits on norms are a usual way to keep rare tokens' rows, or a tied table's scores, from growing. Training runs without
# them, without a word, and what was measured is not what is loaded.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-layers@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > limits.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import { constraints, input, layers, loadLayersModel, model as modelOf } from '@tensorflow/tfjs-layers';
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');
const kinds = {
  maxNorm: () => constraints.maxNorm({ maxValue: 1, axis: 1 }),
  nonNeg: () => constraints.nonNeg(),
  unitNorm: () => constraints.unitNorm({ axis: 1 }),
};
let isSo = true;
for (const [kind, constraint] of Object.entries(kinds)) {
  const tokens = input({ shape: [1] });
  const table = layers.embedding({ inputDim: 2, outputDim: 2, embeddingsInitializer: 'zeros', embeddingsConstraint: constraint() });
  const model = modelOf({ inputs: tokens, outputs: layers.flatten().apply(table.apply(tokens)) });
  model.compile({ optimizer: tf.train.sgd(0.5), loss: 'meanSquaredError' });
  await model.fit(tf.tensor2d([[0], [1]]), tf.tensor2d([[-3, -4], [3, 4]]), { epochs: 100, verbose: 0 });
  let saved;
  await model.save({ save: async (artifacts) => ((saved = artifacts), { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: 'JSON' } }) });
  const loaded = await loadLayersModel({ load: async () => saved });
  const [before, after] = [model, loaded].map((each) => [...each.predict(tf.tensor2d([[0], [1]])).dataSync()].map((x) => Number(x.toFixed(3))));
  console.log(`${kind}: trained ${before.join(' ')}; saved and loaded ${after.join(' ')}`);
  isSo &&= before.join(' ') === '-3 -4 3 4' && after.map(Math.abs).join(' ') === (kind === 'nonNeg' ? '0 0 3 4' : '0.6 0.8 0.6 0.8');
}
process.exit(isSo ? 0 : 1);
END
node limits.mjs 2>/dev/null
