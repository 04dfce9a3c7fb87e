import type { Leak } from './measure.js';

/** In the place of what the logits tell. */
export const leakPlan =
  'One with one table and one with two, of a width that you are not told. From their logits alone: how wide are they, and what are their rows?';

/** Above what the logits of the recorded run tell. */
export const trainedBeforehand = 'Trained beforehand. Yours will have another width, which you are not told.';

const cosine = (value: number): string => (value > 0.9999 ? value.toFixed(5) : value.toFixed(2));

const widthSentence = ({ width, found }: Leak): string =>
  found === width ? `${found}, as it is` : `${found}, though it is ${width}`;

export const tiedSentence = (one: Leak): string =>
  `One table: width ${widthSentence(one)}. ${
    one.cosine === null
      ? 'No rows are found.'
      : `Rows up to a rotation: mean cosine ${cosine(one.cosine)} with the true ones, ${one.chance!.toFixed(2)} by chance.`
  }`;

export const untiedSentence = (one: Leak): string =>
  `Two tables: width ${widthSentence(one)}. ${
    one.cosine === null
      ? 'No rows are found'
      : `Rows found as if it were one have a mean cosine of only ${one.cosine.toFixed(2)}`
  }; the space of the table that reads is found: overlap ${one.space.toFixed(3)}, ${one.spaceByChance.toFixed(2)} by chance.`;
