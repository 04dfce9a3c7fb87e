// @vitest-environment happy-dom
// What a figure that measures a pair of models says about numbers that do not answer its settings.
import { html, render } from 'lit';
import { afterEach, describe, expect, it } from 'vitest';
import type { LabLease } from '../../../web/elements/shared/lab-lease.js';
import { handOver } from '../../../web/elements/shared/own-models.js';
import { TwinMeasurement } from '../../../web/elements/shared/twin-measurement.js';
import { weightsStrings } from '../../../web/elements/shared/weights.js';
import { hostOfTests } from './host.js';

const texts = { ...weightsStrings, cancel: 'Cancel', otherFile: 'another file', finishedNote: 'Measured earlier.' };

interface Figure {
  prompt: string;
  finished: { prompt: string }[];
  /** Whether the shown numbers depend on the prompt. */
  names: boolean;
}

/** A figure that measures a prompt. */
function opened(settings: Partial<Figure>) {
  const figure: Figure = { prompt: 'a', finished: [], names: true, ...settings };
  const never = (): never => {
    throw new Error('opens and measures nothing');
  };
  const models = new TwinMeasurement<string, { prompt: string }, { dispose: () => void }>(hostOfTests(), {
    labs: {} as LabLease,
    ready: () => true,
    texts: () => texts,
    weights: () => null,
    openModels: never,
    question: () => figure.prompt,
    questionOf: ({ prompt }) => prompt,
    measure: never,
    working: () => 'Measuring.',
    finished: () => figure.finished,
    otherQuestion: () => (figure.names ? texts.ofOtherSettings : null),
    setProblem: never,
    fail: never,
    report: never,
  });
  const noted = (): string => {
    const place = document.createElement('p');
    render(html`${models.noteOr('otherwise')}`, place);
    return place.textContent;
  };
  return Object.assign(figure, { noted });
}

afterEach(() => handOver(null));

describe('the note beside the numbers', () => {
  const finished = [{ prompt: 'a' }, { prompt: 'b' }];

  it('says where they come from if they answer the settings', () => {
    expect(opened({ finished }).noted()).toBe('Measured earlier.');
    expect(opened({ finished, prompt: 'b' }).noted()).toBe('Measured earlier.');
  });

  it('says that they are of other settings, and how to get those of the reader’s', () => {
    const figure = opened({ finished, prompt: 'mine' });
    expect(figure.noted()).toBe('These numbers are of other settings.');
    handOver({ bytes: new Uint8Array(8), step: 1, text: 'a text' });
    expect(figure.noted()).toBe('These numbers are of other settings. Press Measure for yours.');
    figure.prompt = 'a';
    expect(figure.noted()).toBe('Measured earlier.');
  });

  it('says where they come from if what differs does not change them', () => {
    expect(opened({ finished, prompt: 'mine', names: false }).noted()).toBe('Measured earlier.');
  });

  it('is the figure’s own if nothing is shown', () => {
    expect(opened({}).noted()).toBe('otherwise');
  });
});
