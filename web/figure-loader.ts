/** Registers figures whose tags appear in the page. */
import { scriptWantsAll } from './classic-script.js';
import { figureParts } from './figure-parts.js';

const asked = new Set<string>();

function register(tag: string): void {
  const load = figureParts[tag];
  if (load === undefined || asked.has(tag) || customElements.get(tag) !== undefined) return;
  asked.add(tag);
  load().catch((error: unknown) => {
    console.error(error);
    if (customElements.get(tag) === undefined) customElements.define(tag, unavailable(error));
  });
}

/** Takes the place of a figure whose script is missing: says so, beside what the author wrote inside the tag. */
function unavailable(error: unknown): CustomElementConstructor {
  return class extends HTMLElement {
    connectedCallback(): void {
      if (this.shadowRoot !== null) return;
      const message = document.createElement('p');
      message.setAttribute('role', 'note');
      message.textContent = `This figure cannot run here: ${error instanceof Error ? error.message : String(error)}.`;
      this.attachShadow({ mode: 'open' }).append(message, document.createElement('slot'));
    }
  };
}

const all = Object.keys(figureParts).join();

function registerIn(node: Node): void {
  if (!(node instanceof Element)) return;
  register(node.localName);
  for (const { localName } of node.querySelectorAll(all)) register(localName);
}

export function watchForFigures(): void {
  if (scriptWantsAll) for (const tag of Object.keys(figureParts)) register(tag);
  registerIn(document.documentElement);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(registerIn);
  }).observe(document, { childList: true, subtree: true });
}
