import type { PropertyDeclaration, PropertyValues } from 'lit';
import type { Settings } from './setting.js';

/**
 * Reads what a page has set as a property. Frameworks (React, Vue, Preact) set attributes of their templates as
 * properties once an element is defined: `seed="5"` arrives as the string '5', and an attribute that was taken away as
 * undefined. Both mean what they mean in HTML.
 */
export function readGivenValues(
  element: object,
  declared: Settings,
  properties: ReadonlyMap<PropertyKey, PropertyDeclaration>,
  changed: PropertyValues,
): void {
  const values = element as Record<PropertyKey, unknown>;
  for (const name of [...changed.keys()]) {
    const given = values[name];
    const setting = typeof name === 'string' ? declared[name] : undefined;
    let read = given;
    if (setting !== undefined) read = typeof given === 'string' ? setting.read(given) : (given ?? setting.initial);
    else if (given === undefined && properties.get(name)?.state !== true) read = null;
    if (Object.is(read, given)) continue;
    const before = changed.get(name);
    values[name] = read;
    // '5' instead of 5 is no change, and restarts nothing.
    if (Object.is(read, before)) changed.delete(name);
  }
}

/** A level that headings in HTML have below the page's own; 3 if none is given. */
export function readHeadingLevel(given: unknown): number {
  const level = Number(given);
  return Number.isInteger(level) && level >= 2 && level <= 6 ? level : 3;
}
