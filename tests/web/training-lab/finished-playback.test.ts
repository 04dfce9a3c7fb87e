import { describe, expect, it } from 'vitest';
import { givenLab } from '../../../web/elements/shared/lab-lease.js';
import { noElement } from '../../../web/elements/shared/when-gone.js';
import { FinishedPlayback } from '../../../web/elements/training-lab/finished-playback.js';
import type { FinishedRun } from '../../../web/elements/training-lab/finished-run.js';
import { DirectPathRun } from '../../../web/elements/training-lab/direct-path-run.js';
import { defaultSettings, type LabSettings } from '../../../web/elements/training-lab/settings.js';
import type { TextSource } from '../../../web/elements/training-lab/text-source.js';
import { fakeLab } from './fake-lab.js';

const settings: LabSettings = { ...defaultSettings, tokenizer: 'character', arms: ['tied'], steps: 30 };
const source: TextSource = { kind: 'own', name: 'mine.txt', text: 'New York, New York!' };
const run = { settings } as unknown as FinishedRun;

async function setUp() {
  const fake = fakeLab();
  const changed: (() => void)[] = [];
  const controller = new DirectPathRun({
    host: noElement,
    labs: givenLab(fake.lab),
    loadBuiltIn: () => Promise.reject(new Error('none')),
    onChange: () => {
      for (const tell of changed) tell();
    },
  });
  const playback = new FinishedPlayback(controller, () => (controller.settings?.seed === 1 ? run : null));
  changed.push(() => {
    playback.follow();
  });
  await controller.configure(source, settings);
  return { controller, playback };
}

describe('a drawn finished run', () => {
  it('stays through preparations until the reader trains, and never returns afterwards', async () => {
    const { controller, playback } = await setUp();
    expect(playback.run).toBe(run);
    await controller.configure(source, { ...settings, seed: 2 });
    expect(playback.run).toBeNull();
    await controller.configure(source, settings);
    expect(playback.run).toBe(run);
    await controller.stepOnce();
    await controller.rewind();
    expect(playback.run).toBeNull();
  });

  it('can be viewed at earlier steps', async () => {
    const { playback } = await setUp();
    playback.view(12);
    expect(playback.viewedStep).toBe(12);
    playback.view(-3);
    expect(playback.viewedStep).toBe(0);
    playback.view(30);
    expect(playback.viewedStep).toBeNull();
  });

  it('is retrained behind the drawing, which is then replaced at the step in view', async () => {
    const { controller, playback } = await setUp();
    playback.view(12);
    playback.trainAgain();
    expect(controller.phase).toBe('running');
    expect([playback.trainsAgain, playback.run]).toEqual([true, run]);
    await controller.idle();
    expect(controller.step).toBe(30);
    expect([playback.trainsAgain, playback.run]).toEqual([false, null]);
    expect([controller.viewed?.step, controller.viewsNewest]).toEqual([12, false]);
  });

  it('is replaced by the retrained steps when the reader pauses', async () => {
    const { controller, playback } = await setUp();
    await controller.configure(source, { ...settings, steps: 100_000 });
    playback.trainAgain();
    const running = controller.idle();
    await Promise.resolve();
    controller.pause();
    await running;
    expect(playback.trainsAgain).toBe(false);
    expect(playback.run).toBe(controller.step > 0 ? null : run);
  });

  it('is still drawn while its retraining waits out of sight', async () => {
    const { controller, playback } = await setUp();
    playback.trainAgain();
    controller.suspend();
    await controller.idle();
    expect([controller.suspended, playback.trainsAgain, playback.run]).toEqual([true, true, run]);
    await controller.resume();
    expect([controller.step, playback.run]).toEqual([30, null]);
  });

  it('is still drawn after trying other settings during retraining', async () => {
    const { controller, playback } = await setUp();
    playback.trainAgain();
    playback.reset();
    await controller.configure(source, { ...settings, seed: 2 });
    playback.reset();
    await controller.configure(source, settings);
    expect(playback.run).toBe(run);
  });
});
