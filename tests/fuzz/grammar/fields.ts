/** Options drawn by the tables that C++ prints: an option that is added there is drawn here. */
import { applies, type Field, type Fields } from '../../../web/core/model/option-codec.js';
import type { Draw } from '../draw.js';

export type Options = Record<string, unknown>;

/** A valid value, small or of the usual size. */
function value(draw: Draw, { words, whole, real, below }: Field, usual: unknown): unknown {
  if (words) return draw.of(words);
  if (whole) return draw.whole(whole[0], Math.min(whole[1] ?? Infinity, whole[0] + 4));
  if (!real) return draw.odds(0.5);
  const [least, most] = real;
  const scales = typeof usual === 'number' && usual > 0 && !below;
  return Math.min(Math.max(scales ? usual * draw.of([1, 0.1, 10]) : draw.share() * 0.99, least), most);
}

/** Some of the options that such a model or training has, except those that are drawn by hand, because others depend on them. */
export const some = (
  draw: Draw,
  fields: Fields,
  given: Readonly<Options>,
  byHand: readonly string[],
  defaults: Readonly<Options> = {},
): Options =>
  draw.some(
    Object.fromEntries(
      Object.entries(fields)
        .filter(([path, field]) => !path.includes('.') && !byHand.includes(path) && applies(field, given))
        .map(([path, field]) => [path, () => value(draw, field, defaults[path] ?? field.omitted)]),
    ),
  );
