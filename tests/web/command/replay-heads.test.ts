// How `replay` interprets a link to a figure that compares heads.
import { describe, expect, test } from 'vitest';
import { headsSettings } from '../../../web/elements/heads/heads.settings.js';
import { isHeadsLink, readHeadsLink, type LinkedHeads } from '../../../web/elements/replay/heads-link.js';
import { partsOfLink } from '../../../web/elements/replay/link-values.js';
import { encodeLinkState } from '../../../web/elements/shared/link-state.js';
import { attributesOf, initialValues } from '../../../web/elements/shared/settings/with-settings.js';

const read = (link: string): LinkedHeads => readHeadsLink(partsOfLink(link)!.attributes);

describe('a link to a figure of heads', () => {
  test('with the defaults gives the figure’s own race', () => {
    const link = encodeLinkState('figure', attributesOf(headsSettings, initialValues(headsSettings)));
    expect(isHeadsLink(partsOfLink(link)!.attributes)).toBe(true);
    const { question, ...others } = read(link);
    expect(others).toEqual({ own: false, steps: 200, seed: 1 });
    expect(question(null)).toMatchObject({
      text: { stories: { seed: 1 } },
      ...{ tokenizer: 'bpe', vocabSize: 2048, dModel: 32, steps: 200, seed: 1 },
    });
  });

  test('on the reader’s own text needs that text', () => {
    const { own, question } = read('#tied=h&by=time&share=40&text-source=own&tokenizer=word&d-model=64&seed=7');
    expect(own).toBe(true);
    expect(question('one two')).toMatchObject({ text: { own: 'one two' }, tokenizer: 'word', dModel: 64, seed: 7 });
  });

  test.each([
    ['#tied=h&by=work', /^by has no choice named “work”/],
    ['#tied=h&by=steps&steps=5', /^steps is 5; the smallest possible is 20/],
    ['#tied=h&by=steps&d-model=24', /^d-model has no choice named “24”/],
    ['#tied=h&by=steps&arms=tied', /^arms is no setting of a figure of heads/],
  ])('%s is refused with a message', (link, said) => {
    expect(() => read(link)).toThrow(RangeError);
    expect(() => read(link)).toThrow(said);
  });
});
