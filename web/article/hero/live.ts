import type { Lab, LabTrainer, ModelConfig } from '../../core/types.js';
import { directPathArm } from '../../elements/training-lab/run-plan.js';
import { defaultSettings } from '../../elements/training-lab/settings.js';
import { builtInTexts } from '../../texts/index.js';
import type { Arm, HeroRun, Moment } from './run.js';

const arms: readonly Arm[] = ['tied', 'untied'];

/** Trains the models of the recorded run from another start, and yields what they say at the same steps. */
export async function* trainAgain(lab: Lab, { words, steps }: HeroRun, seed: number): AsyncGenerator<Moment> {
  const corpus = await lab.openCorpus(await builtInTexts[0]!.load(), {
    tokenizer: { kind: 'word', vocabSize: defaultSettings.vocabSize },
    validation: 0,
  });
  const trainers: LabTrainer[] = [];
  try {
    const { tokens } = corpus.tokenizer!;
    const ids = Uint32Array.from(words, (word) => tokens.indexOf(word));
    const { counts } = await corpus.bigrams();
    trainers.push(
      ...(await lab.createTrainers(
        arms.map((tying) => {
          const { model, training } = directPathArm(defaultSettings, tying);
          return {
            model: { ...model, vocabSize: corpus.vocabSize } as ModelConfig,
            training: { ...training, seed },
            bigramCounts: counts,
          };
        }),
      )),
    );
    for (const step of steps) {
      const [tied, untied] = await Promise.all(
        trainers.map(async (trainer) => {
          if (step > trainer.step) await trainer.run(step - trainer.step);
          return [...(await trainer.nextTokenProbabilities({ from: ids, to: ids })).data];
        }),
      );
      yield { step, tied: tied!, untied: untied! };
    }
  } finally {
    for (const trainer of trainers) trainer.dispose();
    corpus.dispose();
  }
}
