import type { Lab, LabTrainer } from '../../core/types.js';

/** Does the same with every arm, all at once; where some fail, rejects with the first reason once none is at it any more. */
export async function withAll<Arm, Result>(
  arms: readonly Arm[],
  act: (arm: Arm, index: number) => Promise<Result>,
): Promise<Result[]> {
  const settled = await Promise.allSettled(arms.map(act));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/** The lab of arm `index`: dealt out in turn, so that no lab has two more arms than another. */
export function labOfArm(labs: readonly Lab[], index: number): Lab {
  const lab = labs[index % labs.length];
  if (lab === undefined) throw new RangeError('There is no lab to train in.');
  return lab;
}

/** An arm of each kind, dealt out to the labs; where one fails, the others are disposed of before it rejects. */
export async function createArms<Kind, Arm extends { readonly trainer: LabTrainer }>(
  labs: readonly Lab[],
  kinds: readonly Kind[],
  create: (lab: Lab, kind: Kind) => Promise<Arm>,
): Promise<Arm[]> {
  const made: Arm[] = [];
  try {
    return await withAll(kinds, async (kind, index) => {
      const arm = await create(labOfArm(labs, index), kind);
      made.push(arm);
      return arm;
    });
  } catch (error) {
    for (const { trainer } of made) trainer.dispose();
    throw error;
  }
}
