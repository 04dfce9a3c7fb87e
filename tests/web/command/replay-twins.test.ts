// How `replay` interprets a link to a figure that trains a pair of models for a seed.
import { expect, test } from 'vitest';
import { partsOfLink } from '../../../web/elements/replay/link-values.js';
import { isTwinLink, readTwinLink, type LinkedTwins } from '../../../web/elements/replay/twin-link.js';
import { directPathSettings } from '../../../web/elements/direct-path/direct-path.settings.js';
import * as paths from '../../../web/elements/direct-path/measure.js';
import { gradientLedgerSettings } from '../../../web/elements/gradient-ledger/gradient-ledger.settings.js';
import * as ledgers from '../../../web/elements/gradient-ledger/measure.js';
import { encodeLinkState } from '../../../web/elements/shared/link-state.js';
import { attributesOf, initialValues } from '../../../web/elements/shared/settings/with-settings.js';

const read = (link: string): LinkedTwins => readTwinLink(partsOfLink(link)!.attributes);

test.each([
  ['direct paths', directPathSettings, paths.shownSteps],
  ['gradients', gradientLedgerSettings, ledgers.shownSteps],
])('a link to a figure of %s, with its defaults, is recognized', (_, settings, steps) => {
  const link = encodeLinkState('figure', attributesOf(settings, { ...initialValues(settings), seed: 7 }));
  expect(isTwinLink(partsOfLink(link)!.attributes)).toBe(true);
  expect(read(link)).toMatchObject({ seed: 7, steps });
  const byDefault = encodeLinkState('figure', attributesOf(settings, initialValues(settings)));
  expect(read(byDefault).seed).toBe(settings.seed.initial);
});

test.each([
  ['#tied=a&measure=correlation&arms=tied', /^arms is no setting of a figure of direct paths/],
  ['#tied=a&measure=size', /^measure has no choice named “size”/],
  ['#tied=a&measure=loss&seed=-1', /^seed is -1; the smallest possible is/],
  ['#tied=a&measure=loss&moment=99', /^moment is 99; the largest possible is 7/],
  ['#tied=a&definition=token&weights=x', /^weights is no setting/],
  ['#tied=a&definition=token&trains-first=', /^trains-first is no setting/],
])('%s is refused with a message', (link, said) => {
  expect(() => read(link)).toThrow(RangeError);
  expect(() => read(link)).toThrow(said);
});
