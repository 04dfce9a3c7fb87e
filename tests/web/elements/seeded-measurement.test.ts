// What a figure that trains from its seed says while the numbers of another seed are shown.
import { nothing } from 'lit';
import { describe, expect, it } from 'vitest';
import { seededTwinStrings } from '../../../web/elements/shared/seeded-twins.js';
import { SeededMeasurement } from '../../../web/elements/shared/seeded-measurement.js';
import { hostOfTests, settled } from './host.js';

interface Measured {
  readonly seed: number;
}

/** A measurement whose training ends on command. */
function opened(finished: Measured | null) {
  const host = hostOfTests();
  const work = { seed: 1, progress: (_: number): void => undefined, end: (): void => undefined };
  const measurement = new SeededMeasurement<Measured>(host, {
    seed: () => work.seed,
    finished: () => finished,
    texts: () => ({ ...seededTwinStrings, finishedNote: 'Measured earlier.' }),
    measure: (seed, { onProgress }) =>
      new Promise((resolve) => Object.assign(work, { progress: onProgress, end: () => resolve({ seed }) })),
    failed: () => undefined,
    report: () => true,
    onStart: () => undefined,
  });
  /** Presses the button that `measurement` offers. */
  const press = async (): Promise<void> => {
    const { values } = measurement.button() as { values: readonly unknown[] };
    (values.find((value) => typeof value === 'function') as () => void)();
    host.update();
    await settled();
  };
  return { work, measurement, press };
}

describe('the note beside the numbers', () => {
  it('names the seed of the shown numbers if it is another one, also during training', async () => {
    const { work, measurement, press } = opened({ seed: 1 });
    expect(measurement.note).toBe('Measured earlier.');
    work.seed = 2;
    expect(measurement.note).toBe('These numbers are of seed 1.');
    await press();
    expect(measurement.note).toBe('Writing stories to train on. These numbers are of seed 1.');
    work.progress(0.01);
    expect(measurement.note).toBe('Training: 1%. These numbers are of seed 1.');
    work.end();
    await settled();
    expect(measurement.note).toBe(nothing);
  });

  it('says only what is being done if nothing is shown', async () => {
    const { work, measurement, press } = opened(null);
    expect(measurement.note).toBe(nothing);
    await press();
    work.progress(0.5);
    expect(measurement.note).toBe('Training: 50%.');
  });
});
