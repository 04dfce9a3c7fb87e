/**
 * Registers a custom element unless its name is taken, so that two bundles on one page do not collide. Does nothing
 * without a registry (Node, server rendering).
 */
export function define(name: string, constructor: CustomElementConstructor): void {
  if (typeof customElements === 'undefined') return;
  if (customElements.get(name) === undefined) customElements.define(name, constructor);
}
