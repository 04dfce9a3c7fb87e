#!/bin/sh
# Tables from glorotNormal, heNormal and leCunNormal are an eighth narrower than they say.
#
# Software: @tensorflow/tfjs-core, tfjs-layers and tfjs-backend-cpu 4.22.0.
# Guess before running: the standard deviation of a table from glorotNormal is sqrt(2 / (fanIn + fanOut)), as its documentation says.
# Seen: it is 0.88 of that, for all three: the distribution is cut at two deviations and not widened to make up for it. glorotUniform and heUniform, for the same
# deviation, have it within a thousandth.
# Why it surprises: the two forms are taken for one scale and two shapes. A comparison of them compares scales; a table and the scores of a tied head start at 0.88 of what
# the same initializer gives in Keras, whose interface this is and which divides by that number.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @tensorflow/tfjs-core@4.22.0 @tensorflow/tfjs-layers@4.22.0 \
  @tensorflow/tfjs-backend-cpu@4.22.0 >&2
cat > narrow.mjs <<'END'
import * as tf from '@tensorflow/tfjs-core';
import { initializers } from '@tensorflow/tfjs-layers';
import '@tensorflow/tfjs-backend-cpu';

await tf.setBackend('cpu');
const [rows, columns] = [2000, 500];
const documented = {
  glorotNormal: 2 / (rows + columns),
  heNormal: 2 / rows,
  leCunNormal: 1 / rows,
  glorotUniform: 2 / (rows + columns),
  heUniform: 2 / rows,
};
const ratios = Object.entries(documented).map(([name, variance]) => {
  const table = initializers[name]({ seed: 1 }).apply([rows, columns]);
  const deviation = Math.sqrt(tf.moments(table).variance.dataSync()[0]);
  console.log(`${name}: deviation ${deviation.toFixed(5)}, documented ${Math.sqrt(variance).toFixed(5)}, ratio ${(deviation / Math.sqrt(variance)).toFixed(4)}`);
  return deviation / Math.sqrt(variance);
});
const isSo = ratios.slice(0, 3).every((ratio) => Math.abs(ratio - 0.8796) < 0.003) && ratios.slice(3).every((ratio) => Math.abs(ratio - 1) < 0.003);
process.exit(isSo ? 0 : 1);
END
node narrow.mjs 2>/dev/null
