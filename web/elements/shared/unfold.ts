/** Opens every `<details>` around `element`, so that a link to it shows it. */
export function unfold(element: Element): void {
  for (let inside: Element | null = element; inside !== null; inside = inside.parentElement) {
    if (inside instanceof HTMLDetailsElement) inside.open = true;
  }
}
