/** Elements for what has no templates: the guesses and the quiz, which are small without a library. */

const svgNamespace = 'http://www.w3.org/2000/svg';

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

export function makeSvg(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}
