/** Makes verbs work detached from their object: `const { symmetry } = core`, or through a proxy. */

/** Defines the methods and getters of an object's classes on the object, bound to it. */
export function bindMethods(object: object): void {
  for (let at = object; (at = Object.getPrototypeOf(at) as object) !== Object.prototype;) {
    for (const key of Reflect.ownKeys(at)) {
      const { value, get } = Object.getOwnPropertyDescriptor(at, key) as { value?: unknown; get?: () => unknown };
      if (key === 'constructor' || Object.hasOwn(object, key)) continue;
      Object.defineProperty(object, key, {
        configurable: true,
        ...(get ? { get: get.bind(object) } : { value: (value as () => unknown).bind(object), writable: true }),
      });
    }
  }
}
