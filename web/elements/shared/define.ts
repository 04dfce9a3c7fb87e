/**
 * Registers a custom element unless the name is taken already, so that two bundles on one page do not collide.
 * Does nothing where there is no registry (Node, server rendering).
 */
export function define(name: string, constructor: CustomElementConstructor): void {
  if (typeof customElements === 'undefined') return;
  if (customElements.get(name) === undefined) customElements.define(name, constructor);
}
