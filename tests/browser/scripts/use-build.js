// A page's own script: trains the same small model on the page and in the lab, with the build of the core that is named.

const options = {
  model: { kind: 'transformer', vocabSize: 23, dModel: 12, nLayers: 2, nHeads: 2, contextLength: 8, tying: 'tied' },
  training: { learningRate: 0.01, batchSize: 4, seed: 14 },
  tokenIds: Uint32Array.from({ length: 3000 }, (_, i) => (i * i + (i >> 3)) % 23),
};

/**
 * Which build it was, where the lab ran, the first and the last loss, whether lab and page agree to the bit; or code and
 * message of what went wrong.
 */
export async function useBuild({ createLab, loadCore }, simd) {
  try {
    const core = await loadCore({ simd });
    const trainer = core.createTrainer(options);
    const losses = trainer.run(40, { recordEvery: 1 }).map(({ loss }) => loss);
    const lab = await createLab({ simd });
    const remote = await lab.createTrainer(options);
    await remote.run(40);
    const same = (await remote.evaluate()).loss === trainer.evaluate().loss;
    lab.dispose();
    return { simd: core.simd, labSimd: lab.simd, mode: lab.mode, first: losses[0], last: losses.at(-1), same };
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}
