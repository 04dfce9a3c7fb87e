/**
 * The page shares the palette of the elements, written as custom properties that both use. Without `light-dark()` the
 * page stays light, as do the elements.
 */
export function themeCss(palette) {
  const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const declarations = (value) =>
    Object.entries(palette)
      .map(([name, [light, dark]]) => `  --tied-color-${kebab(name)}: ${value(light, dark)};`)
      .join('\n');
  return `:root {
${declarations((light) => light)}
}
@supports (color: light-dark(red, red)) {
  :root {
    color-scheme: light dark;
${declarations((light, dark) => `light-dark(${light}, ${dark})`)}
  }
  :root[data-theme='light'] { color-scheme: light; }
  :root[data-theme='dark'] { color-scheme: dark; }
}`;
}
