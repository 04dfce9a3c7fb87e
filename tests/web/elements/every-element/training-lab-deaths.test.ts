// @vitest-environment happy-dom
// A training lab whose worker is killed during or after a run.
import type { LitElement } from 'lit';
import { expect, it, vi } from 'vitest';
import { setLabOpener } from '../../../../web/elements/shared/page-labs.js';
import '../../../../web/elements/training-lab/training-lab.define.js';
import type { DirectPathRun } from '../../../../web/elements/training-lab/direct-path-run.js';
import type { TrainingLab } from '../../../../web/elements/training-lab/training-lab.js';
import { settled } from '../host.js';
import { complaintOf, opened, openMortal, place, showsItsAnswers, waiting, type Figure } from './life.js';

/** A training lab that plays on a small chain. */
async function playingLab(speed: string): Promise<TrainingLab> {
  const figure: Figure = {
    tag: 'tied-training-lab',
    attributes: { 'text-source': 'markov-chain', states: '3', 'd-model': '2', steps: '20', speed },
    answered: (root) => /In this text/.test(root.querySelector('.read-out')?.textContent ?? ''),
  };
  const element = place<TrainingLab>(figure);
  await showsItsAnswers(element, figure);
  press(element, 'Play');
  return element;
}

function press(element: LitElement, name: string): void {
  const buttons = [...element.shadowRoot!.querySelectorAll('button')];
  buttons.find((one) => [one.textContent.trim(), one.getAttribute('aria-label')].includes(name))!.click();
}

const standsAt = (element: TrainingLab, phase: string, step: number) =>
  vi.waitFor(() => {
    expect([element.controller.phase, element.controller.step]).toEqual([phase, step]);
  }, waiting);

it('a training lab whose worker is killed after a run repeats the run before the next step', async () => {
  const element = await playingLab('fast');
  await standsAt(element, 'finished', 20);
  const losses = (): number[] => [...(element.controller as DirectPathRun).arms[0]!.losses.values()];
  const before = losses();
  for (const { kill } of opened) kill();
  press(element, 'One step');
  await standsAt(element, 'finished', 21);
  expect(losses().slice(0, 21)).toEqual(before);
  expect(complaintOf(element)).toBe('');
});

it('a training lab whose worker is killed during a run repeats it to its end with the same bits', async () => {
  const killed = await playingLab('slow');
  await vi.waitFor(() => {
    expect(killed.controller.step).toBeGreaterThan(0);
  }, waiting);
  expect(killed.controller.phase).toBe('running');
  for (const { kill } of opened) kill();
  const undisturbed = await playingLab('fast');
  for (const element of [killed, undisturbed]) await standsAt(element, 'finished', 20);
  const lossesOf = ({ controller }: TrainingLab): number[][] =>
    (controller as DirectPathRun).arms.map(({ losses }) => [...losses.values()]);
  expect(lossesOf(killed)).toEqual(lossesOf(undisturbed));
  expect(complaintOf(killed)).toBe('');
});

it('a training lab whose worker is killed again while the run is repeated still repeats it to its end', async () => {
  const element = await playingLab('fast');
  await standsAt(element, 'finished', 20);
  let deaths = 2;
  // The next two workers die when asked to train.
  setLabOpener(async () => {
    const lab = await openMortal();
    const { kill } = opened.at(-1)!;
    return new Proxy(lab, {
      get(of, key) {
        if (key === 'compare' && deaths > 0) {
          deaths--;
          kill();
        }
        return Reflect.get(of, key) as unknown;
      },
    });
  });
  for (const { kill } of opened) kill();
  press(element, 'One step');
  await standsAt(element, 'finished', 21);
  expect(deaths).toBe(0);
  expect(complaintOf(element)).toBe('');
});

it('a training lab whose workers all die reports it after a while, and stops trying', async () => {
  const element = await playingLab('fast');
  await standsAt(element, 'finished', 20);
  setLabOpener(async () => {
    const lab = await openMortal();
    opened.at(-1)!.kill();
    return lab;
  });
  for (const { kill } of opened) kill();
  press(element, 'One step');
  const alert = element.shadowRoot!.querySelector('figure > [role=alert]')!;
  await vi.waitFor(() => {
    expect(alert.textContent).toContain('the worker has stopped');
  }, waiting);
  const labs = opened.length;
  await settled();
  expect([opened.length, element.controller.phase]).toEqual([labs, 'failed']);
});
