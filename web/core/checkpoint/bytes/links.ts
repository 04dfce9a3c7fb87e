/** File URLs as people paste them, and the URLs to fetch instead. */
import { TiedError } from '../../runtime/errors.js';

export interface FileLink {
  readonly url: string;
  /** How the link was changed, in words; null if it was not. */
  readonly note: string | null;
  /** If the link is to a model, not to a file: what to try after `url`, if that file does not exist. */
  readonly otherwise: FileLink | null;
}

/** The names under which models are published, whole or in several files. */
const MODEL_FILES = ['model.safetensors', 'model.safetensors.index.json'];
/** A model's own page on the Hub, or its list of files. */
const MODEL_PAGE =
  /^\/(?!(?:datasets|spaces|docs|collections|papers|blog|api)\/)([\w.-]+\/[\w.-]+)(?:\/tree\/([\w.-]+))?\/?$/;
const HUB = /^(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com)$/;

/** Refuses anything that is not an http(s) URL or contains a user name or password; turns pages about a file into the file. */
export function fileLink(text: string): FileLink {
  const given = text.trim();
  const url = parsed(given);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(given, 'a URL that begins with https: or http:');
  if (url.username !== '' || url.password !== '')
    throw new TiedError('invalid-argument', 'the URL has a user name or a password; expected none');
  url.hash = '';
  const page = HUB.test(url.hostname) ? MODEL_PAGE.exec(url.pathname) : null;
  if (page) return ofModel(`${url.origin}/${page[1]}/resolve/${page[2] ?? 'main'}`, MODEL_FILES)!;
  const before = url.href;
  if (HUB.test(url.hostname)) url.pathname = url.pathname.replace(/^(\/.+?)\/(?:blob|raw)\//, '$1/resolve/');
  if (url.hostname === 'github.com') url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/raw/');
  if (url.href !== before)
    return {
      url: url.href,
      note: `The link is to a page about the file; ${url.href} is read instead.`,
      otherwise: null,
    };
  return { url: url.href, note: SHORT.test(given) ? `${given} is read from ${url.href}.` : null, otherwise: null };
}

function ofModel(folder: string, [name, ...more]: readonly string[]): FileLink | null {
  if (name === undefined) return null;
  const url = `${folder}/${name}`;
  return { url, note: `The link is to a model; ${url} is read.`, otherwise: ofModel(folder, more) };
}

/** URLs without a protocol, and the form of the Hub's own tools: hf://owner/model@revision/file, or without a file. */
const SHORT = /^(?:hf:|(?:www\.)?(?:huggingface\.co|hf\.co)\/)/;

function parsed(text: string): URL {
  const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
  const own = /^hf:(?:\/\/)?([\w.-]+\/[\w.-]+)(?:@([\w.-]+))?(?:\/(.+))?$/.exec(text);
  const full = own
    ? `https://huggingface.co/${own[1]}/${own[3] === undefined ? 'tree' : 'resolve'}/${own[2] ?? 'main'}/${own[3] ?? ''}`
    : SHORT.test(text)
      ? `https://${text}`
      : text;
  try {
    // Relative URLs are relative to the page.
    return new URL(full, document?.baseURI ?? location?.href);
  } catch {
    throw refused(text, 'a URL');
  }
}

const refused = (text: string, expected: string): TiedError =>
  new TiedError('invalid-argument', `the URL is '${text.slice(0, 200)}'; expected ${expected}`);
