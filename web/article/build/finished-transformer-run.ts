import type { Lab } from '../../core/types.js';
import type { TransformerArm } from '../../elements/training-lab/transformer/arms.js';
import { TransformerRun } from '../../elements/training-lab/transformer/run.js';
import type { FinishedTransformerRun } from '../../elements/training-lab/transformer/finished-run.js';
import { givenLab } from '../../elements/shared/lab-lease.js';
import { noElement } from '../../elements/shared/when-gone.js';
import { transformerDefaults, type TransformerSettings } from '../../elements/training-lab/transformer/settings.js';
import type { TextSource } from '../../elements/training-lab/text-source.js';

/**
 * The run of small GPTs that the article shows before the reader plays. It is trained once by the lab's own controller
 * at the lab's defaults and stored in assets/; a test repeats its first steps.
 */
export const finishedStoryLength = 1_000_000;
const finishedTemperature = 0.6;
const source: TextSource = { kind: 'stories', length: finishedStoryLength };

/** Steps whose records are stored to the last bit, for the test. */
export const exactSteps = 10;

/** Enough digits for drawings and sentences; the first steps are kept in full. */
const kept = (values: ArrayLike<number>, decimals: number): number[] =>
  Array.from(values, (value, index) => (index < exactSteps ? value : Number(value.toFixed(decimals))));

function keptArm({ kind, parameters, losses, inputShares, heldOut }: TransformerArm) {
  return {
    kind,
    parameters,
    losses: kept(losses.values(), 2),
    matrixShares: kept(inputShares.matrix.values(), 3),
    positionShares: kept(inputShares.position.values(), 2),
    // In full: the last ones depend on every bit of the run.
    heldOut,
  };
}

/** How the file was made. Of the text and the code, it names only what determines the weights. */
const aboutModels = ({ seed, steps }: TransformerSettings): Record<string, string> => ({
  madeBy: 'tied-embeddings: node tools/train-finished-run.mjs',
  text: `lab.writeStories({ seed: ${String(seed)}, length: ${String(finishedStoryLength)} }), written by the project's own program`,
  seed: String(seed),
  steps: String(steps),
  precision: 'float32 weights, rounded to the nearest half-precision number',
  license: 'MIT',
});

/** The first `steps` steps of the run (all if omitted), with the lab's `settings` except for their number of steps. */
export async function trainFinishedRun(
  lab: Lab,
  { steps = transformerDefaults.steps, onStep = () => undefined }: { steps?: number; onStep?: (step: number) => void } = {},
): Promise<{ run: FinishedTransformerRun; models: Uint8Array }> {
  const settings: TransformerSettings = { ...transformerDefaults };
  const controller = new TransformerRun({
    host: noElement,
    labs: givenLab(lab),
    loadBuiltIn: () => Promise.reject(new Error('The run reads stories.')),
    prompting: () => ({ prompt: null, temperature: finishedTemperature, seed: settings.seed }),
    onChange: () => undefined,
    onSteps: () => {
      onStep(controller.step);
    },
  });
  await controller.configure(source, settings);
  await controller.runTo(steps);
  const { failure, text } = controller;
  if (failure !== null) throw failure.error;
  if (text === null) throw new Error('The run has no text.');
  const about = aboutModels({ ...settings, steps });
  const written = await controller.writeModels({ precision: 'F16', about, withText: false });
  if (written === null) throw new Error('The run has no models.');
  const { unigram, bigram } = text.bounds!;
  const run: FinishedTransformerRun = {
    model: 'transformer',
    textSource: source.kind,
    storyLength: finishedStoryLength,
    settings,
    bounds: { unigram, bigram },
    text: {
      name: text.name,
      characters: text.corpus.characters,
      vocabSize: text.corpus.vocabSize,
      trainingTokens: text.trainingTokens,
      heldOutTokens: text.heldOutTokens,
    },
    arms: controller.arms.map(keptArm),
    samples: [...controller.samples.list],
  };
  controller.dispose();
  await controller.idle();
  return { run, models: written.bytes };
}
