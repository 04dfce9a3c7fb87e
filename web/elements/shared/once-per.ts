/** The value that `make` returns for a key, made once: the same object every time. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    // Failures are not cached.
    if (value instanceof Promise) value.catch(() => known.delete(key));
    return value;
  };
}
