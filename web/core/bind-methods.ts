/** Verbs that work wherever they are carried: `const { symmetry } = core`, or through a proxy. */

/** Gives `object` the methods and getters of its class as properties of its own, bound to it. */
export function bindMethods(object: object): void {
  const { prototype } = object.constructor as { prototype: object };
  for (const key of Reflect.ownKeys(prototype)) {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key) as {
      value?: unknown;
      get?: () => unknown;
    };
    if (key === 'constructor') continue;
    Object.defineProperty(object, key, {
      configurable: true,
      ...(get ? { get: get.bind(object) } : { value: (value as () => unknown).bind(object), writable: true }),
    });
  }
}
