// A page's own script: trains the same small model in the lab and on the page and compares them.

const model = { kind: 'direct-path', vocabSize: 4, dModel: 2, tying: 'untied' };
const training = { learningRate: 0.05, batchSize: 1, seed: 7 };
const bigramCounts = { rows: 4, cols: 4, data: new Float32Array([0, 9, 1, 1, 1, 0, 9, 1, 1, 1, 0, 9, 9, 1, 1, 0]) };

/** Writes { mode, sameAsCore, falls, isACopy } into #out, or what went wrong. */
export async function useLab({ createLab, loadCore }) {
  const out = document.querySelector('#out');
  try {
    const lab = await createLab();
    const core = await loadCore();
    const there = await lab.createTrainer({ model, training, bigramCounts });
    const here = core.createTrainer({ model, training, bigramCounts });
    const before = await there.matrix('embedding');
    const records = await there.run(50);
    here.run(50);
    const after = await there.matrix('embedding');
    const same = here.matrix('embedding').data;
    const result = {
      mode: lab.mode,
      sameAsCore: same.length === 8 && same.every((value, i) => Object.is(value, after.data[i])),
      falls: records.at(-1).loss < records[0].loss,
      isACopy: before.data.some((value, i) => value !== after.data[i]),
    };
    lab.dispose();
    out.textContent = JSON.stringify(result);
  } catch (error) {
    out.textContent = JSON.stringify(String(error));
  }
}
