/** Makes verbs work detached from their object: `const { symmetry } = core`, or through a proxy. */

/** Defines the methods and getters of an object's class on the object, bound to it. */
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
