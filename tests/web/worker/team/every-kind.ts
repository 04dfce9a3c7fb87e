/** For pages of every engine, with workers that ask early: trains a model of every kind in several workers and on one thread. */
import { createLab, loadCore, type LabTrainerOptions } from '../../../../web/index.js';
import { hashOf } from '../../seed-bits.js';
import { kindsOf } from './kinds.js';

/** The kinds whose bits differ, with the number of workers, and how many were compared. */
export async function everyKind(counts: readonly number[]): Promise<{ compared: number; different: string[] }> {
  const core = await loadCore({ modules: ['models', 'stories'] });
  const different: string[] = [];
  let compared = 0;
  for (const threads of counts) {
    const lab = await createLab({ threads });
    for (const [name, optionsOf] of kindsOf(() => core)) {
      const options = optionsOf();
      const trainer = await lab.createTrainer(options as LabTrainerOptions);
      while (trainer.threads < threads) {
        await trainer.run(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await trainer.run(6);
      const twin = core.createTrainer(options);
      twin.run(trainer.step);
      const same = trainer.threads === threads && hashOf([await trainer.save()]) === hashOf([twin.save()]);
      if (!same) different.push(`${name} in ${threads}`);
      compared++;
      twin.dispose();
      trainer.dispose();
    }
    lab.dispose();
  }
  core.dispose();
  return { compared, different };
}
