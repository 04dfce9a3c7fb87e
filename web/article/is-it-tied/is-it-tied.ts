import { forwardDrops, addressOf, askedUrl } from './address.js';

/** The page "Is it tied?": its address names what is open. The element comes from the package's own script. */

interface CheckpointElement extends HTMLElement {
  /** What is open: a URL, or a file's name and size. */
  given: string;
  useUrl(url: string): Promise<void>;
  strings: Readonly<Record<string, string>>;
}

const figure = document.querySelector<CheckpointElement>('tied-checkpoint');
const policy = document.querySelector<HTMLElement>('.policy');

if (figure !== null) {
  const title = document.title;
  // The page asks the question.
  figure.strings = { title: 'Open a model' };
  const url = askedUrl(location.href);
  if (url !== null) void customElements.whenDefined('tied-checkpoint').then(() => figure.useUrl(url));
  figure.addEventListener('tied-change', (event) => {
    const { name } = (event as CustomEvent<{ readonly name: string }>).detail;
    document.title = `${name} · ${title}`;
    history.replaceState(history.state, '', addressOf(location.href, figure.given));
  });
  forwardDrops(document, figure);
}

/** A browser does not tell a page why a request failed, but it reports what the page's own policy has blocked. */
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  if (policy === null || effectiveDirective !== 'connect-src') return;
  const server = URL.canParse(blockedURI) ? new URL(blockedURI).host : blockedURI;
  policy.textContent = `The content security policy that this page was served with does not let it read from ${server}. Download the file and open it here, or use the command below.`;
  policy.hidden = false;
});
