// @vitest-environment happy-dom
// What a figure that measures a pair of models says about numbers that do not answer its settings.
import { html, render } from 'lit';
import { afterEach, describe, expect, it } from 'vitest';
import type { FigureParts } from '../../../web/elements/shared/figure.js';
import { handOver } from '../../../web/elements/shared/own-models.js';
import { TwinElement } from '../../../web/elements/shared/twin-element.js';
import { weightsStrings } from '../../../web/elements/shared/weights.js';

const strings = { ...weightsStrings, cancel: 'Cancel', otherFile: 'another file', finishedNote: 'Measured earlier.' };

/** A figure that measures a prompt. */
class PromptFigure extends TwinElement<typeof strings, string, { prompt: string }, { dispose: () => void }> {
  prompt = 'a';
  finished: { prompt: string }[] = [];
  /** Whether the shown numbers depend on the prompt. */
  names = true;

  protected readonly ownStrings = strings;
  protected openModels(): never {
    throw new Error('opens nothing');
  }
  protected get question(): string {
    return this.prompt;
  }
  protected questionOf({ prompt }: { prompt: string }): string {
    return prompt;
  }
  protected override get finishedOnes(): readonly { prompt: string }[] {
    return this.finished;
  }
  protected override otherQuestion(shown: { prompt: string }): string | null {
    return this.names ? super.otherQuestion(shown) : null;
  }
  protected measureWith(): never {
    throw new Error('measures nothing');
  }
  protected working(): string {
    return 'Measuring.';
  }
  protected changeOf(): null {
    return null;
  }
  protected parts(): FigureParts {
    return { title: '', drawing: '', hasPicture: false };
  }

  noted(): string {
    const place = document.createElement('p');
    render(html`${this.noteOr('otherwise')}`, place);
    return place.textContent;
  }
}
customElements.define('prompt-figure', PromptFigure);

function opened(settings: Partial<PromptFigure>): PromptFigure {
  const figure = Object.assign(document.createElement('prompt-figure') as PromptFigure, settings);
  document.body.append(figure);
  return figure;
}

afterEach(() => {
  handOver(null);
  document.body.replaceChildren();
});

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
