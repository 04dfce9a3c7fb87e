// How `replay` interprets a link to a figure that trains encoder-decoders.
import { expect, test } from 'vitest';
import { partsOfLink } from '../../../web/elements/replay/link-values.js';
import { isSeq2seqLink, readSeq2seqLink, type LinkedTranslators } from '../../../web/elements/replay/seq2seq-link.js';
import { seq2seqSettings } from '../../../web/elements/seq2seq/seq2seq.settings.js';
import { encodeLinkState } from '../../../web/elements/shared/link-state.js';
import { attributesOf, initialValues } from '../../../web/elements/shared/settings/with-settings.js';

const read = (link: string): LinkedTranslators => readSeq2seqLink(partsOfLink(link)!.attributes);

test('a link with the defaults gives the plan of the figure', () => {
  const link = encodeLinkState('figure', attributesOf(seq2seqSettings, initialValues(seq2seqSettings)));
  expect(isSeq2seqLink(partsOfLink(link)!.attributes)).toBe(true);
  expect(read(link)).toEqual({
    plan: { task: 'reversal', length: 8, seed: 1, tyings: ['all', 'decoder', 'none'], lines: null },
    own: false,
    steps: 150,
  });
});

test('a task without a length has none, and own pairs must be given', () => {
  expect(read('#tied=a&task=plurals&length=3&steps=20&seed=9&tyings=none+all')).toEqual({
    plan: { task: 'plurals', length: null, seed: 9, tyings: ['all', 'none'], lines: null },
    own: false,
    steps: 20,
  });
  expect(read('#tied=a&task=own')).toMatchObject({ own: true, plan: { task: 'own', length: null } });
});

test.each([
  ['#tied=a&task=reversing', /^task has no choice named “reversing”/],
  ['#tied=a&task=reversal&length=1', /^length is 1; the smallest possible is 2/],
  ['#tied=a&task=reversal&steps=5', /^steps is 5; the smallest possible is 20/],
  ['#tied=a&task=reversal&arms=tied', /^arms is no setting of a figure of encoder-decoders/],
])('%s is refused with a message', (link, said) => {
  expect(() => read(link)).toThrow(RangeError);
  expect(() => read(link)).toThrow(said);
});
