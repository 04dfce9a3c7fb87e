import type { OpenedModel } from './opening.js';
import { webLink } from '../shared/web-link.js';

/**
 * What a link's state is about: a URL, or a file of the reader's by its name and size, because a link cannot carry the
 * file itself.
 */
export type Given =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly name: string; readonly bytes: number };

/** Null for the page's own models, which other settings name. */
export function givenOf({ name, wanted: { place } }: Pick<OpenedModel, 'name' | 'wanted'>): Given | null {
  if (place.kind === 'page') return null;
  if (place.kind === 'url') return { kind: 'url', url: new URL(place.url, document.baseURI).href };
  const file = place.files.find((one) => one.file.name === name) ?? place.files[0];
  return file === undefined ? null : { kind: 'file', name: file.file.name, bytes: file.file.size };
}

/** Several are separated by spaces. */
export const writeGiven = (given: readonly Given[]): string =>
  given.map((one) => (one.kind === 'url' ? one.url : `${encodeURIComponent(one.name)}:${String(one.bytes)}`)).join(' ');

/** Null if a part is neither a URL nor a name and a size. */
export function readGiven(text: string): readonly Given[] | null {
  const found: Given[] = [];
  for (const part of text.split(/\s+/).filter(Boolean)) {
    const [, name, bytes] = /^([^/:]+):(\d{1,15})$/.exec(part) ?? [];
    if (name !== undefined && bytes !== undefined) {
      try {
        found.push({ kind: 'file', name: decodeURIComponent(name), bytes: Number(bytes) });
      } catch {
        return null;
      }
    } else if (/^https?:\/\//i.test(part) && webLink(part) !== null) found.push({ kind: 'url', url: part });
    else return null;
  }
  return found;
}

export const isSame = (one: Given, other: Given): boolean => writeGiven([one]) === writeGiven([other]);
